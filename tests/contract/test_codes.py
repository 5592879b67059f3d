"""The codes of answers in the API's description: every value that comes today is named, and others may come."""

from collections.abc import Mapping
from typing import Any, Final

import pytest

from games.rules.coup.game import EXPANSIONS, PACES
from games.rules.coup.game import law_of as law
from games.rules.coup.state import Options
from games.rules.registry import RULES
from tests.contract.test_contract import DOCUMENT

SCHEMAS: Final[Mapping[str, Any]] = DOCUMENT["components"]["schemas"]


def open_enum(field: Mapping[str, Any]) -> set[str]:
    """The values that are named of a field which takes any string."""
    assert "string" in field["type"]
    assert "enum" not in field
    return set(field["x-extensible-enum"])


@pytest.mark.parametrize(
    ("component", "field"),
    [("CoupMoveBlock", "character"), ("CoupEventLost", "card"), ("CoupEventAnswered", "character")],
)
def test_every_character_of_every_law_is_named(component: str, field: str) -> None:
    laws = [law(Options(**{name: True}), 4) for name in EXPANSIONS]
    assert open_enum(SCHEMAS[component]["properties"][field]) == {
        name for expansion_law in laws for name in expansion_law.characters
    }


def test_every_action_of_every_law_is_named() -> None:
    whole_law = law(Options(**dict.fromkeys(EXPANSIONS, True)), 4)
    assert open_enum(SCHEMAS["CoupEventDeclared"]["properties"]["action"]) == set(whole_law.actions)


def test_the_kinds_and_reasons_of_all_games_are_named() -> None:
    properties = SCHEMAS["Question"]["properties"]
    assert open_enum(properties["kind"]) >= {kind for rules in RULES.values() for kind in rules.paces}
    assert open_enum(properties["reason"]) >= {reason for rules in RULES.values() for reason in rules.reasons}
    assert open_enum(SCHEMAS["CoupView"]["properties"]["asking"]) == set(PACES)


def test_the_codes_of_a_rejected_move_are_named() -> None:
    assert open_enum(SCHEMAS["Why"]["properties"]["code"]) >= {"illegal", "question-closed"}
