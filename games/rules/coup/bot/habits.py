"""Habits of the players of one game: how readily each of them challenges."""

from collections import Counter
from collections.abc import Mapping, Sequence
from typing import Final

from games.engine import Event, SeatNumber
from games.rules.coup import events as e

DOUBTS: Final = 0.03
"""The probability that an unknown player challenges a claim, before visible cards raise it."""
WINDOWS: Final = 6
"""The number of reactions after which a player's own record has the same weight as that prior."""

Doubts = Mapping[SeatNumber, float]
"""The likelihood that each seat challenges a claim. Seats that showed no habit are left out."""


def doubts(events: Sequence[Event], me: SeatNumber) -> Doubts:
    """Return how readily each other seat challenges, from the claims that it let pass and those that it challenged."""
    windows: Counter[SeatNumber] = Counter()
    doubted: Counter[SeatNumber] = Counter()
    seats: tuple[SeatNumber, ...] = ()
    for event in events:
        if isinstance(event, e.WindowOpened):
            seats = event.asked if event.claim else ()
        elif isinstance(event, e.WindowClosed):
            windows.update(seats)
        elif isinstance(event, e.Challenged):
            # The first challenge ended the window. What the others would have done is not known.
            windows.subtract(seats)
            windows[event.seat] += 1
            doubted[event.seat] += 1
    return {seat: (WINDOWS * DOUBTS + doubted[seat]) / (WINDOWS + windows[seat]) for seat in windows if seat != me}
