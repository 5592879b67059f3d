"""Web Push: a notification to all devices of its reader.

It contains the headline and the subject, which have no secrets, and a link to a page that requires a log-in.
"""

import json
from base64 import urlsafe_b64encode
from collections.abc import Collection, Mapping, Sequence
from datetime import datetime
from hashlib import sha256
from typing import Final

from django.conf import settings
from django.utils.translation import gettext_lazy

from config.core.database.rows import array, find
from notifications.channels.base import GONE, ChannelError, PostingChannel
from notifications.channels.push.encryption import outgoing_request
from notifications.content.kinds import KINDS
from notifications.endpoints import Device
from notifications.models import Notification, Preferences
from notifications.outgoing.http_client import Answer, Outcome, OutgoingRequest

_WITH_DEVICES: Final = "SELECT DISTINCT account_id FROM notifications_device WHERE account_id = ANY(%s::bigint[])"


class Push(PostingChannel):
    """Web Push, signed with VAPID (RFC 8292)."""

    label = gettext_lazy("on my devices")
    description = "to your devices"

    def open_to(self, accounts: Collection[int], stored: Mapping[int, Preferences]) -> Mapping[int, Collection[str]]:
        """Return the accounts with a device."""
        return {account: KINDS for (account,) in find(_WITH_DEVICES, [array(accounts)])}

    def outgoing_requests(self, notification: Notification, now: datetime) -> Sequence[OutgoingRequest]:
        message = _message(notification)
        devices = Device.objects.filter(account=notification.account_id)
        return [outgoing_request(device, message, _topic(notification), now) for device in devices]

    def settle(self, notification: Notification, outcomes: Mapping[str, Outcome]) -> None:
        """Record the results. One device that accepted the message is enough. Devices that do not exist are deleted."""
        dead = [url for url, outcome in outcomes.items() if isinstance(outcome, Answer) and outcome.status in GONE]
        Device.objects.filter(account=notification.account_id, endpoint__in=dead).delete()
        if not any(isinstance(outcome, Answer) and outcome.is_accepted for outcome in outcomes.values()):
            raise ChannelError("no device accepted it", permanent=len(dead) == len(outcomes))


def _message(notification: Notification) -> bytes:
    rendered = notification.content()
    message = {
        "title": CHANNEL.escaped(rendered.headline),
        "body": CHANNEL.escaped(rendered.subject),
        "lang": rendered.language,
        "tag": _topic(notification),
        "url": f"{settings.PUBLIC_URL}/",
    }
    return json.dumps(message, ensure_ascii=False).encode()


def _topic(notification: Notification) -> str:
    """Return the topic of a push. A later notification about a question replaces an earlier one."""
    subject = f"{notification.account_id}|{notification.topic}|{notification.question}"
    return urlsafe_b64encode(sha256(subject.encode()).digest()).decode()[:24]


CHANNEL: Final = Push()
