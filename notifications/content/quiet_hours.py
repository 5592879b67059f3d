"""Quiet hours and digests: when a notification that was ordered at some moment may go out. Pure."""

from dataclasses import dataclass
from datetime import date, datetime, time, timedelta
from typing import Final
from zoneinfo import ZoneInfo

AT_ONCE: Final = "at-once"
HOURS: Final = "hours"
DAILY: Final = "daily"


@dataclass(frozen=True)
class Wishes:
    """The times at which somebody wants email."""

    zone: ZoneInfo
    digest: str = AT_ONCE
    every: int = 6
    """With ``hours``: at most one mail in so many hours."""
    at: int = 8
    """With ``daily``: the local hour."""
    quiet_from: time | None = None
    quiet_to: time | None = None
    last: datetime | None = None
    """The time at which the last such email went out."""

    @property
    def may_hold(self) -> bool:
        """True where notifications may ever have to wait."""
        return self.digest != AT_ONCE or self.quiet_from is not None


def release(wishes: Wishes, now: datetime, ordered: datetime, latest: datetime | None) -> datetime:
    """Return when a notification ordered then goes out, seen from ``now``: never later than at its last
    moment, ``latest``.
    """
    wanted = max(now, after_quiet(wishes, _by_digest(wishes, now, ordered)))
    return wanted if latest is None else max(now, min(wanted, latest))


def _by_digest(wishes: Wishes, now: datetime, ordered: datetime) -> datetime:
    match wishes.digest:
        case "hours" if wishes.last is not None:
            return max(now, wishes.last + timedelta(hours=wishes.every))
        case "daily":
            return max(now, _next(wishes.zone, time(wishes.at), ordered))
    return now


def after_quiet(wishes: Wishes, at: datetime) -> datetime:
    """Return ``at``, or where it falls into the quiet hours their end."""
    if wishes.quiet_from is None or wishes.quiet_to is None or wishes.quiet_from == wishes.quiet_to:
        return at
    local = at.astimezone(wishes.zone).time()
    if wishes.quiet_from < wishes.quiet_to:
        quiet = wishes.quiet_from <= local < wishes.quiet_to
    else:
        quiet = local >= wishes.quiet_from or local < wishes.quiet_to
    return _next(wishes.zone, wishes.quiet_to, at) if quiet else at


def _next(zone: ZoneInfo, hour: time, after: datetime) -> datetime:
    """The first moment from ``after`` on at which the clocks of ``zone`` show ``hour``."""
    today: date = after.astimezone(zone).date()
    for day in range(3):
        at = datetime.combine(today + timedelta(days=day), hour, tzinfo=zone).astimezone(after.tzinfo)
        if at >= after:
            return at
    return after
