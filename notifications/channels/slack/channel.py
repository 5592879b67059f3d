"""A notification as a message to a channel of Slack, or of a server that takes the same webhooks."""

import json
import re
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
    handle_shape = re.compile(r"[UW][A-Z0-9]{6,20}|@(?!(?:all|channel|everyone|here)[._-]*\Z)[a-z][a-z0-9._-]{2,63}")
    handle_help = gettext_lazy(
        "Slack: your member ID, such as U012AB3CD, from the menu of your profile. Mattermost: your name with @, such "
        "as @maryam."
    )

    def chat_request(self, address: str, secret: str, message: ChatMessage) -> OutgoingRequest:
        """Return the message that is posted. Nobody is told its name, so it cannot be edited."""
        text = escaped(message.text)
        if message.handle:
            text = text.replace(escaped(self.mention(message.handle)), self.mention(message.handle))
        body = json.dumps({"text": text, "mrkdwn": bool(message.handle)}, ensure_ascii=False).encode()
        return OutgoingRequest(secret, body, {"Content-Type": "application/json"})

    def mention(self, handle: str) -> str:
        """Return the writing that Slack shows as a name; Mattermost knows the name itself."""
        return handle if handle.startswith("@") else f"<@{handle}>"


def escaped(text: str) -> str:
    """Return a text in which Slack finds no mention and no link of its own kind."""
    return text.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;")


CHANNEL: Final = Slack()
