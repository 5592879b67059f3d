"""The notifications\' part of the data of an account (``settings.ACCOUNT_DATA_PROVIDERS``)."""

from datetime import datetime
from typing import Any

from notifications.endpoints import Device, Webhook
from notifications.models import Notification, RawMail
from notifications.recipients import preferences

_WISHES = (
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
    """Return what somebody wants to be told, and a list of the notifications to them: when, why, and what became of
    them.
    """
    wanted = preferences.of(account)
    notifications = Notification.objects.filter(account=account).order_by("created_at")
    return {
        "preferences": {name: getattr(wanted, name) for name in _WISHES},
        "notifications": list(notifications.values("reason", "topic", "channel", "state", "created_at", "sent_at")),
        "webhooks": list(Webhook.objects.filter(account=account).values("url", "kinds", "created_at")),
        "devices": list(Device.objects.filter(account=account).values("name", "created_at")),
    }


def delete_data(account: Any, now: datetime) -> None:
    """Forget notifications to its address that belong to no account, and what came from there. Its own go with it."""
    Notification.objects.filter(account=None, address__iexact=account.email).delete()
    read = RawMail.objects.exclude(state=RawMail.State.RECEIVED)
    read.filter(sender__iexact=account.email).update(raw=b"", sender=None)
