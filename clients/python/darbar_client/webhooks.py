"""Messages that a server posts to a webhook, checked after Standard Webhooks."""

from collections.abc import Mapping
from typing import Any

from standardwebhooks import Webhook, WebhookVerificationError

from darbar_client.errors import DarbarError


class NotSigned(DarbarError):
    """A message that was not signed by the server, or that is too old."""


def read(secret: str, headers: Mapping[str, str], body: str | bytes) -> dict[str, Any]:
    """Return the message: ``type``, ``timestamp`` and ``data``. Raises NotSigned.

    The header ``webhook-id`` is the same for every attempt to deliver a message. Store it, and process each message
    once.
    """
    text = body.decode() if isinstance(body, bytes) else body
    try:
        message: dict[str, Any] = Webhook(secret).verify(text, {name.lower(): value for name, value in headers.items()})
    except WebhookVerificationError as error:
        raise NotSigned(str(error)) from error
    return message
