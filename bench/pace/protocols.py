"""The ways to play that are compared: from the naive one, each takes one measure more than the one before."""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any, Final, Literal

from bench.pace.people import Habits


@dataclass(frozen=True)
class Protocol:
    """A way to play."""

    name: str
    options: Mapping[str, Any]
    """Of the game."""
    habits: Habits
    plans: Literal["private", "quick"] = "quick"
    """The term of the table: when plans answer what concerns their owner."""


_SEPARATE: Final = {"prompts": "separate"}
_ALL_ANSWER: Final = {"answers": "sealed"}
ORDERING: Final = 0.95
PLANNING: Final = 0.9

NAIVE: Final = Protocol("naive", {**_SEPARATE, **_ALL_ANSWER}, Habits())
LADDER: Final = (
    NAIVE,
    Protocol("+ early close", _SEPARATE, Habits()),
    Protocol("+ one prompt", {}, Habits()),
    Protocol("+ plans", {}, Habits(plans=ORDERING)),
    Protocol("+ next turn ahead", {}, Habits(plans=ORDERING, ahead=PLANNING)),
    Protocol("+ told when it was played", {}, Habits(plans=ORDERING, ahead=PLANNING, again=True)),
    Protocol("+ three turns ahead", {}, Habits(plans=ORDERING, ahead=PLANNING, again=True, turns=3)),
    Protocol("+ answers ahead", {}, Habits(plans=ORDERING, ahead=PLANNING, again=True, turns=3, answers=True)),
)
"""Everybody is asked about everything and everybody has to answer; then one measure after another."""
DARBAR: Final = LADDER[-1]
"""The game as this server plays it where its host wants plans to be quick."""
PRIVATE: Final = replace(DARBAR, name="private", plans="private")
"""The same where nobody can tell a plan from an answer by hand, as usual."""
