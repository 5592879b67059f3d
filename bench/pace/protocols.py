"""The ways to play that are compared. Each is a game that anybody can create, with people who take up more or less."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Final

from bench.pace.people import Habits


@dataclass(frozen=True)
class Protocol:
    """A way to play."""

    name: str
    habits: Habits = field(default_factory=Habits)
    options: Mapping[str, Any] = field(default_factory=dict)
    """The options of the game."""
    terms: Mapping[str, Any] = field(default_factory=lambda: {"plans": "quick"})
    """Of the game."""


SECOND: Final = 0.7
"""The share of people who answer the second question of an email where they are next; nobody has measured it."""
AHEAD: Final = SECOND / 2
"""The same where others are next: the email has a line for it, and the page has it folded."""


def _taken_up(percent: int) -> Habits:
    """The habits of people of whom so many take the tap, and half as many plan ahead."""
    return Habits(taps=percent / 100, plans=percent / 200, second=SECOND, ahead=AHEAD)


NAIVE: Final = Protocol("naive", options={"answers": "sealed"})
"""The plainest way: everybody who is asked has to answer, and nobody plans ahead."""
UPTAKE: Final = {percent: Protocol(f"uptake {percent} %", _taken_up(percent)) for percent in (0, 20, 60, 95)}
PROTOCOLS: Final = (NAIVE, *UPTAKE.values())
