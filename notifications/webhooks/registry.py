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
"""The number of webhooks an account may have."""


class TooMany(Exception):
    """The account has as many webhooks as it may have."""


def limit_sentence() -> str:
    """Return the message for an account that has the maximum number of webhooks."""
    return _("You have %(most)s webhooks, which is the limit. Delete one first.") % {"most": MOST}


class AlreadyThere(Exception):
    """The account has a webhook at this address."""


def register(account: Any, url: str, kinds: Sequence[str], now: datetime) -> Webhook:
    """A new webhook of ``account``. TooMany, AlreadyThere."""
    with transaction.atomic():
        _alone(account)
        _check_free(account, url)
        if account.webhooks.count() >= MOST:
            raise TooMany
        return Webhook.objects.create(account=account, url=url, kinds=kinds, created_at=now, next_attempt_at=now)


def change(webhook: Webhook, changes: dict[str, Any], now: datetime) -> Webhook:
    """Change address or kinds, or switch it on again (``enabled``). AlreadyThere."""
    with transaction.atomic():
        _alone(webhook.account)
        kept = Webhook.objects.select_for_update().get(pk=webhook.pk)
        if changes.get("url", kept.url) != kept.url:
            _check_free(webhook.account, changes["url"])
        kept.url, kept.kinds = changes.get("url", kept.url), changes.get("kinds", kept.kinds)
        kept.save(update_fields=["url", "kinds"])
        if changes.get("enabled"):
            enable(kept, now)
        return kept


def _alone(account: Any) -> None:
    """Lock the webhooks of an account until the end of the transaction."""
    get_user_model().objects.select_for_update(no_key=True).only("pk").get(pk=account.pk)


def _check_free(account: Any, url: str) -> None:
    if account.webhooks.filter(url=url).exists():
        raise AlreadyThere
