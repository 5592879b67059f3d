"""Webhooks as a channel: a reader whose program gets questions needs no email about them.

Webhooks get stream events (``notifications.webhooks``), so the outbox has no rows for them.
"""

from collections.abc import Collection, Mapping
from typing import Final

from django.utils.translation import gettext_lazy

from notifications.channels.base import Channel
from notifications.endpoints import Webhook
from notifications.models import Preferences


class WebhookChannel(Channel):
    """The working webhooks of an account."""

    label = gettext_lazy("to my webhook")
    description = "your program is told, so no email is needed"
    is_usual = False

    def open_to(self, accounts: Collection[int], stored: Mapping[int, Preferences]) -> Mapping[int, Collection[str]]:
        """Return the kinds that webhooks accept, for the accounts that chose them and have no failing webhook."""
        webhook_accounts = [account for account in accounts if account in stored and self._is_chosen(stored[account])]
        kinds: dict[int, set[str]] = {}
        if webhook_accounts:
            rows = Webhook.objects.filter(account__in=webhook_accounts, disabled_at=None, failing_since=None)
            for account, webhook_kinds in rows.values_list("account_id", "kinds"):
                kinds.setdefault(account, set()).update(webhook_kinds)
        return kinds

    def _is_chosen(self, account_preferences: Preferences) -> bool:
        return any(self.name in channels for channels in account_preferences.channels.values())


CHANNEL: Final = WebhookChannel()
