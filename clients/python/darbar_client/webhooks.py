"""Messages that a server posts to a webhook, checked after Standard Webhooks."""

from collections.abc import Mapping
from typing import Any

from standardwebhooks import Webhook, WebhookVerificationError

from darbar_client.errors import DarbarError


class NotSigned(DarbarError):
    """A message that does not come from the server, or came too late."""


def read(secret: str, headers: Mapping[str, str], body: str | bytes) -> dict[str, Any]:
    """Return the message: ``type``, ``timestamp`` and ``data``. NotSigned.

    The header ``webhook-id`` is the same for every try of a message: keep it, and take each message once.
    """
    text = body.decode() if isinstance(body, bytes) else body
    try:
        message: dict[str, Any] = Webhook(secret).verify(text, {name.lower(): value for name, value in headers.items()})
    except WebhookVerificationError as error:
        raise NotSigned(str(error)) from error
    return message
