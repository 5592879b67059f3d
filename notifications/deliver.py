"""Delivery of composed notifications.

Notifications are sent while their rows are locked, so that no other worker takes them and another worker continues if
this one dies. A transaction contains as many as are sent within ``SPAN``, which is one if the mail server is slow. Only
a crash between the mail server's answer and the commit repeats a notification. It then has the same Message-ID.

Notifications to servers that users choose are posted under a lease instead: a worker takes them for a limited time, so
nothing is locked while it waits for an answer. Such a notification is sent twice only if the other server has accepted
it and that was not recorded, because the worker crashed or there was an error.

Messages to an endpoint about one topic, such as a game, keep their order: the next one waits until the one before it is
sent or given up. Other topics do not wait for it. If an endpoint does not answer, or fails, its other messages pause.
"""

import logging
import time
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from contextlib import ExitStack
from datetime import datetime, timedelta
from typing import Final

from django.db import DatabaseError, transaction
from django.db.models import Exists, OuterRef, Q, QuerySet

from config.core import metrics, traces
from config.core.database.rows import update
from config.core.database.sql import silent_transaction
from config.core.logs import describe_error, is_server_error
from notifications import deliverability, mail_outages, preferences
from notifications.channels.base import ChannelDown, ChannelError, DirectChannel, NothingToSend, Send
from notifications.channels.registry import CHANNELS, MAIL, dispatched, endpoints, posting
from notifications.models import CLOSED, LONGEST_WAIT, WHILE_DOWN, Notification, State, skip_locked
from notifications.outgoing import SIDE_BY_SIDE, Answer, Outcome, OutgoingRequest, post_all

logger = logging.getLogger(__name__)

BATCH: Final = 200
"""The most notifications that one run delivers. The next task finds the rest."""
SPAN: Final = 0.05
"""Seconds within which the notifications of one transaction are sent."""


def deliver_due(now: datetime, batch: int = BATCH) -> int:
    """Try up to ``batch`` due notifications, the oldest first. Return how many were tried."""
    with ExitStack() as stack:
        run = _Run(stack, now)
        tried, batch_size = 0, 1
        while tried < batch:
            limit, started = min(batch_size, batch - tried), time.monotonic()
            with silent_transaction():
                notifications = _take(now, run.down, limit)
                sent = run.deliver(notifications, started)
            tried += sent
            run.note_outage()
            if not sent or sent == len(notifications) < limit:
                break
            rate = sent / (time.monotonic() - started)
            batch_size = max(1, int(rate * SPAN))
    return tried


def waiting(now: datetime) -> Iterable[QuerySet[Notification]]:
    """Return the due notifications of channels that are delivered here."""
    due = Notification.objects.filter(state=State.READY, next_attempt_at__lte=now)
    return [due.exclude(channel__in=dispatched()).order_by("next_attempt_at")]


def _take(now: datetime, down: set[str], limit: int) -> list[Notification]:
    """Return due notifications of channels that work, locked against other workers."""
    due = Notification.objects.filter(state=State.READY, next_attempt_at__lte=now).exclude(
        channel__in=[*down, *dispatched()]
    )
    rows = due.select_related("account").defer("account__password")
    return list(rows.order_by("next_attempt_at").select_for_update(skip_locked=True, of=("self",))[:limit])


class _Run:
    """A run of the delivery. It opens each channel when its first notification is sent."""

    def __init__(self, stack: ExitStack, now: datetime) -> None:
        self.down: set[str] = set()
        """The channels that accept no notifications at present."""
        self.is_failing = False
        """True once the mail server has refused a notification for a reason of its own."""
        self.is_working = False
        """True once the mail server has accepted a notification."""
        self._is_noted = False
        self._now = now
        self._stack = stack
        self._sessions: dict[str, Send] = {}

    def deliver(self, notifications: Sequence[Notification], started: float) -> int:
        """Send locked notifications and record the results. Return how many were tried.

        If ``SPAN`` has passed since ``started``, the mail server is slow and the rest is left for the next transaction.
        """
        closed_addresses = deliverability.closed_of(
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
                and deliverability.is_suppressed(notification.destination())
            ):
                _drop(notification)
            elif notification.destination() in closed_addresses and not deliverability.passes(notification, self._now):
                _hold_back(notification, self._now)
            elif self._is_taken(notification):
                sent.append(notification)
            if time.monotonic() - started > SPAN:
                break
        _note_sent(sent, self._now)
        return tried

    def note_outage(self) -> None:
        """Record, once in a run, that the mail server accepts notifications, or that it only fails."""
        if not self._is_noted and self.is_working:
            mail_outages.end(self._now)
            self._is_noted = True
        elif self.is_failing and not self.is_working:
            mail_outages.begin(self._now)

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
        """Send a notification over its channel. Raises ChannelError if it was not accepted."""
        try:
            if notification.channel not in self._sessions:
                channel = CHANNELS.get(notification.channel)
                if not isinstance(channel, DirectChannel):  # The operator may have disabled the channel meanwhile.
                    raise ChannelError("the operator does not allow this channel", permanent=True)
                self._sessions[notification.channel] = self._stack.enter_context(channel.session())
            attributes = {"reason": notification.reason, "channel": notification.channel}
            with traces.follow(notification.trace, "deliver notification", **attributes):
                self._sessions[notification.channel](notification)
        except (ChannelError, DatabaseError):
            raise
        except Exception as error:
            raise ChannelError(describe_error(error)) from None


