"""Deadlines of questions and the reasons for them, and their calculation for stored questions.

A deadline follows from the terms of the game, the calendar of the player and the time of the question. It never depends
on a hand, or on the time of an answer in a reaction. Time is counted in UTC, so daylight saving time never shortens a
promised time. Time zones are used only for days and hours at a place. If an hour at a place is ambiguous or does not
exist, the reading with the later deadline is used.
"""

import math
from collections.abc import Iterable, Iterator, Sequence
from datetime import UTC, date, datetime, time, timedelta
from itertools import count
from typing import Any, Final, Literal
from uuid import UUID
from zoneinfo import ZoneInfo

import msgspec
from django.db.models import Q

from accounts.models import Account
from games.engine import AnyRules, SeatNumber
from games.engine.types import Pace
from games.event_log import log_store
from games.models import Game, OpenQuestion, Seat
from games.rules.registry import find_rules
from games.terms import LONGEST, WEEKDAYS, GameTerms, Schedule, TimeBank

Why = Literal["turn", "reaction", "choice", "time-bank", "days-off", "vacation", "fixed-hour", "sleep", "moved"]
_DAY: Final = timedelta(days=1)


class Calendar(msgspec.Struct, frozen=True):
    """The times at which a player is not to be waited for, by the clocks where they live."""

    zone: str
    sleep: tuple[time, time] | None = None
    """The beginning and the end of the sleep hours."""
    vacations: tuple[tuple[date, date], ...] = ()
    """The first and the last day of each vacation."""


class Reason(msgspec.Struct, frozen=True, omit_defaults=True):
    """A step that leads to a deadline."""

    code: Why
    until: datetime
    """The time at which the question would be over by this step and the ones before it."""
    length: timedelta | None = None
    """For the first step: the length of the time limit."""


class Due(msgspec.Struct, frozen=True):
    """A deadline, and the steps that led to it."""

    at: datetime
    reasons: tuple[Reason, ...]


class Days(msgspec.Struct, frozen=True):
    """Days of one place on which no time passes."""

    zone: str
    weekdays: frozenset[int] = frozenset()
    dates: frozenset[date] = frozenset()

    def __bool__(self) -> bool:
        return bool(self.weekdays or self.dates)

    def end_at(self, at: datetime) -> datetime | None:
        """Return the end of the day that contains ``at``, or None if it is not one of these days."""
        for day in _days_about(at, self.zone):
            if self._has(day) and _first(day, time(), self.zone) <= at < _last(day + _DAY, time(), self.zone):
                return _last(day + _DAY, time(), self.zone)
        return None

    def next_after(self, at: datetime, until: datetime) -> datetime | None:
        """Return when the next such day begins, if that is after ``at`` and not after ``until``."""
        day = at.astimezone(ZoneInfo(self.zone)).date()
        while (begins := _first(day, time(), self.zone)) <= until:
            if begins > at and self._has(day):
                return begins
            day += _DAY
        return None

    def _has(self, day: date) -> bool:
        return day.weekday() in self.weekdays or day in self.dates


def days_off(schedule: Schedule) -> Days:
    """Return the days off of a game."""
    weekdays = frozenset(WEEKDAYS.index(weekday) for weekday in schedule.days_off)
    return Days(schedule.zone, weekdays, frozenset(schedule.dates_off))


def due_moment(asked_at: datetime, length: Reason, schedule: Schedule, calendar: Calendar | None) -> Due:
    """Return the deadline of a question. ``length`` is its time limit, from ``first_step``.

    The deadline is never before the time limit is over, and never in the player's sleep, on a day off or in a vacation.
    """
    steps = [length]

    def step(code: Why, until: datetime) -> None:
        if until > steps[-1].until:
            steps.append(Reason(code, until))

    allowed = length.length or timedelta()
    off, away = (days_off(schedule),), (days_off(schedule), vacation(schedule, calendar))
    step("days-off", over(asked_at, allowed, off))
    step("vacation", over(asked_at, allowed, away))
    step("fixed-hour", _at_fixed_hour(steps[-1].until, schedule, away))
    step("sleep", _awake(steps[-1].until, schedule, calendar, away))
    return Due(steps[-1].until, tuple(steps))


def first_step(code: Why, asked_at: datetime, length: timedelta) -> Reason:
    """Return the first step of a deadline: the time limit alone."""
    return Reason(code, asked_at.astimezone(UTC) + length, length)


