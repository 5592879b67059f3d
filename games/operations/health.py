"""Signs of health, each with the bound at which it turns red.

Each is one query that an index answers, however many games there are. Signs count work and never name players or games.
"""

import os
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any, Final

from django.conf import settings
from django.db.models import Min, QuerySet, UUIDField
from django.db.models.functions import Cast

from config.core import disks
from config.core.database import (
    schema,
    shared_values,
)
from config.core.database.checks import DATABASE_CHECKS, GRACE
from config.core.tasks import LONGEST_ROUND
from games.engine import gettext_noop
from games.models import Heartbeat, Move, OpenQuestion, Stall, UnreadReply
from games.play.resolve import playable
from notifications import deliver, mail_outages, set_aside
from notifications.channels.registry import dispatched
from notifications.models import Notification, RawMail, State
from notifications.set_aside import SetAside
from notifications.stream_events import REPORTS_EVERY

NOTIFICATIONS_COUNT_FOR: Final = timedelta(days=3)
"""The time for which a failed notification counts. Some always fail, because addresses stop accepting mail."""


class _Start:
    """The start of this process by the monotonic clock."""

    def __init__(self) -> None:
        self.mark()
        os.register_at_fork(after_in_child=self.mark)

    def mark(self) -> None:
        """Set the start to now."""
        self.at = time.monotonic()


_START: Final = _Start()


@dataclass(frozen=True)
class Sign:
    """A sign of health."""

    name: str
    """The name for programs."""
    title: str
    """The title for people, to be translated."""
    value: float | None
    """Seconds, or (``counted``) a number. None if there is nothing to report."""
    bound: float
    """The bound above which the sign is red."""
    counted: bool = False

    @property
    def red(self) -> bool:
        """Return whether the value is above the bound."""
        return self.value is not None and self.value > self.bound


@dataclass(frozen=True)
class _Queue:
    """A queue, with the query for its oldest entry."""

    name: str
    title: str
    bound: float
    since: Callable[[datetime], datetime | None]


def uptime() -> timedelta:
    """Return how long this process has been running."""
    return timedelta(seconds=time.monotonic() - _START.at)


def signs(now: datetime, up: timedelta) -> Iterator[Sign]:
    """Yield all signs, for a server that has been ``up`` for this time."""
    if not DATABASE_CHECKS.difference.is_breaking:
        missing = schema.count_missing_columns()
        title = gettext_noop("Columns that the database should have but doesn’t")
        yield Sign("tables", title, missing, 0, counted=True)
        if missing:
            return  # what else there is to ask may need them
    failed = DATABASE_CHECKS.failed_checks()
    yield Sign(
        "schema", gettext_noop("Migrations that only the database or only a process has"), failed.migrations, 0, True
    )
    if DATABASE_CHECKS.difference.is_breaking:
        return  # what else there is to ask may have other columns
    yield Sign("clock", gettext_noop("How far the clock of a machine is from the database’s"), failed.seconds, 10)
    silence = min(_time_since_heartbeat(now), up).total_seconds()
    yield Sign("heartbeat", gettext_noop("Last heartbeat of a worker"), silence, 90)
    yield from _shared_signs(up)
    for queue in QUEUES:
        since = queue.since(now)
        waits = None if since is None else max(0.0, (now - since).total_seconds())
        yield Sign(queue.name, queue.title, waits, queue.bound)
    for name, title, bound, rows in COUNTED:
        yield Sign(name, title, rows(now).count(), bound, counted=True)
    yield database(answers=True)
    yield disk()


def _shared_signs(up: timedelta) -> Iterator[Sign]:
    """Yield the signs that other processes report."""
    shared = shared_values.read(["stream", "broker", "errors", "tick"])
    stream = shared.get("stream", shared_values.SharedValue(0, up))
    silent = stream.age.total_seconds() if stream.age > 3 * REPORTS_EVERY else 0
    yield Sign("stream", gettext_noop("How long the event stream has been silent"), max(stream.value, silent), 45)
    fresh = {name: sign.value for name, sign in shared.items() if sign.age <= shared_values.FRESH}
    yield Sign("broker", gettext_noop("Machines whose broker doesn’t answer"), fresh.get("broker", 0), 0, counted=True)
    late = gettext_noop("How long a worker’s next round of periodic tasks has waited for the one before")
    yield Sign("tick", late, fresh.get("tick", 0), LONGEST_ROUND)
    failing = gettext_noop("Requests in the last minute that failed, of 100")
    yield Sign("errors", failing, fresh.get("errors", 0), 5, counted=True)


def database(*, answers: bool) -> Sign:
    """Return the sign that tells whether the database answers."""
    return Sign("database", gettext_noop("Databases that don’t answer"), int(not answers), 0, counted=True)


def disk() -> Sign:
    """Return the signs of the disks, which need no database."""
    title = gettext_noop("MiB missing from the 128 that should be free on the disk")
    return Sign("disk", title, disks.missing(settings.DISKS), 0, counted=True)