def _drop(notification: Notification) -> None:
    """Drop a notification to an address whose owner wants no emails and which belongs to no account."""
    notification.state = State.DROPPED
    notification.save(update_fields=["state"])


def _hold_back(notification: Notification, now: datetime) -> None:
    """Do not send a notification to an address that must be confirmed. A question waits for the confirmation."""
    if notification.question:
        notification.next_attempt_at = now + LONGEST_WAIT
    else:
        notification.state = State.DROPPED
    notification.save(update_fields=["state", "next_attempt_at"])


def _note_failure(notification: Notification, status: str, now: datetime) -> None:
    """Count a failed email as a failure of its address, if the address is the reason."""
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
        logger.debug("notification %s by %s is sent", notification.id, notification.channel)
    for channel, count in Counter(notification.channel for notification in notifications).items():
        metrics.NOTIFICATIONS.labels(channel, "sent").inc(count)
    update(notifications, ("address", "state", "sent_at"))


LEASE: Final = timedelta(minutes=2)
"""The time for which a notification belongs to the worker that sends it. Sending never takes that long."""
SERVER_ERROR: Final = 500
"""The lowest HTTP status that means that a server does not work."""


def dispatch_due(now: datetime) -> int:
    """Post one batch of due notifications to readers. Return how many were tried, 0 if none is due."""
    return _dispatch(due_posts(now), now)


def dispatch_messages_due(now: datetime) -> int:
    """Post one batch of due messages to endpoints. Return how many were tried, 0 if none is due."""
    return _dispatch(due_messages(now), now)


def waiting_posts(now: datetime) -> Iterable[QuerySet[Notification]]:
    """Return the due notifications of readers' channels that post."""
    return [due_posts(now)]


def waiting_messages(now: datetime) -> Iterable[QuerySet[Notification]]:
    """Return the due messages to endpoints."""
    return [due_messages(now)]


def due_posts(now: datetime) -> QuerySet[Notification]:
    """Return the due notifications of readers' channels that post.

    A push that removes a question must not come after a later push about the game, which has the same place on the
    device. So it waits until that is sent, and while it is being sent itself, the others wait.
    """
    others = Notification.objects.filter(
        topic=OuterRef("topic"), state=State.READY, channel=OuterRef("channel"), account=OuterRef("account")
    )
    is_closing = Q(reason=CLOSED)
    must_wait = (is_closing & Exists(others.exclude(is_closing))) | (
        ~is_closing & Exists(others.filter(is_closing, leased=True, next_attempt_at__gt=now))
    )
    due = Notification.objects.filter(state=State.READY, channel__in=posting(), next_attempt_at__lte=now)
    return due.exclude(must_wait).order_by("next_attempt_at")


def due_messages(now: datetime) -> QuerySet[Notification]:
    """Return the due messages to endpoints, without those that must wait for another one about the same topic."""
    # A message that is sent again may have its place before the one that a worker is posting.
    earlier_or_leased = Q(place__lt=OuterRef("place")) | Q(leased=True, next_attempt_at__gt=now)
    others = Notification.objects.filter(
        earlier_or_leased, endpoint=OuterRef("endpoint"), topic=OuterRef("topic"), state=State.READY
    )
    due = Notification.objects.filter(state=State.READY, channel__in=endpoints(), next_attempt_at__lte=now)
    return due.filter(~Exists(others)).order_by("next_attempt_at", "place")


def _take_posts(due: QuerySet[Notification], now: datetime) -> list[Notification]:
    """Return due notifications that belong to this worker until the lease ends."""
    with transaction.atomic():
        rows = due.select_for_update(skip_locked=True, of=("self",)).select_related("account")
        notifications = list(rows[:SIDE_BY_SIDE])
        Notification.objects.filter(pk__in=[notification.pk for notification in notifications]).update(
            next_attempt_at=now + LEASE, leased=True
        )
    return notifications


