"""Pauses by agreement: the players who must agree, and the consequences of their votes.

A pause requires the agreement of all living players; silence is not agreement. Bots have no vote. A player may
vote while a bot or a stand-in answers for them, but the pause does not wait for their vote.
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
class PauseEvent:
    """An event about a pause that players are notified of."""

    reason: str
    number: int
    """The number of the event."""
    latest: datetime | None = None
    """The latest time of the notification, which leaves half of the time to agree."""


def events_to_notify(lines: Iterable[tuple[int, datetime, Event]]) -> list[PauseEvent]:
    """Return the events about pauses, from events with their number and time."""
    events = []
    for number, at, event in lines:
        match event:
            case PauseProposed(lapses_at=lapses_at):
                events.append(PauseEvent(PROPOSED, number, at + (lapses_at - at) / 2))
            case Paused():
                events.append(PauseEvent(ON, number))
            case Resumed():
                events.append(PauseEvent(OVER, number))
    return events


def standing(table: Table | None, now: datetime) -> Pause | None:
    """Return the open proposal or the present pause, or None."""
    pause = None if table is None else table.pause
    return pause if pause is not None and now < pause.ends_at else None


def running_from(table: Table | None, now: datetime) -> datetime:
    """Return the start of the time for open questions: now, or the end of the present pause."""
    pause = standing(table, now)
    return pause.ends_at if pause is not None and pause.on else now


def left(table: Table | None, budget: timedelta) -> timedelta:
    """Return the time for pauses that the game has left."""
    used = timedelta(seconds=0 if table is None else table.paused)
    return max(budget - used, timedelta())


def electors(rules: AnyRules, state: Any, seats: Mapping[SeatNumber, Seat]) -> frozenset[SeatNumber]:
    """Return the seats that must agree to a pause: living players who answer for themselves."""
    alive = people(rules, state, seats)
    return frozenset(seat for seat in alive if not seats[seat].by_bot and seats[seat].stand_in_id is None)


def people(rules: AnyRules, state: Any, seats: Mapping[SeatNumber, Seat]) -> frozenset[SeatNumber]:
    """Return the seats of people who may vote: those who could still resign."""
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
    """Return the consequence of the votes or of the end of a pause, with the shift of deadlines, or None if there is
    none yet.
    """
    if now >= pause.ends_at:
        return (Resumed(seconds=pause.seconds), timedelta()) if pause.on else None
    voters = electors()
    if not voters or voters - set(pause.agreed):
        return None
    if not pause.on:
        return Paused(seconds=pause.seconds, until=now + pause.length), pause.length
    rest = pause.ends_at - now
    return Resumed(seconds=int((pause.length - rest).total_seconds())), -rest
