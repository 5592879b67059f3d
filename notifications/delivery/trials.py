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
    """Send a test message over a channel of an account. Return False if the account has no address for it."""
    recipient, stored = personal().get(channel), preferences.stored(account)
    if recipient is None or stored is None or not recipient.open_to([account.pk], {account.pk: stored}):
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
    """Return the last sent or failed notification to an account for each of its personal channels."""
    final_states = [State.SENT, State.FAILED]
    rows = Notification.objects.filter(account=account, channel__in=personal(), state__in=final_states)
    return {row.channel: row for row in rows.order_by("channel", "-created_at").distinct("channel")}
