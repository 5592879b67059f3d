"""Gotify: a message to an app on the reader's own server. See https://gotify.net/docs/pushmsg."""

import json
import re
from datetime import datetime
from typing import Final

from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from notifications.channels.base import ForbiddenSecret, SecretChannel, asks_question, page_link
from notifications.models import Notification
from notifications.outgoing import ForbiddenAddress, OutgoingRequest

LOUD: Final = 5
"""The priority of questions. Phones make a sound from priority 4 on."""
QUIET: Final = 2
"""The priority of all other notifications. Phones show them silently."""
_SERVER: Final = re.compile(r"https?://[^?#]+")
_TOKEN: Final = re.compile(r"[A-Za-z0-9._-]{1,200}")


class Gotify(SecretChannel):
    """Gotify, on any public server. A message has the headline and the subject, and opens the page of the game."""

    app = "Gotify"
    label = gettext_lazy("by Gotify")
    description = "to your app on Gotify, whose server is one of your `addresses` and whose token one of your `secrets`"
    address_label = gettext_lazy("Your Gotify server")
    address_help = gettext_lazy("Its public address, such as https://gotify.example.org/.")
    secret_label = gettext_lazy("The token of your Gotify app")
    secret_help = gettext_lazy("In Gotify, create an app for Darbar under “Apps” and copy its token.")

    def check_address(self, address: str) -> None:
        """Raise ForbiddenAddress for an address that is not a public server."""
        super().check_address(address)
        if not _SERVER.fullmatch(address):
            raise ForbiddenAddress(_("Write just the server’s address, without ? or #."))

    def check_secret(self, secret: str) -> None:
        """Raise ForbiddenSecret for an invalid token."""
        if not _TOKEN.fullmatch(secret):
            raise ForbiddenSecret(_("A Gotify token has only letters, digits, dots, hyphens and underscores."))

    def request_with_secret(
        self, address: str, secret: str, notification: Notification, now: datetime
    ) -> OutgoingRequest:
        """Return the request that posts the message."""
        rendered = notification.content()
        message = {
            "title": self.escaped(rendered.headline),
            "message": self.escaped(rendered.subject),
            "priority": LOUD if asks_question(notification) else QUIET,
            "extras": {
                "client::display": {"contentType": "text/plain"},
                "client::notification": {"click": {"url": page_link(rendered)}},
            },
        }
        body = json.dumps(message, ensure_ascii=False).encode()
        headers = {"Content-Type": "application/json", "X-Gotify-Key": secret}
        return OutgoingRequest(f"{address.rstrip('/')}/message", body, headers)


CHANNEL: Final = Gotify()
