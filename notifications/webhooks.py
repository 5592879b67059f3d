"""Webhooks: registering them, and their messages with signatures (Standard Webhooks).

The outbox delivers the messages, in order for each webhook and game. A webhook that has accepted nothing for days, or
returned 410, is disabled. Secrets are not stored: they are derived from the server's key.
"""

import base64
import json
from collections.abc import Mapping, Sequence
from datetime import datetime, timedelta
from typing import Any, Final
from urllib.parse import urlsplit

from django.contrib.auth import get_user_model
from django.db import transaction
from django.db.models import QuerySet
from django.utils.translation import gettext as _
from django.utils.translation import override
from standardwebhooks import Webhook as Signer

from config.core.clock import whole_second, write_moment
from config.core.crypto import keyed_hashes
from notifications import outbox, preferences
from notifications.channels.base import ChannelError, NothingToSend, PostingChannel, describe_outcome
from notifications.content import Prose, RenderedNotification
from notifications.endpoints import CHANNEL_NAME, OVERLAP, Kind, Webhook
from notifications.models import TEST, Notification, State, skip_locked
from notifications.outgoing import Answer, Outcome, OutgoingRequest

DEAD: Final = timedelta(days=3)
"""A webhook that has accepted nothing for this time is disabled."""
GONE: Final = 410


class WebhookMessages(PostingChannel):
    """The channel of messages to webhooks."""

    def outgoing_requests(self, notification: Notification, now: datetime) -> Sequence[OutgoingRequest]:
        webhook = Webhook.objects.filter(pk=str(notification.endpoint), disabled_at=None).first()
        return [outgoing_request(notification, webhook, now)] if webhook else []

    def settle(self, notification: Notification, outcomes: Mapping[str, Outcome]) -> None:
        webhook = Webhook.objects.select_for_update().filter(pk=str(notification.endpoint)).first()
        if webhook is None:
            raise NothingToSend
        if not outcomes:
            raise ChannelError("the webhook is switched off", permanent=bool(webhook.disabled_at))
        (outcome,) = outcomes.values()
        if isinstance(outcome, Answer) and outcome.is_accepted:
            if webhook.failing_since is not None:
                webhook.failing_since = None
                webhook.save(update_fields=["failing_since"])
            _drop_standby_email(webhook, notification)
            return
        assert notification.tried_at is not None
        _note_failure(webhook, notification, notification.tried_at)
        raise ChannelError(
            describe_outcome(outcome), permanent=notification.reason == TEST or bool(webhook.disabled_at)
        )


MESSAGES: Final = WebhookMessages()


def messages(webhook: Webhook) -> QuerySet[Notification]:
    """Return the messages to a webhook, the latest first."""
    return Notification.objects.filter(endpoint=webhook.pk).order_by("-created_at", "-key")


def message_id(message: Notification) -> str:
    """Return the ``webhook-id`` of a message, which is that of its stream event at all webhooks."""
    return f"msg_{message.key.partition(':')[0]}"


def _note_failure(webhook: Webhook, message: Notification, now: datetime) -> None:
    webhook.failing_since = webhook.failing_since or now
    if webhook.disabled_at is None and (message.status == GONE or now - webhook.failing_since >= DEAD):
        webhook.disabled_at = now
        # A message that another worker is settling fails there, because the webhook is disabled.
        skip_locked(messages(webhook).filter(state=State.READY).exclude(pk=message.pk)).update(state=State.FAILED)
        key = f"webhook-disabled:{webhook.pk}:{now:%Y%m%d%H%M%S}"
        order = outbox.NewNotification(key=key, reason=DISABLED, account=webhook.account_id)
        outbox.add_rendered(order, disabled_email(webhook), now)
    webhook.save(update_fields=["failing_since", "disabled_at"])


def _drop_standby_email(webhook: Webhook, message: Notification) -> None:
    """Drop the standby email of a question that the webhook has accepted."""
    if message.reason == Kind.QUESTION and message.data:
        preferences.spare(webhook.account_id, [message.topic], message.data["question"])


def enable(webhook: Webhook) -> None:
    """Start to post to a webhook again."""
    webhook.disabled_at = webhook.failing_since = None
    webhook.save(update_fields=["disabled_at", "failing_since"])


def test(webhook: Webhook, now: datetime) -> Notification:
    """Send a test message without content now. If one is waiting already, return that one."""
    waiting = messages(webhook).filter(reason=TEST, state=State.READY).first()
    return waiting or outbox.add_message(CHANNEL_NAME, webhook.pk, TEST, now, topic=TEST)


def send_again(message: Notification, now: datetime) -> Notification:
    """Send a message again now, in any state."""
    outbox.send_again(message.pk, now)
    return message


def delete(webhook: Webhook) -> None:
    """Delete a webhook and its messages."""
    with transaction.atomic():
        messages(webhook).delete()
        webhook.delete()


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
                        _(
                            "It hasn’t accepted anything for too long, or it told us that it’s gone, so we’ve stopped "
                            "sending to it."
                        ),
                        _("We’re emailing you your questions again. Once your app is back, switch the webhook on."),
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


def outgoing_request(message: Notification, webhook: Webhook, now: datetime) -> OutgoingRequest:
    """Return the request for a message, signed now."""
    moment = write_moment(whole_second(message.created_at))
    body = json.dumps({"type": message.reason, "timestamp": moment, "data": message.data}, separators=(",", ":"))
    id = message_id(message)
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


class AlreadyThere(Exception):
    """The account has a webhook with this address already."""


def register_webhook(account: Any, url: str, kinds: Sequence[str], now: datetime) -> Webhook:
    """Store a new webhook of an account. Raises TooMany and AlreadyThere."""
    with transaction.atomic():
        _lock_webhooks(account)
        _check_free(account, url)
        if account.webhooks.count() >= MOST:
            raise TooMany
        return Webhook.objects.create(account=account, url=url, kinds=kinds, created_at=now)


def change_webhook(webhook: Webhook, changes: dict[str, Any]) -> Webhook:
    """Change the address or the kinds, or enable a webhook again (``enabled``). Raises AlreadyThere."""
    with transaction.atomic():
        _lock_webhooks(webhook.account)
        current = Webhook.objects.select_for_update().get(pk=webhook.pk)
        if changes.get("url", current.url) != current.url:
            _check_free(webhook.account, changes["url"])
        current.url, current.kinds = changes.get("url", current.url), changes.get("kinds", current.kinds)
        current.save(update_fields=["url", "kinds"])
        if changes.get("enabled"):
            enable(current)
        return current


def _lock_webhooks(account: Any) -> None:
    """Lock the webhooks of an account until the end of the transaction."""
    get_user_model().objects.select_for_update(no_key=True).only("pk").get(pk=account.pk)


def _check_free(account: Any, url: str) -> None:
    if account.webhooks.filter(url=url).exists():
        raise AlreadyThere
