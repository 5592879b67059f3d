"""Computing deadlines and their reasons from the game's terms, the player's calendar and the time of the question.
Pure.

Time is counted in UTC, so daylight saving time never shortens a promised time. Time zones are used only for days and
hours at a place. If an hour at a place is ambiguous or does not exist, the reading with the later deadline is used.
"""

from collections.abc import Iterator, Sequence
from datetime import UTC, date, datetime, time, timedelta
from itertools import count
from typing import Final, Literal
from zoneinfo import ZoneInfo

import msgspec

from games.terms import WEEKDAYS, Schedule

Why = Literal["turn", "reaction", "choice", "time-bank", "days-off", "vacation", "fixed-hour", "sleep", "moved"]
_DAY: Final = timedelta(days=1)


class Calendar(msgspec.Struct, frozen=True):
    """The times at which a player is not to be waited for, by the clocks where they live."""

    zone: str
    sleep: tuple[time, time] | None = None
    """From when to when."""
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


def due(asked_at: datetime, length: Reason, schedule: Schedule, calendar: Calendar | None) -> Due:
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
    """Return how long there is, before anything else is looked at."""
    return Reason(code, asked_at.astimezone(UTC) + length, length)


def settled(at: datetime, schedule: Schedule, calendar: Calendar | None) -> datetime:
    """The first moment from ``at`` on at which an answer may be due."""
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
