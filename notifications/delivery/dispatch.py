"""Delivery of notifications to servers that users choose.

A worker takes a notification for a limited time (a lease), so nothing is locked while it waits for an answer. A
notification is sent twice only if the worker crashes after the other server has accepted it and before that is
recorded.
"""

from collections.abc import Iterable, Mapping, Sequence
from datetime import datetime, timedelta
from typing import Final

from django.db import transaction
from django.db.models import QuerySet

from config import metrics, traces
from notifications.channels.base import ChannelError
from notifications.channels.registry import posting
from notifications.models import Notification, State
from notifications.outgoing.http_client import SIDE_BY_SIDE, Outcome, post_all
from notifications.recipients import channel_choice

LEASE: Final = timedelta(minutes=2)
"""How long a notification belongs to the worker that sends it. Sending never takes that long."""


def dispatch_due(now: datetime) -> int:
    """Send one batch of due notifications. Return how many were tried, 0 if none is due."""
    notifications = _take(now)
    if notifications:
        _dispatch(notifications, now)
    return len(notifications)


def waiting(now: datetime) -> Iterable[QuerySet[Notification]]:
    """Return the due notifications of channels that post."""
    return [_due(now)]


def _due(now: datetime) -> QuerySet[Notification]:
    due = Notification.objects.filter(state=State.READY, channel__in=posting(), next_attempt_at__lte=now)
    return due.order_by("next_attempt_at")


def _take(now: datetime) -> list[Notification]:
    """Return due notifications that belong to this worker until the lease ends."""
    with transaction.atomic():
        rows = _due(now).select_for_update(skip_locked=True, of=("self",)).select_related("account")
        notifications = list(rows[:SIDE_BY_SIDE])
        Notification.objects.filter(pk__in=[notification.pk for notification in notifications]).update(
            next_attempt_at=now + LEASE
        )
    return notifications


def _dispatch(notifications: Sequence[Notification], now: datetime) -> None:
    channels = posting()
    outgoing_requests = [
        channels[notification.channel].outgoing_requests(notification, now) for notification in notifications
    ]
    with traces.follow(notifications[0].trace, "post notifications", notifications=len(notifications)):
        outcomes = iter(post_all([[request] for row in outgoing_requests for request in row]))
    for notification, row in zip(notifications, outgoing_requests, strict=True):
        _settle(notification, {request.url: next(outcomes)[0] for request in row}, now)


def _settle(notification: Notification, outcomes: Mapping[str, Outcome], now: datetime) -> None:
    """Record the result of a notification, unless it was withdrawn in the meantime."""
    with transaction.atomic():
        current = (
            Notification.objects.select_for_update(of=("self",)).filter(pk=notification.pk, state=State.READY).first()
        )
        if current is None:
            return
        assert current.account_id is not None  # Channels that post belong to accounts.
        try:
            posting()[current.channel].settle(current, outcomes)
        except ChannelError as error:
            current.set_back(str(error), now, permanent=error.permanent)
            channel_choice.hasten(current.account_id, [current.topic], current.question, now)
        else:
            current.state, current.sent_at = State.SENT, now
            current.save(update_fields=["state", "sent_at"])
            metrics.NOTIFICATIONS.labels(current.channel, "sent").inc()
            channel_choice.spare(current.account_id, [current.topic], current.question)
