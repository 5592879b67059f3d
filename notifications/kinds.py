"""The kinds of notifications for which accounts choose channels, and the hours at which they may be sent."""

from dataclasses import dataclass
from datetime import date, datetime, time, timedelta
from enum import StrEnum
from typing import Final
from zoneinfo import ZoneInfo

from django.utils.functional import Promise
from django.utils.translation import gettext_lazy


class Urgency(StrEnum):
    """The urgency of a push message (RFC 8030). A device with a low battery may wait for urgent messages only."""

    LOW = "low"
    NORMAL = "normal"
    HIGH = "high"


@dataclass(frozen=True)
class NotificationKind:
    """A kind of notifications. Several reasons of notifications may have the same kind."""

    label: Promise
    """The name on the settings page."""
    description: str
    """The text for the description of the API."""
    reasons: tuple[str, ...]
    """The values of ``Notification.reason`` of this kind."""
    asks: bool = False
    """True if the notification must reach its reader."""
    urgency: Urgency = Urgency.NORMAL


KINDS: Final = {
    "question": NotificationKind(
        gettext_lazy("A question for me"),
        "A game asks you something. It comes by one channel that works, or by email if none of these does or "
        "none has taken it within ten minutes.",
        ("question",),
        asks=True,
        urgency=Urgency.HIGH,
    ),
    "reminder": NotificationKind(
        gettext_lazy("A reminder about a question"),
        "A question still waits for you. It comes by email if no channel that is named works.",
        ("reminder",),
        asks=True,
        urgency=Urgency.HIGH,
    ),
    "game": NotificationKind(
        gettext_lazy("A game starts or ends"),
        "One of your games, a tournament or its round has started or ended, a tournament starts at another time, a "
        "game was paused, too few players were found for one, or a bot account has left the arena.",
        (
            *("started", "ended", "played", "pause-proposed", "paused", "resumed", "seek-lapsed", "arena-left"),
            *("tournament-moved", "tournament-round", "tournament-ended", "rematch-lapsed"),
        ),
        urgency=Urgency.LOW,
    ),
    "chat": NotificationKind(
        gettext_lazy("Someone writes in the chat"), "Someone wrote in the chat of one of your games.", ("chat",)
    ),
    "invitation": NotificationKind(
        gettext_lazy("An invitation"),
        "You are invited to a game or offered a rematch, or your club has a new game.",
        ("invitation", "club-game", "rematch-offered"),
    ),
}
BESIDE_QUESTIONS: Final = ("pause-proposed", "paused", "resumed")
"""The reasons of notifications about a game that may come while a question of the game is open. A push of them does not
replace the push with the question."""
ASKING: Final = tuple(reason for kind in KINDS.values() if kind.asks for reason in kind.reasons)
"""The reasons of notifications with an open question of a game."""
_BY_REASON: Final = {reason: name for name, kind in KINDS.items() for reason in kind.reasons}


def kind_of(reason: str) -> str | None:
    """Return the kind of a reason, or None for reasons that are always sent by email, such as codes."""
    return _BY_REASON.get(reason)


def urgency_of(reason: str) -> Urgency:
    """Return the urgency of a notification with this reason."""
    kind = kind_of(reason)
    return Urgency.NORMAL if kind is None else KINDS[kind].urgency


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
