"""The sentences of ``check`` about errors in a game, and about parts that it could not examine."""

from pathlib import Path
from typing import Any

from msgspec.structs import replace

from games.engine import Words
from games.kit.checking import find_faults
from games.kit.package import report
from tests.third_game.fist import RULES


def failing(*_: Any) -> Any:
    raise ZeroDivisionError("division by zero")


def test_an_error_in_a_game_has_its_line() -> None:
    line = failing.__code__.co_firstlineno + 1
    faults = find_faults(replace(RULES, legal_moves=failing), 1)
    assert faults
    assert all(
        f"in `failing`, {Path(__file__).name} line {line}" in fault for fault in faults if "ZeroDivision" in fault
    )
    assert sum("ZeroDivision" in fault for fault in faults) > 1


def test_the_report_names_the_parts_that_a_package_does_not_have_yet() -> None:
    keeps, text = report(replace(RULES, words=Words()), 2, [])
    assert keeps, text
    assert [sentence for sentence in text.splitlines() if "not examined" in sentence] == [
        "- not examined: the story, because `words` has none. Events are told by their names.",
        "- not examined: translations, because the package has no locale/fa/LC_MESSAGES/django.mo.",
        "- not examined: other values of `highest` than the usual ones.",
    ]
