"""Signatures of Standard Webhooks. Secrets are not stored: they are derived from the server's key."""

import base64
import json
from datetime import datetime
from typing import Final

from standardwebhooks import Webhook as Signer

from config.core.clock import whole_second, write_moment
from config.core.crypto import keyed_hashes
from notifications.endpoints import OVERLAP, Delivery, Webhook
from notifications.outgoing.http_client import OutgoingRequest

_PREFIX: Final = "whsec_"


def secret(webhook: Webhook, number: int | None = None) -> str:
    """Return the secret with which the receiver checks signatures. Earlier secrets have lower numbers."""
    return _secrets_of_number(webhook, webhook.secret_number if number is None else number)[0]


def _secrets_of_number(webhook: Webhook, number: int) -> list[str]:
    """Return the secret of this number with the present key, and with earlier keys, which receivers may still use."""
    hashes = keyed_hashes("notifications.webhooks", f"{webhook.pk}|{number}")
    return [_PREFIX + base64.b64encode(hash_).decode() for hash_ in hashes]


def outgoing_request(delivery: Delivery, webhook: Webhook, now: datetime) -> OutgoingRequest:
    """Return the request for a message, signed now."""
    moment = write_moment(whole_second(delivery.at))
    body = json.dumps({"type": delivery.kind, "timestamp": moment, "data": delivery.data}, separators=(",", ":"))
    id = f"msg_{delivery.public_id}"
    signatures = [Signer(key).sign(id, now, body) for key in _secrets(webhook, now)]
    return OutgoingRequest(
        webhook.url,
        body.encode(),
        {
            "Content-Type": "application/json",
            "webhook-id": id,
            "webhook-timestamp": str(int(now.timestamp())),
            "webhook-signature": " ".join(signatures),
        },
    )


def _secrets(webhook: Webhook, now: datetime) -> list[str]:
    """Return the present secret, and for a while after a change the former one."""
    is_changing = webhook.rotated_at is not None and now < webhook.rotated_at + OVERLAP
    numbers = [webhook.secret_number, *([webhook.secret_number - 1] if is_changing else [])]
    return [key for number in numbers for key in _secrets_of_number(webhook, number)]


def rotate(webhook: Webhook, now: datetime) -> str:
    """Give a webhook a new secret, and return it."""
    webhook.secret_number += 1
    webhook.rotated_at = now
    webhook.save(update_fields=["secret_number", "rotated_at"])
    return secret(webhook)
