"""Test messages: one for each channel with an address, sent on request to check whether it arrives."""

from datetime import datetime
from typing import Any, Final

from django.utils.translation import gettext as _
from django.utils.translation import override

from notifications.channels.registry import personal
from notifications.content.rendered_notification import RenderedNotification
from notifications.delivery import outbox
from notifications.models import Notification, State
from notifications.recipients import preferences

REASON: Final = "test"
"""The reason of a test message."""


def send(account: Any, channel: str, now: datetime) -> bool:
    """Send a test message by one channel of an account; return False where the account has no place there."""
    found, wanted = personal().get(channel), preferences.said_by(account)
    if found is None or wanted is None or not found.open_to([account.pk], {account.pk: wanted}):
        return False
    with override(account.language):
        rendered = RenderedNotification(
            account.language,
            subject=_("Your questions can come here."),
            headline=_("A test message from Darbar"),
        )
    order = outbox.NewNotification(f"{REASON}:{account.pk}:{channel}:{now.timestamp()}", REASON, account.pk)
    outbox.add_rendered(order, rendered, now, channel)
    return True


def last_outcomes(account: Any) -> dict[str, Notification]:
    """Return the latest notification to an account by each of its personal channels that was taken, or given up."""
    done = [State.SENT, State.FAILED]
    tried = Notification.objects.filter(account=account, channel__in=personal(), state__in=done)
    return {each.channel: each for each in tried.order_by("channel", "-created_at").distinct("channel")}
