"""Web Push (RFC 8030): a short message to all devices of the reader, encrypted for each of them (RFC 8291).

It contains the headline and the subject, which have no secrets, and a link to a page that requires a log-in. Requests
are signed (RFC 8292).
"""

import json
from base64 import b64decode, urlsafe_b64encode
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
from django.db.models import Q
from django.utils.translation import gettext_lazy
from py_vapid import Vapid02

from notifications.channels.base import ChannelError, NothingToSend, PostingChannel, asks_question, page_link
from notifications.endpoints import Device
from notifications.kinds import BESIDE_QUESTIONS, KINDS, Urgency, urgency_of
from notifications.models import CLOSED, PUSH, Notification, Preferences, State
from notifications.outgoing import GONE, Answer, Outcome, OutgoingRequest


class Push(PostingChannel):
    """Web Push, signed with VAPID (RFC 8292)."""

    label = gettext_lazy("on my devices")
    description = "to your devices"

    def open_to(self, accounts: Collection[int], stored: Mapping[int, Preferences]) -> Mapping[int, Collection[str]]:
        """Return the accounts with a device."""
        devices = Device.objects.filter(account__in=accounts).values_list("account", flat=True)
        return dict.fromkeys(devices, KINDS)

    def outgoing_requests(self, notification: Notification, now: datetime) -> Sequence[OutgoingRequest]:
        if notification.reason == CLOSED and _is_replaced(notification):
            return []
        message, options = _message(notification), _options(notification, now)
        devices = Device.objects.filter(account=notification.account_id)
        return [encrypted_request(device, message, options, now) for device in devices]

    def settle(self, notification: Notification, outcomes: Mapping[str, Outcome]) -> None:
        """Record the results. One device that accepted the message is enough. Devices that do not exist are deleted."""
        dead = [url for url, outcome in outcomes.items() if isinstance(outcome, Answer) and outcome.status in GONE]
        Device.objects.filter(account=notification.account_id, endpoint__in=dead).delete()
        if not any(isinstance(outcome, Answer) and outcome.is_accepted for outcome in outcomes.values()):
            if notification.reason == CLOSED:
                raise NothingToSend
            raise ChannelError("no device accepted it", permanent=len(dead) == len(outcomes))


def _message(notification: Notification) -> bytes:
    rendered = notification.content()
    message = {
        "title": CHANNEL.escaped(rendered.headline),
        "body": CHANNEL.escaped(rendered.subject),
        "lang": rendered.language,
        "tag": _tag(notification),
        "url": page_link(rendered),
        "question": notification.question,
        "closes": notification.reason == CLOSED,
        "renotify": asks_question(notification),
    }
    return json.dumps(message, ensure_ascii=False).encode()


def _options(notification: Notification, now: datetime) -> Mapping[str, str]:
    """Return the headers with the time for which a push service keeps a push, its urgency, and its topic."""
    deadline = notification.content().deadline
    time_to_live = KEPT if deadline is None else min(max(deadline - now, SHORTEST), LONGEST)
    urgency = Urgency.LOW if notification.reason == CLOSED else urgency_of(notification.reason)
    return {"TTL": str(int(time_to_live.total_seconds())), "Urgency": urgency, "Topic": _tag(notification)}


def _is_replaced(closing: Notification) -> bool:
    """Return whether a later push has replaced the push with the closed question, or is about to."""
    others = Notification.objects.filter(account=closing.account_id, channel=PUSH, topic=closing.topic)
    later = others.filter(Q(state=State.READY) | Q(state=State.SENT, sent_at__gte=closing.created_at))
    return later.exclude(question=closing.question).exclude(reason__in=(*BESIDE_QUESTIONS, CLOSED)).exists()


def _tag(notification: Notification) -> str:
    """Return the tag of a push. A later push with the same tag replaces it, on the device and at the push service."""
    is_beside = notification.reason in BESIDE_QUESTIONS
    return tag_of(notification.account_id, f"{notification.topic}|pause" if is_beside else notification.topic)


def tag_of(account: int | None, topic: str) -> str:
    """Return the tag of the pushes to an account about one topic, such as a game."""
    return urlsafe_b64encode(sha256(f"{account}|{topic}".encode()).digest()).decode()[:24]


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


def renew_device(former: tuple[str, str], endpoint: str, p256dh: str, auth: str) -> bool:
    """Give a device the subscription that replaces its ``former`` one, which is an endpoint and its secret.

    The device stays with its account. If the new subscription is known already, the former one is deleted. Return False
    if neither is known.
    """
    former_endpoint, former_auth = former
    with transaction.atomic():
        device = Device.objects.select_for_update().filter(endpoint=former_endpoint, auth=former_auth).first()
        others = Device.objects.filter(endpoint=endpoint).exclude(endpoint=former_endpoint)
        if others.exists():
            if device is not None:
                device.delete()
            return others.filter(auth=auth).exists()
        if device is None:
            return False
        device.endpoint, device.p256dh, device.auth = endpoint, p256dh, auth
        device.save(update_fields=["endpoint", "p256dh", "auth"])
    return True


KEPT: Final = timedelta(days=1)
"""The time for which a push service keeps a message without a deadline that the device does not fetch."""
SHORTEST: Final = timedelta(minutes=1)
"""The least time for which a push service keeps a message."""
LONGEST: Final = timedelta(weeks=4)
"""The most time for which a push service keeps a message. Some services refuse longer times."""
LONGEST_CLAIM: Final = timedelta(hours=12)
"""The time for which the signed identity of this server is valid. Push services allow at most a day."""


def encrypted_request(device: Device, message: bytes, options: Mapping[str, str], now: datetime) -> OutgoingRequest:
    """Return the request that sends a message to a device. ``options`` are headers for the push service."""
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
        **options,
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
    """Decode Base64 for URLs. Raises ValueError for other characters, which the standard library would skip."""
    return b64decode(text + "=" * (-len(text) % 4), altchars=b"-_", validate=True)


def can_encrypt_for(p256dh: str, auth: str) -> bool:
    """Return whether these are keys of a subscription: a point of the curve, and 16 bytes."""
    try:
        ec.EllipticCurvePublicKey.from_encoded_point(ec.SECP256R1(), _decoded(p256dh))
        return len(_decoded(auth)) == 16
    except ValueError:
        return False
