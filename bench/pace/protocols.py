"""The compared protocols: settings of a game, and the share of players who use the features for planning ahead."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Final

from bench.pace.people import Habits


@dataclass(frozen=True)
class Protocol:
    name: str
    habits: Habits = field(default_factory=Habits)
    options: Mapping[str, Any] = field(default_factory=dict)
    """The options of the game."""
    terms: Mapping[str, Any] = field(default_factory=lambda: {"plans": "quick"})
    """The terms of the game."""


SECOND: Final = 0.7
"""An assumption: the share of emails whose second question is answered, if the player's turn is next."""
AHEAD: Final = SECOND / 2
"""An assumption: this share if another player's turn is next, when the second question is less visible."""


def _habits(percent: int) -> Habits:
    """Return habits: ``percent`` % of the players skip questions about others, and half as many plan ahead."""
    return Habits(taps=percent / 100, plans=percent / 200, second=SECOND, ahead=AHEAD)


NAIVE: Final = Protocol("naive", options={"answers": "sealed"})
"""The protocol for comparison: every question is answered by its player, and there are no plans."""
UPTAKE: Final = {percent: Protocol(f"uptake {percent} %", _habits(percent)) for percent in (0, 20, 60, 95)}
PROTOCOLS: Final = (NAIVE, *UPTAKE.values())