def settled(at: datetime, schedule: Schedule, calendar: Calendar | None) -> datetime:
    """Return the first moment from ``at`` on at which an answer may be due."""
    return _awake(at, schedule, calendar, (days_off(schedule), vacation(schedule, calendar)))


def vacation(schedule: Schedule, calendar: Calendar | None) -> Days:
    """Return the days of a player's vacations that count in this game: in each year, up to a maximum number."""
    if calendar is None or not calendar.vacations or not schedule.vacation:
        return Days("UTC")
    counted: set[date] = set()
    left: dict[int, int] = {}
    for day in sorted({day for first, last in calendar.vacations for day in days_between(first, last)}):
        if left.setdefault(day.year, schedule.vacation):
            left[day.year] -= 1
            counted.add(day)
    return Days(calendar.zone, dates=frozenset(counted))


def days_between(first: date, last: date) -> Iterator[date]:
    """Yield the days from the first to the last, both included."""
    return (first + timedelta(days=number) for number in range((last - first).days + 1))


def over(since: datetime, length: timedelta, stops: Sequence[Days]) -> datetime:
    """Return the time at which this much time has passed, without the days on which none passes. It is not on such a
    day either.
    """
    since = _after(since.astimezone(UTC), stops)
    while (stop := _next(stops, since, since + length)) is not None:
        length -= stop - since
        since = _after(stop, stops)
    return since + length


def passed(since: datetime, until: datetime, stops: Sequence[Days]) -> timedelta:
    """Return how much time passed between the two, not counting days on which none does."""
    since, spent = _after(since.astimezone(UTC), stops), timedelta()
    while since < until:
        stop = _next(stops, since, until) or until
        spent += stop - since
        since = _after(stop, stops) if stop < until else until
    return spent


def _after(at: datetime, stops: Sequence[Days]) -> datetime:
    """``at``, or the end of the days on which no time passes that it falls into."""
    while ends := [end for stop in stops if stop and (end := stop.end_at(at))]:
        at = max(ends)
    return at


def _next(stops: Sequence[Days], at: datetime, until: datetime) -> datetime | None:
    begins = (stop.next_after(at, until) for stop in stops if stop)
    return min((begin for begin in begins if begin), default=None)


def _at_fixed_hour(at: datetime, schedule: Schedule, stops: Sequence[Days]) -> datetime:
    """Return the first fixed hour of the game from ``at`` on that is not on a day without passing time."""
    if not schedule.closes_at:
        return at
    day = at.astimezone(ZoneInfo(schedule.zone)).date() - _DAY
    for later in count():
        for hour in sorted(
            _last(day + timedelta(days=later), time_of_day, schedule.zone) for time_of_day in schedule.closes_at
        ):
            if hour >= at and _after(hour, stops) == hour:
                return hour
    raise AssertionError("the days do not end")


def _awake(at: datetime, schedule: Schedule, calendar: Calendar | None, stops: Sequence[Days]) -> datetime:
    """Return the first moment from ``at`` on at which the player is awake and time passes."""
    at = _after(at, stops)
    while wakes := _wakes(at, schedule, calendar):
        at = _after(wakes, stops)
    return at


def _wakes(at: datetime, schedule: Schedule, calendar: Calendar | None) -> datetime | None:
    """Return the end of a player's present sleep, or None if the player is awake."""
    if calendar is None or calendar.sleep is None or not schedule.sleep:
        return None
    falls, wakes = counted_sleep(calendar.sleep, schedule.sleep)
    for day in _days_about(at, calendar.zone):
        end = _last(day if falls < wakes else day + _DAY, wakes, calendar.zone)
        if _first(day, falls, calendar.zone) <= at < end:
            return end
    return None


