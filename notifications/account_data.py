"""The notifications' part of the data of an account (``settings.ACCOUNT_DATA_PROVIDERS``)."""

from datetime import datetime
from typing import Any

from notifications import preferences
from notifications.endpoints import Device, Webhook
from notifications.models import Notification, RawMail

_PREFERENCES = (
    "mails",
    "digest",
    "digest_every",
    "digest_at",
    "quiet_from",
    "quiet_to",
    "reminders",
    "learns_hours",
    "usual_hours",
    "receipts",
    "only_aimed",
    "news",
    "muted",
    "channels",
    "addresses",
)


def export_data(account: Any) -> dict[str, Any]:
    """Return the preferences of an account, and the reason, time and state of each of its notifications."""
    account_preferences = preferences.of(account)
    notifications = Notification.objects.filter(account=account).order_by("created_at")
    return {
        "preferences": {name: getattr(account_preferences, name) for name in _PREFERENCES},
        "notifications": list(notifications.values("reason", "topic", "channel", "state", "created_at", "sent_at")),
        "webhooks": list(Webhook.objects.filter(account=account).values("url", "kinds", "created_at")),
        "devices": list(Device.objects.filter(account=account).values("name", "created_at")),
    }


def delete_data(account: Any, now: datetime) -> None:
    """Delete messages to the account's webhooks, and emails to and from its address that belong to no account.

    The account's own notifications are deleted with its row.
    """
    forget_address(account.email)
    Notification.objects.filter(endpoint__in=Webhook.objects.filter(account=account).values("pk")).delete()


def forget_address(address: str) -> None:
    """Delete emails to and from a canonical address that belong to no account."""
    Notification.objects.filter(account=None, address=address).delete()
    processed_mail = RawMail.objects.exclude(state=RawMail.State.RECEIVED)
    processed_mail.filter(sender=address).update(raw=b"", sender=None)
