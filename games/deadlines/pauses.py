"""Pauses by agreement: who has to agree, and what follows once everybody has.

A pause needs a yes of everybody alive; silence is not one. Bots have no say, and whoever has a bot
or somebody else answer for them may have their say, but is not waited for.
"""

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any, Final

from games.engine import AnyRules, Event, RuleViolation, SeatNumber, SeededChance
from games.event_log.table import Pause, Table
from games.event_log.table_events import Paused, PauseProposed, Resumed
from games.models import SEED_BYTES, Seat

PROPOSED: Final = "pause-proposed"
ON: Final = "paused"
OVER: Final = "resumed"
"""The reasons of notifications about pauses."""


@dataclass(frozen=True)
class Told:
    """An event about a pause of which notifications tell."""

    reason: str
    number: int
    """The event's."""
    latest: datetime | None = None
    """Until when they may wait: as long as there is half of the time to agree."""


def told(lines: Iterable[tuple[int, datetime, Event]]) -> list[Told]:
    """Return what notifications tell of among these events, each given with its number and time."""
    found = []
    for number, at, event in lines:
        match event:
            case PauseProposed(lapses_at=lapses_at):
                found.append(Told(PROPOSED, number, at + (lapses_at - at) / 2))
            case Paused():
                found.append(Told(ON, number))
            case Resumed():
                found.append(Told(OVER, number))
    return found


def standing(table: Table | None, now: datetime) -> Pause | None:
    """The proposal, or the pause, that holds at this moment."""
    pause = None if table is None else table.pause
    return pause if pause is not None and now < pause.ends_at else None


def running_from(table: Table | None, now: datetime) -> datetime:
    """From when the time of what is asked now runs: from the end of the pause, where one is on."""
    pause = standing(table, now)
    return pause.ends_at if pause is not None and pause.on else now


def left(table: Table | None, budget: timedelta) -> timedelta:
    """Return how much of a table's time for pauses there still is."""
    used = timedelta(seconds=0 if table is None else table.paused)
    return max(budget - used, timedelta())


def electors(rules: AnyRules, state: Any, seats: Mapping[SeatNumber, Seat]) -> frozenset[SeatNumber]:
    """The people without whose yes there is no pause: those alive who answer for themselves."""
    alive = people(rules, state, seats)
    return frozenset(seat for seat in alive if not seats[seat].by_bot and seats[seat].stand_in_id is None)


def people(rules: AnyRules, state: Any, seats: Mapping[SeatNumber, Seat]) -> frozenset[SeatNumber]:
    """The people who have a say: those who may still give up."""
    if state is None or rules.outcome(state) is not None:
        return frozenset()
    return frozenset(seat for seat, seat_row in seats.items() if _is_there(seat_row) and _is_alive(rules, state, seat))


def _is_there(seat: Seat) -> bool:
    return not seat.bot and seat.account is not None and seat.account.is_active


def _is_alive(rules: AnyRules, state: Any, seat: SeatNumber) -> bool:
    try:
        rules.resign(state, seat, SeededChance(bytes(SEED_BYTES)))
    except RuleViolation:
        return False
    return True


def outcome(
    pause: Pause, electors: Callable[[], frozenset[SeatNumber]], now: datetime
) -> tuple[Paused | Resumed, timedelta] | None:
    """Return what follows from who has agreed, or from a pause's end, and by how much deadlines move; None: nothing
    yet.
    """
    if now >= pause.ends_at:
        return (Resumed(seconds=pause.seconds), timedelta()) if pause.on else None
    asked = electors()
    if not asked or asked - set(pause.agreed):
        return None
    if not pause.on:
        return Paused(seconds=pause.seconds, until=now + pause.length), pause.length
    rest = pause.ends_at - now
    return Resumed(seconds=int((pause.length - rest).total_seconds())), -rest
