"""The turning point of a game that is over: the event after which its winner was ahead for good."""

from collections.abc import Iterable, Sequence
from typing import Any

import msgspec

from games.engine.phrases import Phrase
from games.engine.types import SeatNumber


class TurningPoint(msgspec.Struct, frozen=True):
    """The event that turned a game, and why it is said to have done so."""

    event: int
    """Its index among the game's events."""
    why: Phrase


def no_turning_point(events: Any) -> TurningPoint | None:
    """The turning point of a game that names none."""
    return None


def lead_for_good(standings: Iterable[Sequence[int]], winner: SeatNumber) -> int | None:
    """Return the index from which on the winner had more than everybody else to the end; None where that never was.

    Each of the standings has a number for each seat, from seat 1, as it was after one event.
    """
    began: int | None = None
    for index, standing in enumerate(standings):
        others = [*standing[: winner - 1], *standing[winner:]]
        if not others or standing[winner - 1] <= max(others):
            began = None
        elif began is None:
            began = index
    return began
