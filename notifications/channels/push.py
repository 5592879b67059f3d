"""Notifications as Web Push (RFC 8030): a line on the reader's own devices, encrypted for each (RFC 8291).

It holds the notification's headline and subject, which are without secrets, and the way to a page that asks who one is.
"""

import json
from base64 import urlsafe_b64decode, urlsafe_b64encode
from collections.abc import Mapping, Sequence
from datetime import datetime, timedelta
from functools import cache
from hashlib import sha256
from typing import Final
from urllib.parse import urlsplit

import http_ece
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.hazmat.primitives.serialization import Encoding, PublicFormat
from django.conf import settings
from py_vapid import Vapid02

from notifications.channels.channel import ChannelError, Posting
from notifications.endpoints import Device
from notifications.models import Notification
from notifications.outgoing.http_client import Answer, Outcome, OutgoingRequest

DEAD: Final = (404, 410)
"""The answers that say that a subscription is no more."""
KEPT: Final = timedelta(days=1)
"""For how long a push service keeps what a device does not fetch."""
LONGEST_CLAIM: Final = timedelta(hours=12)
"""For how long we say that we are who posts; push services take a day at most."""


class Push(Posting):
    """Web Push with VAPID (RFC 8292)."""

    def outgoing_requests(self, notification: Notification, now: datetime) -> Sequence[OutgoingRequest]:
        message = _message(notification)
        devices = Device.objects.filter(account=notification.account_id)
        return [_outgoing_request(device, message, _topic(notification), now) for device in devices]

    def settle(self, notification: Notification, outcomes: Mapping[str, Outcome]) -> None:
        """One device that has taken it is enough; those that are no more are forgotten."""
        dead = [url for url, outcome in outcomes.items() if isinstance(outcome, Answer) and outcome.status in DEAD]
        Device.objects.filter(account=notification.account_id, endpoint__in=dead).delete()
        if not any(isinstance(outcome, Answer) and outcome.taken for outcome in outcomes.values()):
            raise ChannelError("no device has taken it", permanent=len(dead) == len(outcomes))


def _message(notification: Notification) -> bytes:
    rendered = notification.written()
    shown = {
        "title": rendered.headline,
        "body": rendered.subject,
        "lang": rendered.language,
        "tag": _topic(notification),
        "url": f"{settings.PUBLIC_URL}/",
    }
    return json.dumps(shown, ensure_ascii=False).encode()


def _topic(notification: Notification) -> str:
    """Return what replaces what: a later notice of one question takes the place of an earlier one."""
    about = f"{notification.account_id}|{notification.topic}|{notification.question}"
    return urlsafe_b64encode(sha256(about.encode()).digest()).decode()[:24]


def _outgoing_request(device: Device, message: bytes, topic: str, now: datetime) -> OutgoingRequest:
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
    """Return who posts, signed, for this push service alone."""
    parts = urlsplit(endpoint)
    secure = settings.PUBLIC_URL.startswith("https://")
    claim = {
        "sub": settings.PUBLIC_URL if secure else f"mailto:darbar@{settings.MAIL_DOMAIN}",
        "aud": f"{parts.scheme}://{parts.netloc}",
        "exp": int((now + LONGEST_CLAIM).timestamp()),
    }
    signed: Mapping[str, str] = _key().sign(claim)
    return signed


@cache
def _key() -> Vapid02:
    return Vapid02.from_raw(settings.VAPID_KEY.encode())


def public_key() -> str:
    """Return what browsers subscribe with, as they take it."""
    point = _key().public_key.public_bytes(Encoding.X962, PublicFormat.UncompressedPoint)
    return urlsafe_b64encode(point).rstrip(b"=").decode()


def _decoded(written: str) -> bytes:
    return urlsafe_b64decode(written + "=" * (-len(written) % 4))


def can_encrypt_for(p256dh: str, auth: str) -> bool:
    """Return whether these are the keys of a subscription: a point of the curve, and 16 bytes."""
    try:
        ec.EllipticCurvePublicKey.from_encoded_point(ec.SECP256R1(), _decoded(p256dh))
        return len(_decoded(auth)) == 16
    except ValueError:
        return False
