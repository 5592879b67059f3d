"""The webhooks of accounts: registering and changing them."""

from collections.abc import Sequence
from datetime import datetime
from typing import Any, Final

from django.contrib.auth import get_user_model
from django.db import transaction
from django.utils.translation import gettext as _

from notifications.endpoints import Webhook
from notifications.webhooks.posting import enable

MOST: Final = 10
"""The most webhooks of an account."""


class TooMany(Exception):
    """The account has the most webhooks that are allowed."""


def limit_sentence() -> str:
    """Return the message for an account that has the maximum number of webhooks."""
    return _("You have %(most)s webhooks, which is the limit. Delete one first.") % {"most": MOST}


class AlreadyThere(Exception):
    """The account has a webhook with this address already."""


def register(account: Any, url: str, kinds: Sequence[str], now: datetime) -> Webhook:
    """Store a new webhook of an account. Raises TooMany and AlreadyThere."""
    with transaction.atomic():
        _lock_webhooks(account)
        _check_free(account, url)
        if account.webhooks.count() >= MOST:
            raise TooMany
        return Webhook.objects.create(account=account, url=url, kinds=kinds, created_at=now, next_attempt_at=now)


def change(webhook: Webhook, changes: dict[str, Any], now: datetime) -> Webhook:
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
