"""Deadlines are never earlier than promised, never in a player's sleep, and never on a day off."""

from collections.abc import Iterator
from datetime import UTC, date, datetime, time, timedelta
from functools import cache
from zoneinfo import ZoneInfo, available_timezones

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from games.deadlines import calculation
from games.deadlines.calculation import Calendar, due_moment, first_step
from games.terms import WEEKDAYS, Schedule, TimeBank
from tests.long import LONG, SCALE

HOUR, DAY = timedelta(hours=1), timedelta(days=1)
MONDAY = datetime(2026, 11, 2, 9, 30, tzinfo=UTC)
"""In Tehran it is 13:00."""
FIRST, LAST = datetime(2025, 1, 1, tzinfo=UTC), datetime(2038, 1, 1, tzinfo=UTC)
PLACES = ("UTC", "Asia/Tehran", "Europe/Berlin", "America/Havana", "Pacific/Chatham", "Africa/Cairo", "Asia/Beirut")
TEHRAN = "Asia/Tehran"


def calculated_due(
    asked_at: datetime, length: timedelta, schedule: Schedule | None = None, calendar: Calendar | None = None
) -> calculation.Due:
    return due_moment(asked_at, first_step("reaction", asked_at, length), schedule or Schedule(), calendar)


def local(at: datetime, zone: str) -> datetime:
    return at.astimezone(ZoneInfo(zone))


def is_asleep(at: datetime, schedule: Schedule, calendar: Calendar) -> bool:
    """Return whether a player sleeps, computed from the local time and independently of the tested code."""
    if calendar.sleep is None or not schedule.sleep:
        return False
    falls, wakes = calculation.counted_sleep(calendar.sleep, schedule.sleep)
    wall = local(at, calendar.zone).time()
    return falls <= wall < wakes if falls < wakes else wall >= falls or wall < wakes


def is_off(at: datetime, schedule: Schedule) -> bool:
    day = local(at, schedule.zone).date()
    return WEEKDAYS[day.weekday()] in schedule.days_off or day in schedule.dates_off


# Examples.


def test_without_terms_and_calendar_an_answer_is_due_after_its_length() -> None:
    assert calculated_due(MONDAY, DAY) == calculation.Due(MONDAY + DAY, (first_step("reaction", MONDAY, DAY),))


def test_a_deadline_in_the_night_waits_until_its_player_wakes() -> None:
    asleep = Calendar(TEHRAN, (time(23), time(8)))
    moved = calculated_due(MONDAY, 12 * HOUR, calendar=asleep)
    assert local(moved.at, TEHRAN) == datetime(2026, 11, 3, 8, tzinfo=ZoneInfo(TEHRAN))
    assert [reason.code for reason in moved.reasons] == ["reaction", "sleep"]
    assert calculated_due(MONDAY, 12 * HOUR).at == moved.reasons[0].until


def test_a_table_lets_no_more_sleep_count_than_it_allows_the_last_hours_of_it() -> None:
    asleep = Calendar("UTC", (time(22), time(8)))
    at = datetime(2026, 11, 2, 23, tzinfo=UTC)
    assert calculated_due(at, HOUR, Schedule(sleep=10), asleep).at == at + 9 * HOUR
    assert calculated_due(at, HOUR, Schedule(sleep=6), asleep).at == at + HOUR
    assert calculated_due(at + 2 * HOUR, HOUR, Schedule(sleep=6), asleep).at == at + 9 * HOUR
    assert calculated_due(at + 2 * HOUR, HOUR, Schedule(sleep=0), asleep).at == at + 3 * HOUR


def test_no_time_passes_on_a_day_off() -> None:
    free = Schedule(zone=TEHRAN, days_off=("thursday", "friday"))
    moved = calculated_due(MONDAY, 4 * DAY, free)
    assert moved.at == MONDAY + 6 * DAY
    assert [reason.code for reason in moved.reasons] == ["reaction", "days-off"]


def test_time_that_would_be_over_when_a_day_off_begins_is_over_when_it_ends() -> None:
    free = Schedule(dates_off=(date(2026, 11, 4),))
    assert calculated_due(datetime(2026, 11, 3, tzinfo=UTC), DAY, free).at == datetime(2026, 11, 5, tzinfo=UTC)


def test_a_vacation_stops_the_clock_of_its_player() -> None:
    away = Calendar(TEHRAN, vacations=((date(2026, 11, 3), date(2026, 11, 5)),))
    moved = calculated_due(MONDAY, DAY, calendar=away)
    assert moved.at == MONDAY + 4 * DAY
    assert [reason.code for reason in moved.reasons] == ["reaction", "vacation"]


