"""A folder must not get more flagged texts or names than now (``python -m tests.plain_english FOLDER`` lists them)."""

import pytest

from tests.plain_english import BESIDE, BOUNDS, PRODUCT, count, script_variables


@pytest.mark.parametrize("folder", [*PRODUCT, *BESIDE])
def test_a_folder_has_no_more_hard_places_than_before(folder: str) -> None:
    (texts, names), (most_texts, most_names) = count(folder), BOUNDS[folder]
    assert texts <= most_texts, f"write plainer texts: python -m tests.plain_english {folder}"
    assert names <= most_names, f"use nouns as names: python -m tests.plain_english {folder}"


def test_every_name_that_a_script_declares_is_looked_at() -> None:
    script = """
        // own
        const { kept, found: hidden } = chosen.drawn("made", (told) => told.said);
        class Reader { static held = 1; async *#asked(question, ...heard) { for (const [taken] of `${seen}`); } }
    """
    assert [name for _, name in script_variables(script)] == [
        "kept",
        "chosen",
        "told",
        "held",
        "asked",
        "heard",
        "taken",
    ]
