"""Slack: a message to a channel, also on servers with the same webhooks.

See https://docs.slack.dev/messaging/sending-messages-using-incoming-webhooks.
"""

import json
import re
from typing import Final

from django.utils.translation import gettext_lazy

from notifications.channels.base import BREAK, ChatApp, ChatMessage, HookChannel
from notifications.outgoing import OutgoingRequest

_SWITCHES: Final = {"link_names": False, "parse": "none", "unfurl_links": False, "unfurl_media": False}
_LOOKALIKES: Final = str.maketrans({"*": "∗", "`": "ˋ", "~": "∼", "|": "ǀ"})
_FORMATTING: Final = re.compile(r"_|\](?=[(\[:])|(?<!\d):(?=[^\s:]+:)")
"""Underscores around a word, the middle of a link, and signs that begin an emoji. A time is left alone."""
_BLOCK: Final = re.compile(r"\s*(?:[#>=+-]|\d+[.)])")
"""Signs that make the line that they begin a title, a quotation, a rule or a list item."""


class Slack(HookChannel, ChatApp):
    """Slack, Mattermost and other apps with the same webhooks. A message has the headline and the subject."""

    app = "Slack, Mattermost"
    label = gettext_lazy("by Slack or Mattermost")
    description = "to your channel on Slack or Mattermost, whose webhook is one of your `secrets`"
    secret_label = gettext_lazy("Your webhook on Slack or Mattermost")
    secret_help = gettext_lazy(
        "Create an incoming webhook for one of your channels and copy its URL. Everyone in that channel can read the "
        "notifications."
    )

    can_edit = False
    handle_shape = re.compile(r"[UW][A-Z0-9]{6,20}|@(?!(?:all|channel|everyone|here)[._-]*\Z)[a-z][a-z0-9._-]{2,63}")
    handle_help = gettext_lazy(
        "Slack: your member ID, such as U012AB3CD, from the menu of your profile. Mattermost: your name with @, such "
        "as @maryam."
    )

    def chat_request(self, address: str, secret: str, message: ChatMessage) -> OutgoingRequest:
        """Return the request that posts a message. Its id is not returned, so it cannot be edited."""
        content = {"text": self.escaped_message(message), "mrkdwn": bool(message.handle), **_SWITCHES}
        body = json.dumps(content, ensure_ascii=False).encode()
        return OutgoingRequest(secret, body, {"Content-Type": "application/json"})

    def escape_line(self, line: str) -> str:
        """Return a line without mentions, links and formatting.

        Slack has no escapes for its formatting, and shows those of Mattermost. So signs are replaced by similar ones,
        or separated by invisible characters.
        """
        line = _FORMATTING.sub(rf"{BREAK}\g<0>{BREAK}", line.translate(_LOOKALIKES))
        line = f"{BREAK}{line}" if _BLOCK.match(line) else line
        return line.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;")

    def mention(self, handle: str) -> str:
        """Return the text that Slack shows as a name. Mattermost recognises the name itself."""
        return handle if handle.startswith("@") else f"<@{handle}>"


CHANNEL: Final = Slack()
