"""Posting messages to webhooks, with retries and a limit.

A worker takes a webhook for a limited time (a lease), so nothing is locked while it waits for the other server. The
schedule of retries follows Standard Webhooks. After a failure the whole webhook pauses, so a server that is down costs
little. A webhook that has accepted nothing for days, or returned 410, is disabled.
"""

from collections.abc import Iterable, Sequence
from datetime import datetime, timedelta
from itertools import zip_longest
from typing import Final
from uuid import uuid4

from django.db import transaction
from django.db.models import Exists, OuterRef, QuerySet

from notifications.delivery import outbox
from notifications.endpoints import Delivery, Kind, Webhook
from notifications.outgoing.http_client import SIDE_BY_SIDE, Answer, Outcome, post_all
from notifications.recipients import channel_choice
from notifications.stream import followers, stream_events
from notifications.webhooks import webhook_emails
from notifications.webhooks.signing import outgoing_request

RETRIES: Final = tuple(
    timedelta(**{unit: number})
    for unit, number in (
        ("seconds", 5), ("minutes", 5), ("minutes", 30), ("hours", 2), ("hours", 5), ("hours", 10), ("hours", 14),
        ("hours", 20), ("hours", 24),
    )
)  # fmt: skip
"""The pauses after each failure of a message. After the last one it is given up."""
REST: Final = (timedelta(seconds=5), timedelta(minutes=10))
"""The pauses of a webhook: after the first failure, and the longest. Each failure doubles the pause."""
DEAD: Final = timedelta(days=3)
"""A webhook that has accepted nothing for this time is disabled."""
GONE: Final = 410
LEASE: Final = timedelta(minutes=1)
"""How long a webhook belongs to the worker that posts to it. Posting never takes that long."""
ROW: Final = 20
"""The number of messages that are posted to one webhook in a row."""
KEPT: Final = timedelta(days=30)
"""How long deliveries can be looked up."""


def serve_due(now: datetime) -> int:
    """Post one batch of due messages. Return the number of webhooks, 0 if nothing is due."""
    webhooks = _take(now)
    _serve(webhooks, now)
    return len(webhooks)


def waiting(now: datetime) -> Iterable[QuerySet[Webhook]]:
    """Return the webhooks with due messages."""
    return [_due(now)]


def _due(now: datetime) -> QuerySet[Webhook]:
    due = Delivery.objects.filter(webhook=OuterRef("pk"), state=Delivery.State.WAITING, next_attempt_at__lte=now)
    served = Webhook.objects.filter(Exists(due), disabled_at=None, next_attempt_at__lte=now)
    return served.order_by("next_attempt_at")


def _take(now: datetime) -> list[Webhook]:
    """Return webhooks with due messages, which belong to this worker until the lease ends."""
    with transaction.atomic():
        webhooks = list(_due(now).select_for_update(skip_locked=True)[:SIDE_BY_SIDE])
        Webhook.objects.filter(pk__in=[webhook.pk for webhook in webhooks]).update(next_attempt_at=now + LEASE)
    return webhooks


def _serve(webhooks: Sequence[Webhook], now: datetime) -> None:
    rows = [
        list(webhook.deliveries.filter(state=Delivery.State.WAITING, next_attempt_at__lte=now).order_by("id")[:ROW])
        for webhook in webhooks
    ]
    outgoing_requests = [
        [outgoing_request(delivery, webhook, now) for delivery in row]
        for webhook, row in zip(webhooks, rows, strict=True)
    ]
    for webhook, row, outcomes in zip(webhooks, rows, post_all(outgoing_requests), strict=True):
        _note(webhook, row, outcomes, now)


def _note(webhook: Webhook, row: Sequence[Delivery], outcomes: Sequence[Outcome], now: datetime) -> None:
    """Record the results of a row of messages, and release the webhook. Messages without a result stay in the queue.

    The row is empty if another worker has just posted the messages.
    """
    with transaction.atomic():
        current = Webhook.objects.select_for_update().filter(pk=webhook.pk).first()
        if current is None:
            return
        current.next_attempt_at = now
        for delivery, outcome in zip_longest(row, outcomes):
            if outcome is not None:
                _note_one(current, delivery, outcome, now)
        current.save(update_fields=["failing_since", "failures", "next_attempt_at", "disabled_at"])


def _note_one(webhook: Webhook, delivery: Delivery, outcome: Outcome, now: datetime) -> None:
    delivery.attempts += 1
    delivery.tried_at = now
    delivery.status, delivery.failure = (outcome.status, "") if isinstance(outcome, Answer) else (None, outcome.value)
    if isinstance(outcome, Answer) and outcome.is_accepted:
        delivery.state = Delivery.State.DELIVERED
        webhook.failing_since, webhook.failures = None, 0
        _drop_standby_email(webhook, delivery)
    else:
        _note_failure(webhook, delivery, now)
    delivery.save(update_fields=["attempts", "tried_at", "status", "failure", "state", "next_attempt_at"])


def _note_failure(webhook: Webhook, delivery: Delivery, now: datetime) -> None:
    if delivery.attempts > len(RETRIES) or delivery.kind == Kind.TEST:
        delivery.state = Delivery.State.FAILED
    else:
        delivery.next_attempt_at = now + RETRIES[delivery.attempts - 1]
    webhook.failing_since = webhook.failing_since or now
    webhook.next_attempt_at = now + min(REST[0] * 2 ** min(webhook.failures, 20), REST[1])
    webhook.failures += 1
    if delivery.status == GONE or now - webhook.failing_since >= DEAD:
        delivery.state = Delivery.State.FAILED
        _disable(webhook, now)


def _disable(webhook: Webhook, now: datetime) -> None:
    """Disable a webhook and notify its owner."""
    webhook.disabled_at = now
    webhook.deliveries.filter(state=Delivery.State.WAITING).update(state=Delivery.State.FAILED)
    key = f"webhook-disabled:{webhook.pk}:{now:%Y%m%d%H%M%S}"
    order = outbox.NewNotification(key=key, reason=webhook_emails.DISABLED, account=webhook.account_id)
    outbox.add_rendered(order, webhook_emails.disabled(webhook), now)


def _drop_standby_email(webhook: Webhook, delivery: Delivery) -> None:
    """Drop the standby email of a question that the webhook has accepted."""
    if delivery.kind == Kind.QUESTION:
        channel_choice.spare(webhook.account_id, [f"game:{delivery.data['game']}"], delivery.data["question"])


def enable(webhook: Webhook, now: datetime) -> None:
    """Start to post to a webhook again."""
    webhook.disabled_at, webhook.failing_since, webhook.failures, webhook.next_attempt_at = None, None, 0, now
    webhook.save(update_fields=["disabled_at", "failing_since", "failures", "next_attempt_at"])


def test(webhook: Webhook, now: datetime) -> Delivery:
    """Send a test message without content now. If one is waiting already, return that one."""
    waiting = webhook.deliveries.filter(kind=Kind.TEST, state=Delivery.State.WAITING).first()
    if waiting is not None:
        return waiting
    message = Delivery.objects.create(
        public_id=uuid4(), webhook=webhook, kind=Kind.TEST, data={}, at=now, next_attempt_at=now
    )
    Webhook.objects.filter(pk=webhook.pk, failing_since__isnull=False).update(next_attempt_at=now)
    stream_events.enqueue_posting()
    return message


def forget(now: datetime) -> None:
    """Delete old events and deliveries."""
    stream_events.forget(now)
    followers.forget(now)
    Delivery.objects.filter(at__lt=now - KEPT).exclude(state=Delivery.State.WAITING).delete()
