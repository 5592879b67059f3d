"""Swings: the turns of a game that is over after which the game stood most otherwise than before."""

from collections.abc import Sequence
from typing import Final

import msgspec

from games.engine.rules import AnyRules
from games.engine.types import Event, SeatNumber

LEAST: Final = 0.1
"""A swing changes the share of some player by at least this much."""


class Swing(msgspec.Struct, frozen=True):
    """A turn of a game, and whose part of it changed most."""

    event: int
    """The index of the turn's first event among the game's events."""
    seat: SeatNumber
    before: float
    """The part of the game that the seat had before it, from 0 to 1."""
    after: float
    """The part that it had when the next turn began."""


def swings(rules: AnyRules, events: Sequence[Event], seats: int, most: int = 3) -> list[Swing]:
    """Return the greatest swings of a game in their order; none where its rules do not say who has which part of it.

    The whole log is read, hidden cards and all. So it is for games that are over alone.
    """
    share = rules.search.share
    if share is None:
        return []
    numbers = [SeatNumber(seat) for seat in range(1, seats + 1)]
    begins, shares = list[int](), list[list[float]]()
    state = None
    for index, event in enumerate(events):
        if event.begins_line and not event.tells_winners:
            begins.append(index)
            shares.append([share(state, seat) for seat in numbers])
        state = rules.evolve(state, event)
    shares.append([share(state, seat) for seat in numbers])
    all_swings = [_swing(*step) for step in zip(begins, shares[:-1], shares[1:], strict=True)]
    greatest = sorted(all_swings, key=lambda swing: -abs(swing.after - swing.before))[:most]
    return sorted(
        (swing for swing in greatest if abs(swing.after - swing.before) >= LEAST), key=lambda swing: swing.event
    )


def _swing(event: int, before: Sequence[float], after: Sequence[float]) -> Swing:
    """Return the seat whose part changed most in a turn; of two alike the one that lost."""
    changes = [(abs(b - a), a > b, -index) for index, (a, b) in enumerate(zip(before, after, strict=True))]
    index = -max(changes)[2]
    return Swing(event, SeatNumber(index + 1), before[index], after[index])
