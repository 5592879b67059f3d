"""Tests of when a notification may go out: quiet hours, digests, and the last moment at which one can still answer."""

from datetime import UTC, datetime, time, timedelta
from zoneinfo import ZoneInfo

from notifications.kinds import DAILY, HOURS, Wishes, release

TEHRAN, BERLIN = ZoneInfo("Asia/Tehran"), ZoneInfo("Europe/Berlin")
NOON = datetime(2026, 3, 22, 12, tzinfo=UTC)
HOUR = timedelta(hours=1)
NIGHT = Wishes(zone=TEHRAN, quiet_from=time(22), quiet_to=time(7))


def local(hour: int, minute: int = 0, zone: ZoneInfo = TEHRAN, day: int = 22, month: int = 3) -> datetime:
    return datetime(2026, month, day, hour, minute, tzinfo=zone).astimezone(UTC)


def test_without_wishes_everything_goes_out_at_once() -> None:
    assert release(Wishes(zone=TEHRAN), NOON, NOON, None) == NOON
    assert not Wishes(zone=TEHRAN).may_hold


def test_quiet_hours_go_over_midnight_by_the_readers_clock() -> None:
    assert release(NIGHT, local(21, 59), NOON, None) == local(21, 59)
    assert release(NIGHT, local(22), NOON, None) == local(7, day=23)
    assert release(NIGHT, local(3), NOON, None) == local(7)
    assert release(NIGHT, local(7), NOON, None) == local(7)


def test_quiet_hours_may_lie_within_a_day() -> None:
    siesta = Wishes(zone=TEHRAN, quiet_from=time(13), quiet_to=time(15))
    assert release(siesta, local(14), NOON, None) == local(15)
    assert release(siesta, local(15), NOON, None) == local(15)
    assert release(siesta, local(3), NOON, None) == local(3)


def test_nothing_waits_longer_than_to_its_last_moment() -> None:
    assert release(NIGHT, local(23), NOON, local(4, day=23)) == local(4, day=23)
    assert release(NIGHT, local(23), NOON, local(20)) == local(23)
    daily = Wishes(zone=TEHRAN, digest=DAILY, at=8)
    assert release(daily, local(9), local(9), local(12)) == local(12)


def test_every_so_many_hours_counts_from_the_last_mail() -> None:
    wishes = Wishes(zone=TEHRAN, digest=HOURS, hours_apart=6)
    assert release(wishes, NOON, NOON, None) == NOON
    lately = Wishes(zone=TEHRAN, digest=HOURS, hours_apart=6, last=NOON - HOUR)
    assert release(lately, NOON, NOON, None) == NOON + 5 * HOUR
    long_ago = Wishes(zone=TEHRAN, digest=HOURS, hours_apart=6, last=NOON - 7 * HOUR)
    assert release(long_ago, NOON, NOON, None) == NOON


def test_once_a_day_is_the_next_such_hour_after_the_order() -> None:
    daily = Wishes(zone=TEHRAN, digest=DAILY, at=8)
    assert release(daily, local(7), local(7), None) == local(8)
    assert release(daily, local(9), local(9), None) == local(8, day=23)
    assert release(daily, local(8, 1), local(7), None) == local(8, 1)


def test_once_a_day_stays_at_its_hour_when_the_clocks_change() -> None:
    daily = Wishes(zone=BERLIN, digest=DAILY, at=8)
    before = local(9, zone=BERLIN, day=28)
    assert release(daily, before, before, None) == local(8, zone=BERLIN, day=29)
    assert local(8, zone=BERLIN, day=29) - local(8, zone=BERLIN, day=28) == 23 * HOUR


def test_a_daily_mail_within_quiet_hours_waits_for_their_end() -> None:
    wishes = Wishes(zone=TEHRAN, digest=DAILY, at=6, quiet_from=time(22), quiet_to=time(7))
    assert release(wishes, local(5), local(5), None) == local(7)
