"""Discord: a message to a channel, by an incoming webhook.

See https://discord.com/developers/docs/resources/webhook.
"""

import json
import re
from collections.abc import Mapping
from typing import Any, Final
from urllib.parse import parse_qs, urlencode, urlsplit

from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from notifications.channels.base import ChatApp, ChatMessage, ForbiddenSecret, HookChannel
from notifications.outgoing import OutgoingRequest

_PATH: Final = re.compile(r"/api/(v\d+/)?webhooks/\d+/[A-Za-z0-9_-]+")
_QUERY: Final = re.compile(r"(?:wait=(?:true|false)&)?thread_id=\d{1,20}(?:&wait=(?:true|false))?|")
"""The query of a webhook's URL. Messages go to the thread with this id."""
_FORMATTING: Final = re.compile(r"[\\*_~`|\[<]|(?<!\d):(?=[^\s:]+:)|:(?=//)")
"""Signs that begin formatting, a mention, an emoji or a link. Names may contain them. A time is left alone."""
_LIST: Final = re.compile(r"^(\s*(?:\d+(?=\. )|))([#>.-])")
"""Signs that make the line that they begin a title, a quotation or a list item."""
_LONGEST: Final = 2000
"""The most characters of a message."""


class Discord(HookChannel, ChatApp):
    """Discord. A message has the headline, the subject and a link to the pages. It mentions at most one person."""

    app = "Discord"
    label = gettext_lazy("by Discord")
    description = "to your channel on Discord, whose webhook is one of your `secrets`"
    secret_label = gettext_lazy("Your webhook on Discord")
    secret_help = gettext_lazy(
        "In Discord, open a channel of your own server, then “Edit channel”, “Integrations” and “Webhooks”. Copy the "
        "webhook URL. Everyone in that channel can read the notifications. For a thread, add ?thread_id= and its ID."
    )

    handle_shape = re.compile(r"[0-9]{15,20}")
    handle_help = gettext_lazy(
        "Discord: your user ID, a number of 15 to 20 digits. Turn on developer mode, then copy the ID from the menu "
        "of your name."
    )

    def check_secret(self, secret: str) -> None:
        """Raise ForbiddenSecret for anything other than a webhook of Discord."""
        super().check_secret(secret)
        parts = urlsplit(secret)
        if not _PATH.fullmatch(parts.path) or not _QUERY.fullmatch(parts.query) or parts.fragment:
            raise ForbiddenSecret(
                _("A Discord webhook URL looks like https://discord.com/api/webhooks/ with a number and a token.")
            )

    def chat_request(self, address: str, secret: str, message: ChatMessage) -> OutgoingRequest:
        """Return the request that posts or edits a message. The answer to a new message has its id."""
        text, mentions = self.escaped_message(message), {"users": [message.handle]} if message.handle else {}
        content = {"content": text[:_LONGEST], "allowed_mentions": {"parse": [], **mentions}}
        body, headers = json.dumps(content, ensure_ascii=False).encode(), {"Content-Type": "application/json"}
        url, _, query = secret.partition("?")
        thread = {name: value for name, value in parse_qs(query).items() if name == "thread_id"}
        if message.edited:
            url, query = f"{url}/messages/{message.edited}", urlencode(thread, doseq=True)
            return OutgoingRequest(f"{url}?{query}" if query else url, body, headers, "PATCH")
        return OutgoingRequest(f"{url}?{urlencode({'wait': 'true', **thread}, doseq=True)}", body, headers)

    def escape_line(self, line: str) -> str:
        return _LIST.sub(r"\1\\\2", _FORMATTING.sub(r"\\\g<0>", line))

    def mention(self, handle: str) -> str:
        """Return the text that Discord shows as a name."""
        return f"<@{handle}>"

    def message_name(self, answer: Mapping[str, Any]) -> Any:
        return answer["id"]


CHANNEL: Final = Discord()
