"""Another SECRET_KEY: reply addresses, webhooks and opt-outs of before still hold while the former key is named."""

from typing import Any
from uuid import UUID

import pytest
from django.utils import timezone
from standardwebhooks import Webhook as Receiver
from standardwebhooks import WebhookVerificationError

from accounts.models import Account
from notifications import deliverability, reply_addresses, webhooks
from notifications.deliverability import Failure
from notifications.endpoints import Webhook
from notifications.models import Notification
from tests.notifications.outbox_rows import NOON

pytestmark = pytest.mark.django_db
FORMER, PRESENT = "the former key of this server", "the present key of this server"


@pytest.fixture(autouse=True)
def former_key(settings: Any) -> None:
    settings.SECRET_KEY, settings.SECRET_KEY_FALLBACKS = FORMER, []


def change_key(settings: Any, *former: str) -> None:
    settings.SECRET_KEY, settings.SECRET_KEY_FALLBACKS = PRESENT, list(former)


def test_reply_addresses_of_before_are_read_while_the_former_key_is_named(settings: Any) -> None:
    before = reply_addresses.address(reply_addresses.SEAT, "game-1")
    change_key(settings, FORMER)
    assert reply_addresses.read(before) == (reply_addresses.SEAT, "game-1")
    assert reply_addresses.address(reply_addresses.SEAT, "game-1") != before
    change_key(settings)
    assert reply_addresses.read(before) is None


def test_who_wanted_no_more_emails_gets_none_even_after_the_former_key_is_forgotten(settings: Any) -> None:
    deliverability.suppress("kaveh@example.org", NOON)
    deliverability.suppress("dariush@example.org", NOON)
    deliverability.note("kaveh@example.org", Failure.COMPLAINT, NOON, NOON)
    change_key(settings, FORMER)
    assert deliverability.is_suppressed("Kaveh+games@example.org")
    assert deliverability.closed_of(["kaveh@example.org", "maryam@example.org"]) == {"kaveh@example.org"}
    deliverability.allow("dariush@example.org")
    assert not deliverability.is_suppressed("dariush@example.org")
    change_key(settings)
    assert deliverability.is_suppressed("kaveh@example.org"), "it was noted anew when something would have gone there"


def test_receivers_of_webhooks_believe_both_secrets_while_the_former_key_is_named(
    settings: Any, maryam: Account
) -> None:
    webhook = Webhook.objects.create(account=maryam, url="https://a.example", kinds=["question"], created_at=NOON)
    message = Notification(key=f"{UUID(int=7)}:{webhook.pk}", reason="question", data={}, created_at=NOON)
    before = webhooks.secret(webhook)
    change_key(settings, FORMER)
    now = timezone.now()
    request = webhooks.outgoing_request(message, webhook, now)
    after = webhooks.secret(webhook)
    assert before != after
    for secret in (before, after):
        verify(secret, request)
    change_key(settings)
    with pytest.raises(WebhookVerificationError):
        verify(before, webhooks.outgoing_request(message, webhook, now))


def verify(secret: str, request: Any) -> None:
    """Check a message as its receiver does. WebhookVerificationError."""
    Receiver(secret).verify(request.body, request.headers)
