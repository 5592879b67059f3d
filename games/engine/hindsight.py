"""The things that a finished game says of itself: who bluffed and who doubted whom, and the event that turned it."""

from collections.abc import Callable, Iterable, Sequence
from typing import Any

import msgspec

from games.engine.phrases import Phrase, SeatName
from games.engine.types import Outcome, SeatNumber, evolve


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


class Tally:
    """Counts the claims and challenges of a game one by one. The claim that was made last is the one in question."""

    def __init__(self) -> None:
        self.claims: dict[tuple[SeatNumber, str, bool], Claims] = {}
        self.challenges: dict[SeatNumber, Challenges] = {}
        self.claim = (SeatNumber(0), "", False)
        self.challenger = SeatNumber(0)

    def claimed(self, seat: SeatNumber, claim: str, denies: bool = False, lies: bool = False) -> None:
        """A seat claims something, or not to have it."""
        self.claim = (seat, claim, denies)
        self._more_of_claim(made=1, lies=int(lies))

    def challenged(self, seat: SeatNumber) -> None:
        """A seat challenges the claim."""
        self.challenger = seat
        self._more_of_claim(challenged=1)
        self._more_of_challenge(made=1)

    def proved(self) -> None:
        """The claim is proved against its challenger."""
        self._more_of_claim(proved=1)
        self._more_of_challenge(wrong=1)

    def fell(self) -> None:
        """The claim is not proved."""
        self._more_of_claim(fallen=1)
        self._more_of_challenge(right=1)

    def statistics(self) -> Statistics:
        """Return what was counted, in order."""
        return Statistics(
            tuple(self.claims[each] for each in sorted(self.claims)),
            tuple(self.challenges[each] for each in sorted(self.challenges)),
        )

    def _more_of_claim(self, **more: int) -> None:
        self.claims[self.claim] = _added(self.claims.get(self.claim) or Claims(*self.claim), more)

    def _more_of_challenge(self, **more: int) -> None:
        tally = self.challenges.get(self.challenger) or Challenges(self.challenger)
        self.challenges[self.challenger] = _added(tally, more)


def _added(tally: Any, more: dict[str, int]) -> Any:
    return msgspec.structs.replace(tally, **{name: getattr(tally, name) + number for name, number in more.items()})


class TurningPoint(msgspec.Struct, frozen=True):
    """The event that turned a game, and why it is said to have done so."""

    event: int
    """Its index among the game's events."""
    why: Phrase


def no_turning_point(events: Any) -> TurningPoint | None:
    """The turning point of a game that names none."""
    return None


def turning_point_by(
    outcome: Callable[[Any], Outcome | None],
    standing: Callable[[Any], Sequence[int]],
    why: Callable[[Sequence[int]], str],
    evolve: Callable[[Any, Any], Any] = evolve,
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