def counted_sleep(sleep: tuple[time, time], most: int) -> tuple[time, time]:
    """Return the start and end of a player's counted sleep. If the number of hours is limited, the last ones count."""
    falls, wakes = (timedelta(hours=time_of_day.hour, minutes=time_of_day.minute) for time_of_day in sleep)
    falls = max(falls, (wakes if falls < wakes else wakes + _DAY) - timedelta(hours=most)) % _DAY
    return time(*divmod(falls // timedelta(minutes=1), 60)), sleep[1]


def _days_about(at: datetime, zone: str) -> Iterator[date]:
    """Yield the local day of a moment, and the days before and after: a change of the clocks may make it ambiguous."""
    day = at.astimezone(ZoneInfo(zone)).date()
    return (day + timedelta(days=number) for number in (-1, 0, 1))


def _first(day: date, at: time, zone: str) -> datetime:
    """Return the first moment that a local time of day can mean."""
    return min(_moments(day, at, zone))


def _last(day: date, at: time, zone: str) -> datetime:
    """The last moment that may be meant by it."""
    return max(_moments(day, at, zone))


def _moments(day: date, at: time, zone: str) -> tuple[datetime, datetime]:
    """Return the moments for an hour of a day at a place. There are two if its clocks repeat or skip that hour."""
    local = datetime.combine(day, at, tzinfo=ZoneInfo(zone))
    return local.astimezone(UTC), local.replace(fold=1).astimezone(UTC)


_USUAL: Final = Schedule()
_WINDOW: Final[Pace] = "reaction"


def calendar_of(account: Account | None) -> Calendar | None:
    """Return the calendar of an account, or None without one and for a bot."""
    if account is None or not (account.sleep_from or account.vacations):
        return None
    away = (
        (date.fromisoformat(vacation["first"]), date.fromisoformat(vacation["last"])) for vacation in account.vacations
    )
    sleep = (account.sleep_from, account.sleep_to) if account.sleep_from and account.sleep_to else None
    return Calendar(account.time_zone, sleep, tuple(away))


def pace_of(rules: AnyRules, kind: str) -> Pace:
    """Return the pace of a kind of question: turn, reaction or choice."""
    return rules.paces.get(kind, _WINDOW)


def set_due(row: OpenQuestion, game: Game, seat: Seat, pace: Pace, since: datetime) -> None:
    """Set the deadline of a question whose time runs from ``since`` on, and note why."""
    schedule, calendar = game.terms.schedule, _calendar(seat)
    time_bank = schedule.time_bank if pace != _WINDOW else None
    length = game_length(game, pace, row.aimed) if time_bank is None else _left(seat, time_bank)
    if schedule != _USUAL or calendar:
        first = first_step(pace if time_bank is None else "time-bank", since, length)
        due = due_moment(since, first, schedule, calendar)
        row.due_at = due.at
        row.why = msgspec.to_builtins(due.reasons) if time_bank or len(due.reasons) > 1 else []
    else:
        row.due_at, row.why = since + length, []


def game_length(game: Game, pace: Pace, aimed: bool) -> timedelta:
    """Return the time limit of a game for questions of this pace, without a time bank."""
    terms: GameTerms = game.terms
    reaction = terms.reaction_limit if aimed else terms.open_limit
    return {"turn": terms.turn_limit, "reaction": reaction, "choice": terms.choice_limit}[pace]


def why(row: OpenQuestion, game: Game, pace: Pace) -> tuple[Reason, ...]:
    """Return the reasons of a deadline. The last one is the present deadline."""
    reasons = msgspec.convert(row.why, tuple[Reason, ...])
    reasons = reasons or (first_step(pace, row.asked_at, game_length(game, pace, row.aimed)),)
    moved = (Reason("moved", row.due_at),) if row.due_at != reasons[-1].until else ()
    return (*reasons, *moved)


def postpone(row: OpenQuestion, game: Game, seat: Seat, by: timedelta) -> None:
    """Move a deadline with its reminder and planned answer, and further to the end of its player's sleep."""
    before, row.due_at = row.due_at, settled(row.due_at + by, game.terms.schedule, _calendar(seat))
    row.remind_at = row.remind_at and row.remind_at + (row.due_at - before)
    row.planned_at = row.planned_at and row.planned_at + (row.due_at - before)


def settle(games: Sequence[Game]) -> None:
    """Move deadlines that were moved together out of sleep and days off. The games are locked."""
    scheduled = ~Q(game__terms__schedule=msgspec.to_builtins(_USUAL))
    minded = Q(account__sleep_from__isnull=False) | ~Q(account__vacations=[]) | scheduled
    seats = Seat.objects.filter(minded, game__in=games, bot=False).select_related("account", "game")
    by_game: dict[Game, dict[int, Seat]] = {}
    for seat in seats:
        by_game.setdefault(seat.game, {})[seat.number] = seat
    questions: dict[UUID, list[OpenQuestion]] = {}
    for row in OpenQuestion.objects.filter(game__in=list(by_game), bot=False):
        questions.setdefault(row.game_id, []).append(row)
    moved = []
    for game, seated in by_game.items():
        rows = questions.get(game.pk, ())
        for row in rows:
            of_row, before = seated.get(row.seat), row.due_at
            if of_row is not None:
                postpone(row, game, of_row, timedelta())
                moved += [row] if row.due_at != before else []
        public_deadline = latest(rows, [public_window_deadline(game, rows, seated.values())])
        if public_deadline and game.due_at and public_deadline > game.due_at:
            Game.objects.filter(pk=game.pk).update(due_at=public_deadline)
    OpenQuestion.objects.bulk_update(moved, ["due_at", "remind_at", "planned_at"])


def public_window_deadline(game: Game, rows: Iterable[OpenQuestion], seats: Iterable[Seat]) -> datetime | None:
    """Return the latest deadline of an open reaction that was moved, as the other players see it, or None.

    It is computed as if no player had answered yet. Otherwise a deadline that moves in an open reaction, by a pause, an
    outage or a vacation, would reveal the players who have answered.
    """
    rules, at = find_rules(game.rules, game.rules_version), game.due_at
    if rules is None or at is None or all(pace_of(rules, row.kind) != _WINDOW for row in rows):
        return None
    return max((settled(at, game.terms.schedule, _calendar(seat)) for seat in seats), default=at)


def reconsider(row: OpenQuestion, game: Game, seat: Seat, pace: Pace) -> bool:
    """Compute the deadline of a question again by its player's calendar. Set it and return True if it is later."""
    due, at = _due_by_now(row, game, seat, pace)
    if at <= row.due_at:
        return False
    row.due_at, row.why = at, msgspec.to_builtins(due.reasons)
    return True


def deadline_without_answer(rows: Iterable[OpenQuestion], game: Game, seat: Seat) -> datetime | None:
    """Return the deadline that a player who has answered in the open reaction would have now without their answer.

    The other players see this deadline, so that they do not learn of the answer. Return None for a player who has not
    answered.
    """
    people = [row for row in rows if not row.bot]
    if not people or seat.by_bot or SeatNumber(seat.number) not in log_store.answered(log_store.read(game)):
        return None
    return min(_due_by_now(row, game, seat, _WINDOW)[1] for row in people)


def _due_by_now(row: OpenQuestion, game: Game, seat: Seat, pace: Pace) -> tuple[Due, datetime]:
    """Return the deadline of a row for the present player of its seat, including later shifts."""
    schedule, calendar = game.terms.schedule, _calendar(seat)
    first = why(row, game, pace)[0]
    computed = msgspec.convert(row.why, tuple[Reason, ...])[-1:] or (first,)
    due = due_moment(first.until - (first.length or timedelta()), first, schedule, calendar)
    return due, settled(due.at + max(row.due_at - computed[0].until, timedelta()), schedule, calendar)


def charge(row: OpenQuestion, game: Game, seat: Seat, answered_at: datetime) -> timedelta | None:
    """Subtract the time of a closed question from the seat's time bank, add the increment, and return the new value.

    None without a time bank. ``answered_at`` is the end of a present pause, because the deadline was moved to it. The
    row of the seat is stored together with the events (``games.play.locked_game``).
    """
    if not row.why or row.why[0]["code"] != "time-bank" or row.bot:
        return None
    schedule, calendar = game.terms.schedule, _calendar(seat)
    first, *_, last = msgspec.convert([*row.why, row.why[-1]], tuple[Reason, ...])
    stops = (days_off(schedule), vacation(schedule, calendar))
    spent = passed(first.until - (first.length or timedelta()), answered_at, stops)
    spent -= max(row.due_at - last.until, timedelta())
    if schedule.time_bank is not None:
        rest = max(_left(seat, schedule.time_bank) - max(spent, timedelta()), timedelta())
        seat.time_bank = min(_whole_seconds(rest) + schedule.time_bank.increment, LONGEST)
    return seat.time_bank


def _whole_seconds(length: timedelta) -> timedelta:
    """Round a length up to whole seconds, because the log has no fractions."""
    return timedelta(seconds=math.ceil(length.total_seconds()))


def time_bank_of(game: Game, seat: Seat) -> timedelta | None:
    """Return a player's time bank while they have no question, or None without one."""
    time_bank = game.terms.schedule.time_bank
    return None if time_bank is None or seat.bot else _left(seat, time_bank)


def latest(rows: Iterable[OpenQuestion], before: Iterable[datetime | None] = ()) -> datetime | None:
    """Return the latest deadline of all people who are asked, and of the deadlines in ``before``."""
    people = [row.due_at for row in rows if not row.bot]
    return max([*people, *(deadline for deadline in before if deadline)], default=None)


def _left(seat: Seat, time_bank: TimeBank) -> timedelta:
    return time_bank.time if seat.time_bank is None else seat.time_bank


def _calendar(seat: Seat) -> Any:
    return None if seat.by_bot else calendar_of(seat.account)
