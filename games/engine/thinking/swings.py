"""Swings: the turns of a finished game that changed the position most."""

from collections.abc import Sequence
from typing import Final

import msgspec

from games.engine.rules import AnyRules
from games.engine.types import Event, SeatNumber

LEAST: Final = 0.1
"""A swing changes the share of some player by at least this much."""


class Swing(msgspec.Struct, frozen=True):
    """A turn of a game, and the seat whose share changed most."""

    event: int
    """The index of the turn's first event among the game's events."""
    seat: SeatNumber
    before: float
    """The seat's share of the game before the turn, from 0 to 1."""
    after: float
    """The seat's share when the next turn began."""


def swings(rules: AnyRules, events: Sequence[Event], seats: int, most: int = 3) -> list[Swing]:
    """Return the greatest swings of a game in order, or nothing if its rules have no ``share``.

    The whole log is read, including hidden cards. So only finished games may be passed.
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
    """Return the seat whose share changed most in a turn. Of two equal ones, the one that lost."""
    changes = [(abs(b - a), a > b, -index) for index, (a, b) in enumerate(zip(before, after, strict=True))]
    index = -max(changes)[2]
    return Swing(event, SeatNumber(index + 1), before[index], after[index])