def test_a_table_lets_the_first_days_of_a_year_s_vacation_count() -> None:
    away = Calendar("UTC", vacations=((date(2026, 11, 3), date(2026, 11, 5)), (date(2027, 1, 4), date(2027, 1, 4))))
    assert calculated_due(MONDAY, DAY, Schedule(vacation=1), away).at == MONDAY + 2 * DAY
    assert calculated_due(MONDAY, DAY, Schedule(vacation=0), away).at == MONDAY + DAY
    assert calculated_due(datetime(2027, 1, 3, 12, tzinfo=UTC), DAY, Schedule(vacation=1), away).at.day == 5


def test_at_a_table_with_fixed_hours_time_is_over_at_one_that_leaves_the_whole_length() -> None:
    evening = Schedule(zone=TEHRAN, closes_at=(time(20), time(8)))
    for number, length, day, hour in ((13, 7, 2, 20), (13, 8, 3, 8), (13, 24, 3, 20), (13, 6, 2, 20)):
        moved = calculated_due(MONDAY.replace(hour=number - 4), length * HOUR, evening)
        assert (local(moved.at, TEHRAN).day, local(moved.at, TEHRAN).hour) == (day, hour)
    assert [reason.code for reason in moved.reasons] == ["reaction", "fixed-hour"]


def test_who_sleeps_at_the_fixed_hour_has_until_they_wake() -> None:
    evening = Schedule(zone="Europe/Berlin", closes_at=(time(20),))
    moved = calculated_due(MONDAY, HOUR, evening, Calendar("Asia/Tokyo", (time(23), time(7))))
    assert local(moved.at, "Asia/Tokyo") == datetime(2026, 11, 3, 7, tzinfo=ZoneInfo("Asia/Tokyo"))


def test_where_a_night_ends_in_a_day_off_an_answer_is_due_after_both() -> None:
    free = Schedule(days_off=("tuesday",))
    moved = calculated_due(MONDAY, 14 * HOUR, free, Calendar("UTC", (time(22), time(8))))
    assert moved.at == datetime(2026, 11, 4, 8, tzinfo=UTC)


def test_a_day_that_has_no_midnight_is_off_from_its_first_moment_to_its_last() -> None:
    spring = date(2027, 4, 30)
    free = Schedule(zone="Africa/Cairo", dates_off=(spring,))
    for hour in range(25):
        moved = calculated_due(datetime(2027, 4, 29, 12, tzinfo=UTC), hour * HOUR, free)
        assert local(moved.at, free.zone).date() != spring


def test_what_passed_between_two_moments_leaves_out_the_days_off() -> None:
    days = calculation.days_off(Schedule(days_off=("tuesday", "wednesday")))
    assert calculation.passed(MONDAY, MONDAY + 4 * DAY, [days]) == 2 * DAY
    assert calculation.passed(MONDAY, MONDAY + DAY, [days]) == timedelta(hours=14, minutes=30)
    assert calculation.passed(MONDAY, MONDAY, [days]) == timedelta()


# What holds for all.

