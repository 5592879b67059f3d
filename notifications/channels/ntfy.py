"""ntfy: a message to a topic of the reader. See https://docs.ntfy.sh/publish/#publish-as-json.

A topic that only its owner may use needs an access token, too.
"""

import json
import re
from datetime import datetime
from typing import Final

from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from notifications.channels.base import ForbiddenSecret, SecretChannel, page_link
from notifications.kinds import Urgency, kind_of, urgency_of
from notifications.models import Notification
from notifications.outgoing import ForbiddenAddress, OutgoingRequest

_ADDRESS: Final = re.compile(r"(?P<server>https?://[^/?#]+/)(?P<topic>[A-Za-z0-9_-]{1,64})")
_TOKEN: Final = re.compile(r"tk_[A-Za-z0-9]{1,200}")
_PRIORITIES: Final = {Urgency.LOW: 2, Urgency.NORMAL: 3, Urgency.HIGH: 4}
"""Phones make a sound from priority 3 on, and vibrate longer for 4."""
_TAGS: Final = {
    "question": "game_die",
    "reminder": "hourglass_flowing_sand",
    "game": "checkered_flag",
    "chat": "speech_balloon",
    "invitation": "envelope",
}
"""The names of emoji, which ntfy shows before the title."""


class Ntfy(SecretChannel):
    """ntfy, on any public server. A message has the headline and the subject, and opens the page of the game."""

    app = "ntfy"
    label = gettext_lazy("by ntfy")
    description = (
        "to your topic on ntfy, whose address is one of your `addresses`, and whose access token, if it needs one, is "
        "one of your `secrets`"
    )
    is_secret_required = False
    address_label = gettext_lazy("Your topic on ntfy")
    address_help = gettext_lazy(
        "The address of the topic, such as https://ntfy.sh/my-secret-topic. Anyone who knows it can read your "
        "notifications."
    )
    secret_label = gettext_lazy("The access token for your topic")
    secret_help = gettext_lazy("Only for a topic that you’ve reserved. It starts with “tk_”.")

    def check_address(self, address: str) -> None:
        """Raise ForbiddenAddress for an address that is not a topic on a public server."""
        super().check_address(address)
        if not _ADDRESS.fullmatch(address):
            raise ForbiddenAddress(
                _(
                    "Write the address of one topic: https://, a server, a slash, and the topic’s name of "
                    "letters, digits, - and _."
                )
            )

    def check_secret(self, secret: str) -> None:
        """Raise ForbiddenSecret for an invalid token."""
        if not _TOKEN.fullmatch(secret):
            raise ForbiddenSecret(_("An ntfy access token is “tk_” followed by letters and digits."))

    def request_with_secret(
        self, address: str, secret: str, notification: Notification, now: datetime
    ) -> OutgoingRequest:
        """Return the request that publishes the message."""
        rendered, parts = notification.content(), _ADDRESS.fullmatch(address)
        assert parts  # The settings accept only valid addresses.
        message = {
            "topic": parts["topic"],
            "title": self.escaped(rendered.headline),
            "message": self.escaped(rendered.subject),
            "markdown": False,
            "priority": _PRIORITIES[urgency_of(notification.reason)],
            "tags": [tag] if (tag := _TAGS.get(kind_of(notification.reason) or "")) else [],
            "click": page_link(rendered),
        }
        body = json.dumps(message, ensure_ascii=False).encode()
        authorization = {"Authorization": f"Bearer {secret}"} if secret else {}
        return OutgoingRequest(parts["server"], body, {"Content-Type": "application/json", **authorization})


CHANNEL: Final = Ntfy()
