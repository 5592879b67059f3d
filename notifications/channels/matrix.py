"""Matrix: a message to a room. See https://spec.matrix.org/v1.13/client-server-api/."""

import json
import re
from collections.abc import Mapping
from typing import Any, Final
from urllib.parse import quote

from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from notifications.channels.base import ChatApp, ChatMessage, ForbiddenSecret, SecretChannel
from notifications.outgoing import ForbiddenAddress, OutgoingRequest

_ROOM: Final = re.compile(r"(?P<server>https?://[^/?#]+)/(?P<room>![^/?#]{1,250})")
_TOKEN: Final = re.compile(r"[A-Za-z0-9._~+/=-]{8,400}")


class Matrix(SecretChannel, ChatApp):
    """Matrix, on any public homeserver. A question is a text. Other notifications are notices, which make no sound."""

    app = "Matrix"
    label = gettext_lazy("by Matrix")
    description = (
        "to your room on Matrix, which is one of your `addresses`, by an access token, which is one of your `secrets`"
    )
    address_label = gettext_lazy("Your room on Matrix")
    address_help = gettext_lazy(
        "The address of the homeserver, a slash, and the internal room ID from the room’s settings, such as "
        "https://matrix.example.org/!room:example.org."
    )
    secret_label = gettext_lazy("An access token for Matrix")
    secret_help = gettext_lazy(
        "Log in as an account made for this purpose, invite it to the room, and copy its access token from “Help & "
        "About”. Your own account wouldn’t notify you of its own messages."
    )

    handle_shape = re.compile(r"@[A-Za-z0-9._=/+-]{1,100}:[A-Za-z0-9.-]{1,100}(?::[0-9]{1,5})?")
    handle_help = gettext_lazy("Matrix: your user ID, such as @maryam:example.org.")

    def check_address(self, address: str) -> None:
        """Raise ForbiddenAddress for an address that is not a room on a public server."""
        super().check_address(address)
        if not _ROOM.fullmatch(address):
            raise ForbiddenAddress(
                _("Write the address of the homeserver, a slash, and the internal room ID, which starts with “!”.")
            )

    def check_secret(self, secret: str) -> None:
        """Raise ForbiddenSecret for an invalid access token."""
        if not _TOKEN.fullmatch(secret):
            raise ForbiddenSecret(_("An access token for Matrix has letters, digits and symbols, and no spaces."))

    def chat_request(self, address: str, secret: str, message: ChatMessage) -> OutgoingRequest:
        """Return the request that sends a message, perhaps in place of an earlier one."""
        parts = _ROOM.fullmatch(address)
        assert parts  # The settings accept only valid addresses.
        text = self.escaped_message(message)
        content: dict[str, Any] = {
            "msgtype": "m.text" if message.is_loud else "m.notice",
            "body": text,
            # Without it, clients look for names and @room in the body.
            "m.mentions": {"user_ids": [message.handle]} if message.handle else {},
        }
        if message.edited:
            replaces = {"rel_type": "m.replace", "event_id": message.edited}
            content = {**content, "body": f"* {text}", "m.new_content": content, "m.relates_to": replaces}
        room = quote(parts["room"], safe="")
        url = f"{parts['server']}/_matrix/client/v3/rooms/{room}/send/m.room.message/{message.key}"
        headers = {"Content-Type": "application/json", "Authorization": f"Bearer {secret}"}
        return OutgoingRequest(url, json.dumps(content, ensure_ascii=False).encode(), headers, "PUT")

    def message_name(self, answer: Mapping[str, Any]) -> Any:
        return answer["event_id"]


CHANNEL: Final = Matrix()