def _dispatch(due: QuerySet[Notification], now: datetime) -> int:
    notifications = _take_posts(due, now)
    if not notifications:
        return 0
    requests = [_outgoing_requests(notification, now) for notification in notifications]
    with traces.follow(notifications[0].trace, "post notifications", notifications=len(notifications)):
        outcomes = iter(post_all([request for row in requests if isinstance(row, Sequence) for request in row]))
    for notification, row in zip(notifications, requests, strict=True):
        if row is None:
            continue
        result = row if isinstance(row, ChannelError) else {request.url: next(outcomes) for request in row}
        _note_result(notification, result, now)
    return len(notifications)


def _outgoing_requests(notification: Notification, now: datetime) -> Sequence[OutgoingRequest] | ChannelError | None:
    """Return the requests for a notification, or an error if it cannot be composed.

    Return None if the fault is Darbar's own, such as a database that is away. Then nothing is counted, and the
    notification is tried again after the lease.
    """
    try:
        return dispatched()[notification.channel].outgoing_requests(notification, now)
    except Exception as error:
        reason = describe_error(error)
        if not is_server_error(error):
            return ChannelError(reason)
        logger.warning("notification %s was not composed, tried again later: %s", notification.pk, reason)
        return None


def _note_result(notification: Notification, result: Mapping[str, Outcome] | ChannelError, now: datetime) -> None:
    """Record the result of a notification. If that fails, count a failed post, so that it does not stop the others.

    If the fault is Darbar's own, count nothing: the notification is posted again after the lease.
    """
    try:
        _settle_post(notification, result, now)
    except Exception as error:
        reason = describe_error(error)
        if is_server_error(error) or isinstance(result, ChannelError):
            logger.error("the result of notification %s was not recorded: %s", notification.pk, reason)
        else:
            _note_result(notification, ChannelError(reason), now)


def _settle_post(notification: Notification, result: Mapping[str, Outcome] | ChannelError, now: datetime) -> None:
    """Record the result of a notification, unless it was withdrawn in the meantime."""
    with transaction.atomic():
        current = (
            Notification.objects.select_for_update(of=("self",)).filter(pk=notification.pk, state=State.READY).first()
        )
        if current is None:
            return
        current.data, current.tried_at, current.leased = notification.data, now, False
        try:
            _settle(current, result)
        except NothingToSend:
            current.state = State.DROPPED
        except ChannelError as error:
            _note_failed_post(current, error, now)
            if current.endpoint and _is_down(result):
                _pause_endpoint(current, now)
        else:
            current.state, current.sent_at, current.attempts = State.SENT, now, current.attempts + 1
            metrics.NOTIFICATIONS.labels(current.channel, "sent").inc()
            logger.debug("notification %s by %s is sent", current.id, current.channel)
            if current.account_id is not None:
                preferences.spare(current.account_id, [current.topic], current.question)
        current.save(update_fields=["attempts", "state", "sent_at", "data", "tried_at", "leased", "status", "failure"])


def _settle(notification: Notification, result: Mapping[str, Outcome] | ChannelError) -> None:
    """Store the answers, and let the channel record the result. Raises ChannelError and NothingToSend."""
    if isinstance(result, ChannelError):
        raise result
    for outcome in result.values():
        notification.status, notification.failure = (
            (outcome.status, "") if isinstance(outcome, Answer) else (None, outcome.value)
        )
    dispatched()[notification.channel].settle(notification, result)


def _note_failed_post(notification: Notification, error: ChannelError, now: datetime) -> None:
    notification.set_back(str(error), now, permanent=error.permanent)
    if notification.account_id is not None:
        preferences.hasten(notification.account_id, [notification.topic], notification.question, now)
    if notification.state == State.FAILED:
        dispatched()[notification.channel].give_up(notification, now)


def _is_down(result: Mapping[str, Outcome] | ChannelError) -> bool:
    """Return whether an endpoint was posted to and gave no answer, or an answer of 5xx."""
    outcomes = () if isinstance(result, ChannelError) else result.values()
    return any(not isinstance(outcome, Answer) or outcome.status >= SERVER_ERROR for outcome in outcomes)


def _pause_endpoint(notification: Notification, now: datetime) -> None:
    """Pause the other messages to an endpoint that does not work. They would probably fail too."""
    others = Notification.objects.filter(endpoint=notification.endpoint, state=State.READY).exclude(pk=notification.pk)
    skip_locked(others.filter(next_attempt_at__lt=now + WHILE_DOWN)).update(next_attempt_at=now + WHILE_DOWN)