hours = st.times().map(lambda at: at.replace(minute=at.minute // 30 * 30, second=0, microsecond=0))
days = st.dates(date(2026, 10, 20), date(2027, 4, 20))
places = st.sampled_from(PLACES)
sleeps = st.tuples(hours, hours).filter(lambda sleep: sleep[0] != sleep[1])
vacations = st.lists(st.tuples(days, st.integers(0, 14)), max_size=2).map(
    lambda match: tuple((first, first + timedelta(days=more)) for first, more in match)
)
calendars = st.builds(Calendar, places, st.none() | sleeps, vacations)
clocks = st.builds(
    Schedule,
    zone=places,
    closes_at=st.lists(hours, max_size=3).map(tuple),
    days_off=st.lists(st.sampled_from(WEEKDAYS), max_size=4, unique=True).map(tuple),
    dates_off=st.lists(days, max_size=3).map(tuple),
    sleep=st.integers(0, 12),
    vacation=st.integers(0, 30),
)
moments = st.datetimes(datetime(2026, 10, 20), datetime(2027, 4, 20), timezones=st.just(UTC))  # noqa: DTZ001
lengths = st.integers(1, 5 * 24 * 60).map(lambda minutes: timedelta(minutes=minutes))
EXAMPLES = settings(max_examples=120 * SCALE)


@EXAMPLES
@given(moments, lengths, clocks, calendars)
def test_no_answer_is_due_early_or_in_sleep_or_on_a_day_off(
    at: datetime, length: timedelta, schedule: Schedule, calendar: Calendar
) -> None:
    moved = calculated_due(at, length, schedule, calendar)
    assert moved.at >= at + length
    assert moved.at == moved.reasons[-1].until
    assert not is_asleep(moved.at, schedule, calendar)
    assert not is_off(moved.at, schedule)
    assert calculation.settled(moved.at, schedule, calendar) == moved.at


@EXAMPLES
@given(moments, lengths, clocks, calendars, st.timedeltas(timedelta(), timedelta(days=3)))
def test_who_is_asked_later_or_has_longer_is_never_due_earlier(
    at: datetime, length: timedelta, schedule: Schedule, calendar: Calendar, more: timedelta
) -> None:
    moved = calculated_due(at, length, schedule, calendar).at
    assert calculated_due(at + more, length, schedule, calendar).at >= moved
    assert calculated_due(at, length + more, schedule, calendar).at >= moved


@EXAMPLES
@given(moments, lengths, clocks, calendars)
def test_what_is_used_up_by_the_deadline_is_the_whole_length(
    at: datetime, length: timedelta, schedule: Schedule, calendar: Calendar
) -> None:
    stops = (calculation.days_off(schedule), calculation.vacation(schedule, calendar))
    assert calculation.passed(at, calculation.over(at, length, stops), stops) == length


# Every zone, every change of its clocks.


@cache
def changes() -> dict[tuple[tuple[datetime, timedelta], ...], str]:
    """Return when the clocks of each zone change from 2025 to 2037, with a zone for each such list."""
    return {tuple(_changes(ZoneInfo(name))): name for name in sorted(available_timezones())}


def _changes(zone: ZoneInfo) -> Iterator[tuple[datetime, timedelta]]:
    at, step = FIRST, timedelta(days=9)
    while at < LAST:
        if at.astimezone(zone).utcoffset() != (at + step).astimezone(zone).utcoffset():
            yield from _between(zone, at, at + step)
        at += step


def _between(zone: ZoneInfo, before: datetime, after: datetime) -> Iterator[tuple[datetime, timedelta]]:
    while after - before > timedelta(minutes=1):
        middle = before + (after - before) / 2
        middle -= timedelta(seconds=middle.second, microseconds=middle.microsecond)
        if middle.astimezone(zone).utcoffset() == before.astimezone(zone).utcoffset():
            before = middle
        else:
            after = middle
    offset = after.astimezone(zone).utcoffset()
    assert offset is not None
    yield after, offset


def cases() -> list[tuple[str, datetime]]:
    return [(zone, at) for changes_of_zone, zone in changes().items() for at, _ in changes_of_zone]


def test_there_are_zones_whose_clocks_change() -> None:
    assert len(changes()) > 30
    assert len(cases()) > 700
    assert datetime(2027, 3, 28, 1, tzinfo=UTC) in {at for zone, at in cases() if zone.startswith("Europe/")}


@pytest.mark.sampled(1)
@pytest.mark.long
@pytest.mark.parametrize("part", range(4))
def test_no_change_of_clocks_makes_a_time_shorter_than_promised(part: int) -> None:
    """All of them in ``make long``, a twentieth of them else."""
    some_cases = cases()[part :: 4 if LONG else 80]
    assert some_cases
    for zone, change in some_cases:
        midnight = local(change, zone).date()
        terms = (
            (Schedule(), None),
            (Schedule(zone=zone, closes_at=(time(2, 30), time(20))), None),
            (Schedule(zone=zone, dates_off=(midnight,)), None),
            (Schedule(), Calendar(zone, (time(23, 30), time(2, 30)))),
            (Schedule(), Calendar(zone, (time(1, 30), time(8)))),
            (Schedule(), Calendar(zone, vacations=((midnight, midnight + DAY),))),
        )
        for schedule, calendar in terms:
            for moment in (change - DAY, change - 150 * timedelta(minutes=1), change - timedelta(minutes=1), change):
                for length in (timedelta(minutes=1), HOUR, DAY, 2 * DAY):
                    moved = calculated_due(moment, length, schedule, calendar)
                    assert moved.at - moment >= length, (zone, change, moment, schedule, calendar)
                    assert calendar is None or not is_asleep(moved.at, schedule, calendar), (
                        zone,
                        change,
                        moment,
                        length,
                    )
                    assert not is_off(moved.at, schedule), (zone, change, moment, length)
                    assert moved.at - moment <= length + 4 * DAY


def test_a_bank_s_time_is_a_length_like_any_other() -> None:
    time_bank = TimeBank(3 * DAY, HOUR)
    schedule = Schedule(time_bank=time_bank, days_off=("tuesday",))
    moved = due_moment(MONDAY, first_step("time-bank", MONDAY, time_bank.time), schedule, None)
    assert moved.at == MONDAY + 4 * DAY
    assert moved.reasons[0] == calculation.Reason("time-bank", MONDAY + 3 * DAY, 3 * DAY)
