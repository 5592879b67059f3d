"""A notification as a message to a channel of Slack, or of a server that takes the same webhooks."""

import json
from typing import Final

from django.utils.translation import gettext_lazy

from notifications.channels.base import ChatApp, ChatMessage, HookChannel
from notifications.outgoing.http_client import OutgoingRequest


class Slack(HookChannel, ChatApp):
    """Slack, Mattermost and whoever takes their webhooks. A message holds the headline and the subject."""

    app = "Slack, Mattermost"
    label = gettext_lazy("by Slack or Mattermost")
    description = "to your channel on Slack or Mattermost, whose webhook is one of your `secrets`"
    secret_label = gettext_lazy("Your webhook on Slack or Mattermost")
    secret_help = gettext_lazy(
        "Create an incoming webhook for one of your channels and copy its URL. Everybody in that channel reads the "
        "notifications."
    )

    can_edit = False

    def chat_request(self, address: str, secret: str, message: ChatMessage) -> OutgoingRequest:
        """Return the message that is posted. Nobody is told its name, so it cannot be edited."""
        body = json.dumps({"text": escaped(message.text), "mrkdwn": False}, ensure_ascii=False).encode()
        return OutgoingRequest(secret, body, {"Content-Type": "application/json"})


def escaped(text: str) -> str:
    """Return a text in which Slack finds no mention and no link of its own kind."""
    return text.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;")


CHANNEL: Final = Slack()
