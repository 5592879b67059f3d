"""Counts claims and challenges; of whole logs also whether the claims were true."""

from collections.abc import Iterable
from typing import Any

from msgspec.structs import replace

from games.engine import Event, SeatNumber
from games.engine.hindsight import Challenges, Claims, Statistics
from games.rules.coup import events as e
from games.rules.coup.game import evolve
from games.rules.coup.state import Claim, State


def statistics(events: Iterable[Event]) -> Statistics:
    """The bluffs of a game that is over, from its open log.

    A claim is a lie where the player's face-down cards did not bear it out at the moment it was made. One that is
    conceded has fallen, even if it could have been proved.
    """
    count = _Count()
    state: Any = None
    for event in events:
        count.see(state, event)
        state = evolve(state, event)
    return count.statistics()


def claims(events: Iterable[Event]) -> tuple[Claims, ...]:
    """Return what everybody has heard players claim, from events as anybody is shown them; ``lies`` is 0."""
    count = _Count()
    for event in events:
        count.see(None, event)
    return count.statistics().claims


class _Count:
    """The tallies so far, and the claim that is in question."""

    def __init__(self) -> None:
        self.claims: dict[tuple[SeatNumber, str, bool], Claims] = {}
        self.challenges: dict[SeatNumber, Challenges] = {}
        self.claim = (SeatNumber(0), "", False)
        self.challenger = SeatNumber(0)

    def see(self, state: State | None, event: Event) -> None:
        """Count one more event, which happens in this state; None where hands are not to be looked at."""
        match event:
            case e.WindowOpened(claim=Claim() as claim):
                self.claim = (claim.seat, claim.character, claim.denies)
                lies = state is not None and (claim.character in state.hands[claim.seat - 1]) == claim.denies
                self._claimed(made=1, lies=int(lies))
            case e.Challenged(seat=seat):
                self.challenger = seat
                self._claimed(challenged=1)
                self._challenged(made=1)
            case e.Conceded():
                self._claimed(fallen=1)
                self._challenged(right=1)
            case e.Proved():
                self._claimed(proved=1)
                self._challenged(wrong=1)

    def statistics(self) -> Statistics:
        """Return what was counted, in order."""
        return Statistics(
            tuple(self.claims[each] for each in sorted(self.claims)),
            tuple(self.challenges[each] for each in sorted(self.challenges)),
        )

    def _claimed(self, **more: int) -> None:
        tally = self.claims.get(self.claim) or Claims(*self.claim)
        self.claims[self.claim] = _added(tally, more)

    def _challenged(self, **more: int) -> None:
        tally = self.challenges.get(self.challenger) or Challenges(self.challenger)
        self.challenges[self.challenger] = _added(tally, more)


def _added(tally: Any, more: dict[str, int]) -> Any:
    return replace(tally, **{name: getattr(tally, name) + number for name, number in more.items()})
