"""ntfy: a message to a topic of the reader. See https://docs.ntfy.sh/publish/#publish-as-json."""

import json
import re
from datetime import datetime
from typing import Final

from django.conf import settings
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from notifications.channels.base import AddressedChannel
from notifications.models import Notification
from notifications.outgoing.address_policy import ForbiddenAddress
from notifications.outgoing.http_client import OutgoingRequest

_ADDRESS: Final = re.compile(r"(?P<server>https?://[^/?#]+/)(?P<topic>[A-Za-z0-9_-]{1,64})")


class Ntfy(AddressedChannel):
    """ntfy, on any public server. A message has the headline and the subject, and opens the pages."""

    app = "ntfy"
    label = gettext_lazy("by ntfy")
    description = "to your topic on ntfy, whose address is one of your `addresses`"
    address_label = gettext_lazy("Your topic on ntfy")
    address_help = gettext_lazy(
        "The address of the topic, such as https://ntfy.sh/my-secret-topic. Anyone who knows it can read what "
        "comes there."
    )

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

    def outgoing_request(self, address: str, notification: Notification, now: datetime) -> OutgoingRequest:
        """Return the request that publishes the message."""
        rendered, parts = notification.content(), _ADDRESS.fullmatch(address)
        assert parts  # The settings accept only valid addresses.
        message = {
            "topic": parts["topic"],
            "title": self.escaped(rendered.headline),
            "message": self.escaped(rendered.subject),
            "markdown": False,
            "click": f"{settings.PUBLIC_URL}/",
        }
        body = json.dumps(message, ensure_ascii=False).encode()
        return OutgoingRequest(parts["server"], body, {"Content-Type": "application/json"})


CHANNEL: Final = Ntfy()
