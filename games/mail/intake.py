"""The intake of email from all sources: quotas, and storing an email before the task that reads it is enqueued.

The mail server (``games.mail.smtp_server``), ``manage.py receive_mail`` and the webhooks of mail providers
(``games.mail.provider_webhooks``) accept email for this server's own addresses only. They store it unchanged before
they confirm it. An email has at most 1 MiB, an automatic report 256 KiB.

Hourly quotas limit email by SMTP, for an address and for the network around it. The counts are rows of the database
(``accounts.rate_limits``), so all processes share them. Mail servers in ``MAIL_RELAYS`` and clients of LMTP have
no quota, because they pass on email from everywhere. The command and the webhooks are trusted too.
"""

import ipaddress
from collections.abc import Iterable
from datetime import datetime, timedelta
from typing import Final

from django.conf import settings
from django.db import transaction

from accounts.rate_limits import Policy, network_of, surroundings_of, take
from config.core import traces
from config.core.tasks import enqueue
from notifications import received_mail

HOUR: Final = timedelta(hours=1)
KIBIBYTE: Final = 1024
USUAL_SIZE: Final = 64
"""KiB that an address may send in an hour for each email of its quota."""
NETWORK: Final = 5
"""The factor by which the quota of a network is larger than that of an address."""


def is_relay(address: str) -> bool:
    """Return True for the address of a mail server that the operator lists."""
    try:
        parsed = ipaddress.ip_address(address.partition("%")[0])
    except ValueError:
        return False
    mapped = parsed.ipv4_mapped if isinstance(parsed, ipaddress.IPv6Address) else None
    return any((mapped or parsed) in network for network in settings.MAIL_RELAYS)


def take_mail(address: str, now: datetime) -> bool:
    """Count one email or one refused recipient. Return False if the quota is used up. Raises DatabaseError."""
    return _take("mails", settings.MAILS_PER_ADDRESS, address, 1, now)


def take_bytes(address: str, size: int, now: datetime) -> bool:
    """Count the bytes of an email. Return False if the quota is too small. Raises DatabaseError."""
    quota = settings.MAILS_PER_ADDRESS * USUAL_SIZE
    return _take("mail-size", quota, address, -(-size // KIBIBYTE), now)


def _take(name: str, quota: int, address: str, amount: int, now: datetime) -> bool:
    for key, limit in ((network_of(address), quota), (surroundings_of(address), quota * NETWORK)):
        if not take(f"{name}:{key}", Policy(name, limit, HOUR), now, amount).granted:
            return False
    return True


def receive(raw: bytes, sender: str | None, recipients: Iterable[str], now: datetime, *, relayed: bool = True) -> None:
    """Store an email that was received completely at ``now``. Raises DatabaseError if it could not be stored.

    ``relayed`` is False for mail by SMTP from any client: then no mail server vouches for its sender.
    """
    with traces.begin_trace("receive email"), transaction.atomic():
        received_mail.store(raw, sender, recipients, now, relayed=relayed)
        enqueue("games.mail.tasks.read_mail")
