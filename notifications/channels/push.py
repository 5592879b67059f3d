"""Web Push (RFC 8030): a short message to all devices of the reader, encrypted for each of them (RFC 8291).

It contains the headline and the subject, which have no secrets, and a link to a page that requires a log-in. Requests
are signed (RFC 8292).
"""

import json
from base64 import urlsafe_b64decode, urlsafe_b64encode
from collections.abc import Collection, Mapping, Sequence
from datetime import datetime, timedelta
from functools import cache
from hashlib import sha256
from typing import Any, Final
from urllib.parse import urlsplit

import http_ece
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.hazmat.primitives.serialization import Encoding, PublicFormat
from django.conf import settings
from django.contrib.auth import get_user_model
from django.db import transaction
from django.utils.translation import gettext_lazy
from py_vapid import Vapid02

from notifications.channels.base import ChannelError, PostingChannel
from notifications.content.kinds import KINDS
from notifications.endpoints import Device
from notifications.models import Notification, Preferences
from notifications.outgoing.http_client import GONE, Answer, Outcome, OutgoingRequest


class Push(PostingChannel):
    """Web Push, signed with VAPID (RFC 8292)."""

    label = gettext_lazy("on my devices")
    description = "to your devices"

    def open_to(self, accounts: Collection[int], stored: Mapping[int, Preferences]) -> Mapping[int, Collection[str]]:
        """Return the accounts with a device."""
        devices = Device.objects.filter(account__in=accounts).values_list("account", flat=True)
        return dict.fromkeys(devices, KINDS)

    def outgoing_requests(self, notification: Notification, now: datetime) -> Sequence[OutgoingRequest]:
        message = _message(notification)
        devices = Device.objects.filter(account=notification.account_id)
        return [encrypted_request(device, message, _topic(notification), now) for device in devices]

    def settle(self, notification: Notification, outcomes: Mapping[str, Outcome]) -> None:
        """Record the results. One device that accepted the message is enough. Devices that do not exist are deleted."""
        dead = [url for url, outcome in outcomes.items() if isinstance(outcome, Answer) and outcome.status in GONE]
        Device.objects.filter(account=notification.account_id, endpoint__in=dead).delete()
        if not any(isinstance(outcome, Answer) and outcome.is_accepted for outcome in outcomes.values()):
            raise ChannelError("no device accepted it", permanent=len(dead) == len(outcomes))


def _message(notification: Notification) -> bytes:
    rendered = notification.content()
    message = {
        "title": CHANNEL.escaped(rendered.headline),
        "body": CHANNEL.escaped(rendered.subject),
        "lang": rendered.language,
        "tag": _topic(notification),
        "url": f"{settings.PUBLIC_URL}/",
    }
    return json.dumps(message, ensure_ascii=False).encode()


def _topic(notification: Notification) -> str:
    """Return the topic of a push. A later notification about a question replaces an earlier one."""
    subject = f"{notification.account_id}|{notification.topic}|{notification.question}"
    return urlsafe_b64encode(sha256(subject.encode()).digest()).decode()[:24]


CHANNEL: Final = Push()


MOST_DEVICES: Final = 10
"""The most devices of an account. A further one replaces the oldest."""


def add_device(account: Any, endpoint: str, p256dh: str, auth: str, name: str, now: datetime) -> Device:
    """Register a subscription. A known subscription moves to the account that registered it last."""
    with transaction.atomic():
        get_user_model().objects.select_for_update(no_key=True).only("pk").get(pk=account.pk)
        device, _ = Device.objects.update_or_create(
            endpoint=endpoint,
            defaults={"account": account, "p256dh": p256dh, "auth": auth, "name": name},
            create_defaults={"account": account, "p256dh": p256dh, "auth": auth, "name": name, "created_at": now},
        )
        others = account.devices.exclude(pk=device.pk).order_by("-created_at", "-id")
        Device.objects.filter(pk__in=list(others.values_list("pk", flat=True)[MOST_DEVICES - 1 :])).delete()
    return device


KEPT: Final = timedelta(days=1)
"""The time for which a push service keeps a message that the device does not fetch."""
LONGEST_CLAIM: Final = timedelta(hours=12)
"""The time for which the signed identity of this server is valid. Push services allow at most a day."""


def encrypted_request(device: Device, message: bytes, topic: str, now: datetime) -> OutgoingRequest:
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
