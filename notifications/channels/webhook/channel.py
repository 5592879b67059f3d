"""Webhooks: they are told by stream events (``notifications.webhooks``), so the outbox holds no rows for them."""

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

    def open_to(self, accounts: Collection[int], wanted: Mapping[int, Preferences]) -> Mapping[int, Collection[str]]:
        """Return the kinds that webhooks accept, for the accounts that chose them and have no failing webhook."""
        choosing = [account for account in accounts if account in wanted and self._is_chosen(wanted[account])]
        kinds: dict[int, set[str]] = {}
        if choosing:
            rows = Webhook.objects.filter(account__in=choosing, disabled_at=None, failing_since=None)
            for account, taken in rows.values_list("account_id", "kinds"):
                kinds.setdefault(account, set()).update(taken)
        return kinds

    def _is_chosen(self, wanted: Preferences) -> bool:
        return any(self.name in channels for channels in wanted.channels.values())


CHANNEL: Final = WebhookChannel()
