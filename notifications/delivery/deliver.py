"""Delivery of the notifications that are ready.

Notifications are sent while their rows are locked, so that no other worker takes them and a dead worker leaves them
to the next one. As many share a transaction as go out within ``SPAN``: one, where a mail server takes its time. Only
a crash between the other side's yes and the commit repeats a notification, which then has the same Message-ID.
"""

import time
from collections import Counter
from collections.abc import Iterable, Sequence
from contextlib import ExitStack
from datetime import datetime
from functools import cache
from typing import Any, Final

from django.contrib.auth import get_user_model
from django.db import DatabaseError
from django.db.models import QuerySet

from config import metrics, traces
from config.database.rows import Shape, find, update
from config.database.silent_transactions import silent_transaction
from config.failures import describe_error
from notifications.channels.base import ChannelDown, ChannelError, DirectChannel, Send
from notifications.channels.registry import CHANNELS, MAIL, posting
from notifications.delivery import outages
from notifications.models import LONGEST_WAIT, Notification, State
from notifications.recipients import deliverability, suppression_list

BATCH: Final = 200
"""The number of notifications one run delivers at most; the next task finds the rest."""
SPAN: Final = 0.05
"""Seconds: the time in which notifications go out that are noted together."""


def deliver_due(now: datetime, batch: int = BATCH) -> int:
    """Try up to ``batch`` of the notifications that are due, oldest first; how many were tried."""
    with ExitStack() as stack:
        run = _Run(stack, now)
        tried, together = 0, 1
        while tried < batch:
            wanted, began = min(together, batch - tried), time.monotonic()
            with silent_transaction():
                notifications = _take(now, run.down, wanted)
                done = run.deliver(notifications, began)
            tried += done
            run.note_outage()
            if not done or done == len(notifications) < wanted:
                break
            pace = done / (time.monotonic() - began)
            together = max(1, int(pace * SPAN))
    return tried


def waiting(now: datetime) -> Iterable[QuerySet[Notification]]:
    """The notifications that are due and delivered here."""
    due = Notification.objects.filter(state=State.READY, next_attempt_at__lte=now)
    return [due.exclude(channel__in=posting()).order_by("next_attempt_at")]


def _take(now: datetime, down: set[str], limit: int) -> list[Notification]:
    """The next notifications that are due on channels that are not down, locked against every other worker."""
    query, notifications, people = _due()
    found = []
    for row in find(query, [now, [*down, *posting()], limit]):
        notification = notifications.instance(row)
        account = None if notification.account_id is None else people.instance(row[notifications.width :])
        # The cache itself, since setting ``account`` asks the database router for each row.
        notification._state.fields_cache["account"] = account
        found.append(notification)
    return found


@cache
def _due() -> tuple[str, Shape[Notification], Shape[Any]]:
    notifications, people = Shape(Notification), Shape(get_user_model(), ("password",))
    query = f"""
        SELECT {notifications.columns("notification")}, {people.columns("account")}
        FROM notifications_notification AS notification
        LEFT JOIN {get_user_model()._meta.db_table} AS account ON account.id = notification.account_id
        WHERE notification.state = 'ready' AND notification.next_attempt_at <= %s AND NOT notification.channel = ANY(%s)
        ORDER BY notification.next_attempt_at LIMIT %s FOR UPDATE OF notification SKIP LOCKED
    """
    return query, notifications, people


class _Run:
    """Notifications that go out one after another, over channels that are opened when they are needed."""

    def __init__(self, stack: ExitStack, now: datetime) -> None:
        self.down: set[str] = set()
        """The channels that take no notifications at present."""
        self.is_failing = False
        """True once our mail server has refused one for which it may take another."""
        self.is_working = False
        """True once our mail server has taken one."""
        self._noted = False
        self._now = now
        self._stack = stack
        self._sessions: dict[str, Send] = {}

    def deliver(self, notifications: Sequence[Notification], began: float) -> int:
        """Send locked notifications and record the results. Return how many were tried.

        If the mail server has become slow, and ``SPAN`` has passed since ``began``, the rest is left for the next run.
        """
        closed = deliverability.closed_of(
            {notification.destination() for notification in notifications if notification.channel == MAIL}
        )
        sent = []
        tried = 0
        for notification in notifications:
            if notification.channel in self.down:
                continue
            tried += 1
            if (
                notification.account_id is None
                and not deliverability.is_asked_for(notification)
                and suppression_list.holds(notification.destination())
            ):
                _drop(notification)
            elif notification.destination() in closed and not deliverability.passes(notification, self._now):
                _keep_back(notification, self._now)
            elif self._is_taken(notification):
                sent.append(notification)
            if time.monotonic() - began > SPAN:
                break
        _note_sent(sent, self._now)
        return tried

    def note_outage(self) -> None:
        """Note, once in a run, that our mail server takes notifications; or that it has taken none and failed."""
        if not self._noted and self.is_working:
            outages.end(self._now)
            self._noted = True
        elif self.is_failing and not self.is_working:
            outages.begin(self._now)

    def _is_taken(self, notification: Notification) -> bool:
        """Send a notification. Return whether it was accepted, and record a failure."""
        try:
            self._hand_over(notification)
        except ChannelError as error:
            self.is_failing = self.is_failing or error.ours
            if isinstance(error, ChannelDown):
                self.down.add(notification.channel)
            if error.ours and (isinstance(error, ChannelDown) or not self.is_working):
                notification.put_off(str(error), self._now)
            else:
                notification.set_back(str(error), self._now, permanent=error.permanent)
                _note_failure(notification, error.status, self._now)
            return False
        self.is_working = True
        return True

    def _hand_over(self, notification: Notification) -> None:
        """Send a notification over its channel, whose session is opened at its first notification. ChannelError if
        not taken.
        """
        try:
            if notification.channel not in self._sessions:
                channel = CHANNELS.get(notification.channel)
                if not isinstance(channel, DirectChannel):  # it was dispatched, until the operator took it away
                    raise ChannelError("the operator does not allow this channel", permanent=True)
                self._sessions[notification.channel] = self._stack.enter_context(channel.session())
            told = {"reason": notification.reason, "channel": notification.channel}
            with traces.follow(notification.trace, "deliver notification", **told):
                self._sessions[notification.channel](notification)
        except (ChannelError, DatabaseError):
            raise
        except Exception as error:
            raise ChannelError(describe_error(error)) from None


def _drop(notification: Notification) -> None:
    """Do not send a notification to an address whose owner wants none ever again, and has no account that it is for."""
    notification.state = State.DROPPED
    notification.save(update_fields=["state"])


def _keep_back(notification: Notification, now: datetime) -> None:
    """Do not send a notification to an address that needs to be confirmed; one that asks something waits for that."""
    if notification.question:
        notification.next_attempt_at = now + LONGEST_WAIT
    else:
        notification.state = State.DROPPED
    notification.save(update_fields=["state", "next_attempt_at"])


def _note_failure(notification: Notification, status: str, now: datetime) -> None:
    """Count a mail that is given up because of its address as one failure of the address."""
    failure = (
        deliverability.of_status(status)
        if notification.state == State.FAILED and notification.channel == MAIL
        else None
    )
    if failure:
        deliverability.note(notification.destination(), failure, now, now)


def _note_sent(notifications: Sequence[Notification], now: datetime) -> None:
    for notification in notifications:
        notification.address = notification.destination()
        notification.state = State.SENT
        notification.sent_at = now
    for channel, count in Counter(notification.channel for notification in notifications).items():
        metrics.NOTIFICATIONS.labels(channel, "sent").inc(count)
    update(notifications, ("address", "state", "sent_at"))
