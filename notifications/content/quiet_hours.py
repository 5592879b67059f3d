"""Quiet hours and digests: pure functions that compute when a notification may be sent."""

from dataclasses import dataclass
from datetime import date, datetime, time, timedelta
from typing import Final
from zoneinfo import ZoneInfo

AT_ONCE: Final = "at-once"
HOURS: Final = "hours"
DAILY: Final = "daily"


@dataclass(frozen=True)
class Wishes:
    """The times at which an account wants email."""

    zone: ZoneInfo
    digest: str = AT_ONCE
    hours_apart: int = 6
    """With ``hours``: the least number of hours between two emails."""
    at: int = 8
    """With ``daily``: the local hour."""
    quiet_from: time | None = None
    quiet_to: time | None = None
    last: datetime | None = None
    """The time of the last such email."""

    @property
    def may_hold(self) -> bool:
        """True if notifications may ever have to wait."""
        return self.digest != AT_ONCE or self.quiet_from is not None


def release(wishes: Wishes, now: datetime, ordered: datetime, latest: datetime | None) -> datetime:
    """Return the time at which a notification is sent that was ordered at ``ordered``.

    It is at least ``now``, and at most ``latest`` if that is later than ``now``.
    """
    preferred = max(now, after_quiet(wishes, _by_digest(wishes, now, ordered)))
    return preferred if latest is None else max(now, min(preferred, latest))


def _by_digest(wishes: Wishes, now: datetime, ordered: datetime) -> datetime:
    match wishes.digest:
        case "hours" if wishes.last is not None:
            return max(now, wishes.last + timedelta(hours=wishes.hours_apart))
        case "daily":
            return max(now, _next(wishes.zone, time(wishes.at), ordered))
    return now


def after_quiet(wishes: Wishes, moment: datetime) -> datetime:
    """Return a moment, or the end of the quiet hours if the moment is within them."""
    if wishes.quiet_from is None or wishes.quiet_to is None or wishes.quiet_from == wishes.quiet_to:
        return moment
    local = moment.astimezone(wishes.zone).time()
    if wishes.quiet_from < wishes.quiet_to:
        is_quiet = wishes.quiet_from <= local < wishes.quiet_to
    else:
        is_quiet = local >= wishes.quiet_from or local < wishes.quiet_to
    return _next(wishes.zone, wishes.quiet_to, moment) if is_quiet else moment


def _next(zone: ZoneInfo, hour: time, after: datetime) -> datetime:
    """Return the first moment from ``after`` on at which the clocks of a time zone show this hour."""
    today: date = after.astimezone(zone).date()
    for day in range(3):
        moment = datetime.combine(today + timedelta(days=day), hour, tzinfo=zone).astimezone(after.tzinfo)
        if moment >= after:
            return moment
    return after
