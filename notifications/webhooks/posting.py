"""Webhooks: registering them, and posting messages to them with signatures, retries and a limit.

A worker takes a webhook for a limited time (a lease), so nothing is locked while it waits for the other server. The
schedule of retries follows Standard Webhooks. After a failure the whole webhook pauses, so a server that is down costs
little. A webhook that has accepted nothing for days, or returned 410, is disabled. Secrets are not stored: they are
derived from the server's key.
"""

import base64
import json
from collections.abc import Iterable, Sequence
from datetime import datetime, timedelta
from itertools import zip_longest
from typing import Any, Final
from urllib.parse import urlsplit
from uuid import uuid4

from django.contrib.auth import get_user_model
from django.db import transaction
from django.db.models import Exists, OuterRef, QuerySet
from django.utils.translation import gettext as _
from django.utils.translation import override
from standardwebhooks import Webhook as Signer

from config.core.clock import whole_second, write_moment
from config.core.crypto import keyed_hashes
from notifications.content.rendered_notification import Prose, RenderedNotification
from notifications.delivery import outbox
from notifications.endpoints import OVERLAP, Delivery, Kind, Webhook
from notifications.outgoing.http_client import SIDE_BY_SIDE, Answer, Outcome, OutgoingRequest, post_all
from notifications.recipients import channel_choice
from notifications.stream import (
    stream_events,
)

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
"""The time for which a webhook belongs to the worker that posts to it. Posting never takes that long."""
ROW: Final = 20
"""The number of messages that are posted to one webhook in a row."""
KEPT: Final = timedelta(days=30)
"""The time for which deliveries can be looked up."""


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
    order = outbox.NewNotification(key=key, reason=DISABLED, account=webhook.account_id)
    outbox.add_rendered(order, disabled_email(webhook), now)


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
    stream_events.forget_followers(now)
    Delivery.objects.filter(at__lt=now - KEPT).exclude(state=Delivery.State.WAITING).delete()


DISABLED: Final = "webhook"


def disabled_email(webhook: Webhook) -> RenderedNotification:
    """Notify the owner that a webhook is disabled. Only the host of its address is shown, because the rest may be
    secret.
    """
    language = webhook.account.language
    with override(language):
        host = urlsplit(webhook.url).hostname
        return RenderedNotification(
            language=language,
            subject=_("Your webhook is switched off"),
            headline=_("Your webhook at %(host)s is switched off.") % {"host": f"\u2066{host}\u2069"},
            blocks=(
                Prose(
                    (
                        _("It accepted nothing for too long, or said that it is gone. We no longer send to it."),
                        _("We send you questions by email again. Once your app is back, switch the webhook on."),
                    )
                ),
            ),
        )


_PREFIX: Final = "whsec_"


def secret(webhook: Webhook, number: int | None = None) -> str:
    """Return the secret with which the receiver checks signatures. Earlier secrets have lower numbers."""
    return _secrets_of_number(webhook, webhook.secret_number if number is None else number)[0]


def _secrets_of_number(webhook: Webhook, number: int) -> list[str]:
    """Return the secret of this number with the present key, and with earlier keys, which receivers may still use."""
    hashes = keyed_hashes("notifications.webhooks", f"{webhook.pk}|{number}")
    return [_PREFIX + base64.b64encode(hash_).decode() for hash_ in hashes]


def outgoing_request(delivery: Delivery, webhook: Webhook, now: datetime) -> OutgoingRequest:
    """Return the request for a message, signed now."""
    moment = write_moment(whole_second(delivery.at))
    body = json.dumps({"type": delivery.kind, "timestamp": moment, "data": delivery.data}, separators=(",", ":"))
    id = f"msg_{delivery.public_id}"
    signatures = [Signer(key).sign(id, now, body) for key in _secrets(webhook, now)]
    return OutgoingRequest(
        webhook.url,
        body.encode(),
        {
            "Content-Type": "application/json",
            "webhook-id": id,
            "webhook-timestamp": str(int(now.timestamp())),
            "webhook-signature": " ".join(signatures),
        },
    )


def _secrets(webhook: Webhook, now: datetime) -> list[str]:
    """Return the present secret, and for a while after a change the former one."""
    is_changing = webhook.rotated_at is not None and now < webhook.rotated_at + OVERLAP
    numbers = [webhook.secret_number, *([webhook.secret_number - 1] if is_changing else [])]
    return [key for number in numbers for key in _secrets_of_number(webhook, number)]


def rotate(webhook: Webhook, now: datetime) -> str:
    """Give a webhook a new secret, and return it."""
    webhook.secret_number += 1
    webhook.rotated_at = now
    webhook.save(update_fields=["secret_number", "rotated_at"])
    return secret(webhook)


MOST: Final = 10
"""The most webhooks of an account."""


class TooMany(Exception):
    """The account has the most webhooks that are allowed."""


def limit_sentence() -> str:
    """Return the message for an account that has the maximum number of webhooks."""
    return _("You have %(most)s webhooks, which is the limit. Delete one first.") % {"most": MOST}


class AlreadyThere(Exception):
    """The account has a webhook with this address already."""


def register_webhook(account: Any, url: str, kinds: Sequence[str], now: datetime) -> Webhook:
    """Store a new webhook of an account. Raises TooMany and AlreadyThere."""
    with transaction.atomic():
        _lock_webhooks(account)
        _check_free(account, url)
        if account.webhooks.count() >= MOST:
            raise TooMany
        return Webhook.objects.create(account=account, url=url, kinds=kinds, created_at=now, next_attempt_at=now)


def change_webhook(webhook: Webhook, changes: dict[str, Any], now: datetime) -> Webhook:
    """Change the address or the kinds, or enable a webhook again (``enabled``). Raises AlreadyThere."""
    with transaction.atomic():
        _lock_webhooks(webhook.account)
        current = Webhook.objects.select_for_update().get(pk=webhook.pk)
        if changes.get("url", current.url) != current.url:
            _check_free(webhook.account, changes["url"])
        current.url, current.kinds = changes.get("url", current.url), changes.get("kinds", current.kinds)
        current.save(update_fields=["url", "kinds"])
        if changes.get("enabled"):
            enable(current, now)
        return current


def _lock_webhooks(account: Any) -> None:
    """Lock the webhooks of an account until the end of the transaction."""
    get_user_model().objects.select_for_update(no_key=True).only("pk").get(pk=account.pk)


def _check_free(account: Any, url: str) -> None:
    if account.webhooks.filter(url=url).exists():
        raise AlreadyThere
