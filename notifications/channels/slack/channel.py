"""A notification as a message to a channel of Slack, or of a server that takes the same webhooks."""

import json
from datetime import datetime
from typing import Final

from django.utils.translation import gettext_lazy

from notifications.channels.base import HookChannel, message_text
from notifications.models import Notification
from notifications.outgoing.http_client import OutgoingRequest


class Slack(HookChannel):
    """Slack, Mattermost and whoever takes their webhooks. A message holds the headline and the subject."""

    app = "Slack, Mattermost"
    label = gettext_lazy("by Slack or Mattermost")
    description = "to my channel on Slack or Mattermost, whose webhook is one of my `secrets`"
    secret_label = gettext_lazy("Your webhook on Slack or Mattermost")
    secret_help = gettext_lazy(
        "Create an incoming webhook for one of your channels and copy its URL. Everybody in that channel reads the "
        "notifications."
    )

    def outgoing_request(self, address: str, notification: Notification, now: datetime) -> OutgoingRequest:
        """Return the message that is posted."""
        message = {"text": escaped(message_text(notification)), "mrkdwn": False}
        body = json.dumps(message, ensure_ascii=False).encode()
        return OutgoingRequest(address, body, {"Content-Type": "application/json"})


def escaped(text: str) -> str:
    """Return a text in which Slack finds no mention and no link of its own kind."""
    return text.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;")


CHANNEL: Final = Slack()
