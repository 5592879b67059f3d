"""A folder must not get more flagged texts or names than now (``python -m tests.plain_english FOLDER`` lists them)."""

import pytest

from tests.plain_english import BESIDE, BOUNDS, PRODUCT, count


@pytest.mark.parametrize("folder", [*PRODUCT, *BESIDE])
def test_a_folder_has_no_more_hard_places_than_before(folder: str) -> None:
    (texts, names), (most_texts, most_names) = count(folder), BOUNDS[folder]
    assert texts <= most_texts, f"write plainer texts: python -m tests.plain_english {folder}"
    assert names <= most_names, f"use nouns as names: python -m tests.plain_english {folder}"
