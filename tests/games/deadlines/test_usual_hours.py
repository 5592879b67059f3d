"""Reminders shortly before a player's usual hours."""

from datetime import UTC, datetime, time, timedelta
from zoneinfo import ZoneInfo

import pytest

from games.deadlines.reminder_schedule import UsualHours, next_step
from notifications.kinds import Wishes

NOON = datetime(2026, 3, 2, 12, tzinfo=UTC)
HOUR = timedelta(hours=1)
TEHRAN = ZoneInfo("Asia/Tehran")
"""NOON is 15:30 there."""


def reminders(steps: list[str], length: timedelta, *hours: int, **wishes: time) -> list[float]:
    """Return the times of reminders, in hours after noon, for a player who usually answers at these hours."""
    usual, at, times = UsualHours(hours, Wishes(TEHRAN, **wishes)), NOON, list[datetime]()  # type: ignore[arg-type]
    while (following := next_step(steps, NOON, NOON + length, at, usual)) is not None:
        at, _ = following
        times.append(at)
    return [(time - NOON) / HOUR for time in times]


def test_reminders_come_half_an_hour_before_the_nearest_usual_hour() -> None:
    assert reminders(["50%"], 48 * HOUR, 20) == [28]
    assert reminders(["50%"], 48 * HOUR, 8, 20) == [28]
    assert reminders(["50%"], 48 * HOUR, 8, 14) == [22]


def test_two_reminders_that_come_to_the_same_moment_are_one() -> None:
    assert reminders(["50%", "55%"], 48 * HOUR, 20) == [28]


def test_a_reminder_moves_by_half_of_the_shorter_time_to_either_side_at_most() -> None:
    assert reminders(["50%"], 8 * HOUR, 18) == [2]
    assert reminders(["50%"], 8 * HOUR, 16) == [4]
    assert reminders(["90%"], 48 * HOUR, 16) == [43.2]
    assert reminders(["90%"], 48 * HOUR, 12) == [44]
    assert reminders(["10%"], 48 * HOUR, 20) == [4]
    assert reminders(["10%"], 48 * HOUR, 0) == [4.8]


def test_a_late_reminder_does_not_become_one_with_that_of_half_the_time() -> None:
    assert reminders(["50%", "80%"], 48 * HOUR, 20) == [28, 38.4]


def test_after_a_pause_no_reminder_that_was_sent_comes_again() -> None:
    usual = UsualHours([2, 10], Wishes(TEHRAN))
    reminder = next_step(["50%", "80%"], NOON, NOON + 24 * HOUR, NOON, usual)
    assert reminder == (NOON + 10 * HOUR, "50%")
    paused = 6 * HOUR
    after = reminder[0] + paused
    assert next_step(["50%", "80%"], NOON, NOON + 24 * HOUR + paused, after, usual) == (NOON + 24 * HOUR, "80%")


def test_a_reminder_before_the_end_stays_where_its_reader_wants_it() -> None:
    assert reminders(["PT1H"], 48 * HOUR, 10) == [47]
    assert reminders(["80%", "PT1H"], 48 * HOUR, 10) == [42, 47]


@pytest.mark.parametrize(("quiet_to", "at"), [(time(7), 16), (time(7, 45), 16.25), (time(10), 24)])
def test_no_reminder_moves_into_quiet_hours(quiet_to: time, at: float) -> None:
    assert reminders(["50%"], 48 * HOUR, 8, quiet_from=time(22), quiet_to=quiet_to) == [at]
