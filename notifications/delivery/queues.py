"""Queues of objects with a next attempt: notifications, received emails, webhooks and their messages."""

from datetime import datetime
from typing import Any, Final

from django.db.models import F, QuerySet

from notifications.endpoints import Delivery, Webhook
from notifications.models import Notification, RawMail, State

_QUEUES: Final[tuple[QuerySet[Any], ...]] = (
    Notification.objects.filter(state=State.SCHEDULED),
    Notification.objects.filter(state=State.READY),
    RawMail.objects.filter(state=RawMail.State.RECEIVED),
    Delivery.objects.filter(state=Delivery.State.WAITING),
    Webhook.objects.filter(disabled_at=None),
)


def catch_up(before: datetime, now: datetime) -> None:
    """Move all attempts that were due by ``before`` to an earlier time, so that they are due by ``now``.

    For a clock that was set back. Otherwise they would all wait until the clock reaches the old time again.
    """
    for rows in _QUEUES:
        late = rows.filter(next_attempt_at__gt=now, next_attempt_at__lte=before)
        late.update(next_attempt_at=F("next_attempt_at") - (before - now))
