"""Statistics of a finished game: bluffs and challenges, and the turning point."""

from collections.abc import Callable, Iterable, Sequence
from typing import Any

import msgspec

from games.engine.phrases import Phrase, SeatName
from games.engine.types import Outcome, SeatNumber, evolve


class Claims(msgspec.Struct, frozen=True):
    """The numbers of one player's claims to have one character."""

    seat: SeatNumber
    claim: str
    """The claimed character, in notation."""
    denies: bool
    """True if the player claimed *not* to have it."""
    made: int = 0
    lies: int = 0
    """The number of claims that were false when they were made."""
    challenged: int = 0
    proved: int = 0
    """The number of challenged claims that were proved."""
    fallen: int = 0
    """The number of challenged claims that were not proved."""


class Challenges(msgspec.Struct, frozen=True):
    """The numbers of one player's challenges."""

    seat: SeatNumber
    made: int = 0
    right: int = 0
    """The number of challenges to claims that were then not proved."""
    wrong: int = 0
    """The number of challenges to claims that were then proved."""


class Count(msgspec.Struct, frozen=True):
    """Another number about a player that the game defines."""

    seat: SeatNumber
    name: str
    """The name for programs, such as ``coins-in-vain``."""
    label: Phrase
    count: int


class Statistics(msgspec.Struct, frozen=True):
    """The statistics of a whole game. They contain secrets, so no viewer may see them before the end."""

    claims: tuple[Claims, ...] = ()
    """Ordered by seat and claim."""
    challenges: tuple[Challenges, ...] = ()
    """Ordered by seat. A challenge whose player resigned before the proof is neither right nor wrong."""
    counts: tuple[Count, ...] = ()
    """Other numbers, in the order in which they are shown."""


class Tally:
    """A counter of claims and challenges. A challenge, a proof or a fall concerns the last claim."""

    def __init__(self) -> None:
        self.claims: dict[tuple[SeatNumber, str, bool], Claims] = {}
        self.challenges: dict[SeatNumber, Challenges] = {}
        self.claim = (SeatNumber(0), "", False)
        self.challenger = SeatNumber(0)

    def claimed(self, seat: SeatNumber, claim: str, denies: bool = False, lies: bool = False) -> None:
        """Count a claim of a seat to have, or not to have, a character."""
        self.claim = (seat, claim, denies)
        self._more_of_claim(made=1, lies=int(lies))

    def challenged(self, seat: SeatNumber) -> None:
        """Count a challenge of the last claim."""
        self.challenger = seat
        self._more_of_claim(challenged=1)
        self._more_of_challenge(made=1)

    def proved(self) -> None:
        """Count the proof of the challenged claim."""
        self._more_of_claim(proved=1)
        self._more_of_challenge(wrong=1)

    def fell(self) -> None:
        """Count the challenged claim as not proved."""
        self._more_of_claim(fallen=1)
        self._more_of_challenge(right=1)

    def statistics(self) -> Statistics:
        return Statistics(
            tuple(self.claims[key] for key in sorted(self.claims)),
            tuple(self.challenges[seat] for seat in sorted(self.challenges)),
        )

    def _more_of_claim(self, **more: int) -> None:
        self.claims[self.claim] = _added(self.claims.get(self.claim) or Claims(*self.claim), more)

    def _more_of_challenge(self, **more: int) -> None:
        tally = self.challenges.get(self.challenger) or Challenges(self.challenger)
        self.challenges[self.challenger] = _added(tally, more)


def _added(tally: Any, more: dict[str, int]) -> Any:
    return msgspec.structs.replace(tally, **{name: getattr(tally, name) + number for name, number in more.items()})


class TurningPoint(msgspec.Struct, frozen=True):
    """The event that decided a game, and the reason."""

    event: int
    """The index of the event among the events of the game."""
    why: Phrase


def no_turning_point(events: Any) -> TurningPoint | None:
    return None


def turning_point_by(
    outcome: Callable[[Any], Outcome | None],
    standing: Callable[[Any], Sequence[int]],
    why: Callable[[Sequence[int]], str],
    evolve: Callable[[Any, Any], Any] = evolve,
) -> Callable[[Iterable[Any]], TurningPoint | None]:
    """Return a ``turning_point`` function. It finds the event after which the only winner led until the end.

    ``standing(state)`` returns a number for each seat, from seat 1. ``why(standing)`` returns a msgid with ``winner``.
    """

    def turning_point(events: Iterable[Any]) -> TurningPoint | None:
        state: Any = None
        standings = [standing(state := evolve(state, event)) for event in events]
        result = outcome(state) if standings else None
        if result is None or len(result.winners) != 1:
            return None
        [winner] = result.winners
        index = lead_for_good(standings, winner)
        if index is None:
            return None
        return TurningPoint(index, Phrase(why(standings[index]), {"winner": SeatName(winner)}))

    return turning_point


def lead_for_good(standings: Iterable[Sequence[int]], winner: SeatNumber) -> int | None:
    """Return the index from which the winner had more than every other player until the end, or None.

    ``standings`` has one item for each event, with a number for each seat, from seat 1.
    """
    lead_start: int | None = None
    for index, standing in enumerate(standings):
        others = [*standing[: winner - 1], *standing[winner:]]
        if not others or standing[winner - 1] <= max(others):
            lead_start = None
        elif lead_start is None:
            lead_start = index
    return lead_start
