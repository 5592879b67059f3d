"""The things that a finished game says of itself: who bluffed and who doubted whom, and the event that turned it."""

from collections.abc import Callable, Iterable, Sequence
from typing import Any

import msgspec

from games.engine.phrases import Phrase, SeatName
from games.engine.types import Outcome, SeatNumber


class Claims(msgspec.Struct, frozen=True):
    """The number of times that a player claimed one thing, and what was behind it."""

    seat: SeatNumber
    claim: str
    """The thing claimed, in the words of the notation: a character."""
    denies: bool
    """True where the claim was *not* to have it."""
    made: int = 0
    lies: int = 0
    """The number of them that were not true when they were made."""
    challenged: int = 0
    proved: int = 0
    """The number of those challenged that were proved."""
    fallen: int = 0
    """The number of those challenged that were not."""


class Challenges(msgspec.Struct, frozen=True):
    """The number of times that a player challenged, and who was right."""

    seat: SeatNumber
    made: int = 0
    right: int = 0
    """The claim was not proved."""
    wrong: int = 0
    """The claim was proved."""


class Count(msgspec.Struct, frozen=True):
    """Something that a game counts of a player, under a name of its own."""

    seat: SeatNumber
    name: str
    """The name for programs, such as ``coins-in-vain``."""
    label: Phrase
    count: int


class Statistics(msgspec.Struct, frozen=True):
    """The bluffs of a game. Only made of whole logs: nothing in it is for anybody before the end."""

    claims: tuple[Claims, ...] = ()
    """Ordered by seat and claim."""
    challenges: tuple[Challenges, ...] = ()
    """Ordered by seat; a challenge whose maker left before the proof is neither right nor wrong."""
    counts: tuple[Count, ...] = ()
    """The other numbers that the game counts, in the order in which they are shown."""


class TurningPoint(msgspec.Struct, frozen=True):
    """The event that turned a game, and why it is said to have done so."""

    event: int
    """Its index among the game's events."""
    why: Phrase


def no_turning_point(events: Any) -> TurningPoint | None:
    """The turning point of a game that names none."""
    return None


def turning_point_by(
    evolve: Callable[[Any, Any], Any],
    outcome: Callable[[Any], Outcome | None],
    standing: Callable[[Any], Sequence[int]],
    why: Callable[[Sequence[int]], str],
) -> Callable[[Iterable[Any]], TurningPoint | None]:
    """The ``turning_point`` of a game: the event from which on its only winner had more than everybody else.

    ``standing(state)`` is a number for each seat, from seat 1. ``why(standing)`` is a text that names ``winner``.
    """

    def turning_point(events: Iterable[Any]) -> TurningPoint | None:
        state: Any = None
        standings = [standing(state := evolve(state, event)) for event in events]
        ended = outcome(state) if standings else None
        if ended is None or len(ended.winners) != 1:
            return None
        [winner] = ended.winners
        found = lead_for_good(standings, winner)
        if found is None:
            return None
        return TurningPoint(found, Phrase(why(standings[found]), {"winner": SeatName(winner)}))

    return turning_point


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
