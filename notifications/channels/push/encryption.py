"""Encryption (RFC 8291) and signature (RFC 8292) of messages to push services."""

from base64 import urlsafe_b64decode, urlsafe_b64encode
from collections.abc import Mapping
from datetime import datetime, timedelta
from functools import cache
from typing import Final
from urllib.parse import urlsplit

import http_ece
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.hazmat.primitives.serialization import Encoding, PublicFormat
from django.conf import settings
from py_vapid import Vapid02

from notifications.endpoints import Device
from notifications.outgoing.http_client import OutgoingRequest

KEPT: Final = timedelta(days=1)
"""How long a push service keeps a message that the device does not fetch."""
LONGEST_CLAIM: Final = timedelta(hours=12)
"""How long the signed identity of this server is valid. Push services allow at most a day."""


def outgoing_request(device: Device, message: bytes, topic: str, now: datetime) -> OutgoingRequest:
    """Return the request that sends a message to a device. A later message with the same topic replaces it."""
    body = http_ece.encrypt(
        message,
        private_key=ec.generate_private_key(ec.SECP256R1()),
        dh=_decoded(device.p256dh),
        auth_secret=_decoded(device.auth),
        version="aes128gcm",
    )
    headers = {
        "Content-Type": "application/octet-stream",
        "Content-Encoding": "aes128gcm",
        "TTL": str(int(KEPT.total_seconds())),
        "Topic": topic,
        **_claim(device.endpoint, now),
    }
    return OutgoingRequest(device.endpoint, body, headers)


def _claim(endpoint: str, now: datetime) -> Mapping[str, str]:
    """Return the headers with the signed identity of this server, for one push service."""
    parts = urlsplit(endpoint)
    is_secure = settings.PUBLIC_URL.startswith("https://")
    claim = {
        "sub": settings.PUBLIC_URL if is_secure else f"mailto:darbar@{settings.MAIL_DOMAIN}",
        "aud": f"{parts.scheme}://{parts.netloc}",
        "exp": int((now + LONGEST_CLAIM).timestamp()),
    }
    headers: Mapping[str, str] = _key().sign(claim)
    return headers


@cache
def _key() -> Vapid02:
    return Vapid02.from_raw(settings.VAPID_KEY.encode())


def public_key() -> str:
    """Return the public key in the form that browsers need for a subscription."""
    point = _key().public_key.public_bytes(Encoding.X962, PublicFormat.UncompressedPoint)
    return urlsafe_b64encode(point).rstrip(b"=").decode()


def _decoded(text: str) -> bytes:
    return urlsafe_b64decode(text + "=" * (-len(text) % 4))


def can_encrypt_for(p256dh: str, auth: str) -> bool:
    """Return whether these are keys of a subscription: a point of the curve, and 16 bytes."""
    try:
        ec.EllipticCurvePublicKey.from_encoded_point(ec.SECP256R1(), _decoded(p256dh))
        return len(_decoded(auth)) == 16
    except ValueError:
        return False
