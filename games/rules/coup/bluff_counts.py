"""Counts of claims and challenges. Whole logs also tell whether the claims were true."""

from collections.abc import Iterable
from typing import Any

from games.engine import Event, evolve
from games.engine.hindsight import Claims, Statistics, Tally
from games.rules.coup import events as e
from games.rules.coup.state import Claim, State


def statistics(events: Iterable[Event]) -> Statistics:
    """Return the bluffs of a finished game from its open log.

    A claim is a lie if the player's face-down cards did not bear it out at the moment of the claim. A conceded claim
    counts as fallen, even if it could have been proved.
    """
    tally = Tally()
    state: Any = None
    for event in events:
        count(tally, state, event)
        state = evolve(state, event)
    return tally.statistics()


def claims(events: Iterable[Event]) -> tuple[Claims, ...]:
    """Return the claims that the players made, from public events. ``lies`` is 0, because it is not known."""
    tally = Tally()
    for event in events:
        count(tally, None, event)
    return tally.statistics().claims


def count(tally: Tally, state: State | None, event: Event) -> None:
    """Count one event that happens in this state. Pass None as the state if hands must not be looked at."""
    match event:
        case e.WindowOpened(claim=Claim() as claim):
            lies = state is not None and (claim.character in state.hands[claim.seat - 1]) == claim.denies
            tally.claimed(claim.seat, claim.character, claim.denies, lies)
        case e.Challenged(seat=seat):
            tally.challenged(seat)
        case e.Conceded():
            tally.fell()
        case e.Proved():
            tally.proved()
