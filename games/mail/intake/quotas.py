"""Quotas of mail by SMTP: how much one address, and the network around it, may send in an hour.

The counts are rows of the database (``accounts.limits.rate_limits``), so that all processes share them. Mail servers
that the operator names (``MAIL_RELAYS``) have none: what they pass on comes from everywhere.
"""

import ipaddress
from datetime import datetime, timedelta
from typing import Final

from django.conf import settings

from accounts.limits.connections import network_of, surroundings_of
from accounts.limits.rate_limits import Policy, take

HOUR: Final = timedelta(hours=1)
KIBIBYTE: Final = 1024
USUAL_SIZE: Final = 64
"""KiB: so much an address may send in an hour for each mail that it may send."""
NETWORK: Final = 5
"""A network may send so many times as much as one address."""


def is_relay(address: str) -> bool:
    """Return True for the address of a mail server that the operator has named."""
    try:
        parsed = ipaddress.ip_address(address.partition("%")[0])
    except ValueError:
        return False
    mapped = parsed.ipv4_mapped if isinstance(parsed, ipaddress.IPv6Address) else None
    return any((mapped or parsed) in network for network in settings.MAIL_RELAYS)


def take_mail(address: str, now: datetime) -> bool:
    """Count one mail, or one recipient that was refused; False where none is left. DatabaseError."""
    return _take("mails", settings.MAILS_PER_ADDRESS, address, 1, now)


def take_bytes(address: str, size: int, now: datetime) -> bool:
    """Count the bytes of a mail; False where not so many are left. DatabaseError."""
    quota = settings.MAILS_PER_ADDRESS * USUAL_SIZE
    return _take("mail-size", quota, address, -(-size // KIBIBYTE), now)


def _take(name: str, quota: int, address: str, amount: int, now: datetime) -> bool:
    for key, most in ((network_of(address), quota), (surroundings_of(address), quota * NETWORK)):
        if not take(f"{name}:{key}", Policy(name, most, HOUR), now, amount).granted:
            return False
    return True