def _earliest(rows: QuerySet[Any], moment: str) -> datetime | None:
    earliest: datetime | None = rows.aggregate(first=Min(moment))["first"]
    return earliest


def _time_since_heartbeat(now: datetime) -> timedelta:
    """Return the time since a worker's last heartbeat. A heartbeat in the future is from before the
    clock was set back.
    """
    at = _earliest(Heartbeat.objects.all(), "at")
    return timedelta.max if at is None else abs(now - at)


def _oldest_overdue_question(now: datetime) -> datetime | None:
    """Return since when the oldest question is overdue that a timeout or a bot should have answered."""
    overdue = OpenQuestion.objects.filter(playable(), game__stalled_since=None, due_at__lte=now - GRACE)
    first = overdue.order_by("due_at")
    due = first.values_list("due_at", flat=True).first()
    return None if due is None else due + GRACE


def _oldest_received_move(now: datetime) -> datetime | None:
    waiting = Move.objects.filter(playable(), game__stalled_since=None, state=Move.State.RECEIVED)
    return _earliest(waiting, "received_at")


def _oldest_unwritten_notification(now: datetime) -> datetime | None:
    return _earliest(Notification.objects.filter(state=State.SCHEDULED, next_attempt_at__lte=now), "next_attempt_at")


def _oldest_unsent_email(now: datetime) -> datetime | None:
    ready = Notification.objects.filter(state=State.READY, next_attempt_at__lte=now)
    return _earliest(ready.exclude(channel__in=dispatched()), "next_attempt_at")


def _oldest_unsent_push(now: datetime) -> datetime | None:
    return _earliest(deliver.due_posts(now), "next_attempt_at")


def _oldest_unsent_webhook_message(now: datetime) -> datetime | None:
    return _earliest(deliver.due_messages(now), "next_attempt_at")


def _notifications_given_up(now: datetime) -> QuerySet[Notification]:
    """Return the unsettled emails and pushes. One dead webhook or group chat causes many failures."""
    rows = set_aside.unsettled(SetAside.Kind.NOTIFICATION).filter(at__gte=now - NOTIFICATIONS_COUNT_FOR)
    subjects = rows.order_by().values_list(Cast("subject", UUIDField()))
    return Notification.objects.filter(pk__in=subjects, endpoint=None)


def _oldest_unread_mail(now: datetime) -> datetime | None:
    return _earliest(RawMail.objects.filter(state=RawMail.State.RECEIVED), "received_at")


QUEUES: Final = (
    _Queue("sweep", gettext_noop("Longest overdue question"), 60, _oldest_overdue_question),
    _Queue("moves", gettext_noop("Oldest move that hasn’t been processed"), 60, _oldest_received_move),
    _Queue(
        "notifications",
        gettext_noop("Oldest notification that is due but hasn’t been written"),
        300,
        _oldest_unwritten_notification,
    ),
    _Queue("mails-out", gettext_noop("Oldest email that is due but hasn’t been sent"), 300, _oldest_unsent_email),
    _Queue(
        "mail-outage", gettext_noop("Outage of the server that sends our emails"), 300, lambda _: mail_outages.since()
    ),
    _Queue("pushes", gettext_noop("Oldest push that is due but hasn’t been sent"), 300, _oldest_unsent_push),
    _Queue(
        "webhooks",
        gettext_noop("Oldest webhook message that is due but hasn’t been posted"),
        300,
        _oldest_unsent_webhook_message,
    ),
    _Queue("mails-in", gettext_noop("Oldest incoming email that hasn’t been read"), 120, _oldest_unread_mail),
)
"""The queues, each with the number of seconds after which it is red."""
COUNTED: Final[tuple[tuple[str, str, int, Callable[[datetime], QuerySet[Any]]], ...]] = (
    (
        "stalled-games",
        gettext_noop("Games whose moves can’t be processed, and are tried again"),
        0,
        lambda now: Stall.objects.all(),
    ),
    (
        "failed-moves",
        gettext_noop("Moves that were set aside, to be tried again or acknowledged"),
        0,
        lambda now: set_aside.unsettled(SetAside.Kind.MOVE),
    ),
    (
        "failed-mails",
        gettext_noop("Emails that were set aside, to be tried again or acknowledged"),
        0,
        lambda now: set_aside.unsettled(SetAside.Kind.MAIL),
    ),
    (
        "failed-notifications",
        gettext_noop("Notifications given up on within three days, and not acknowledged"),
        20,
        _notifications_given_up,
    ),
    (
        "unread-replies",
        gettext_noop("Players’ replies that came within a day and weren’t read"),
        50,
        lambda now: UnreadReply.objects.filter(received_at__gt=now - timedelta(days=1)),
    ),
)
"""The signs that count rows, each with its bound."""
