"""Hourly quotas of mail by SMTP, for an address and for the network around it.

The counts are rows of the database (``accounts.limits.rate_limits``), so all processes share them. Mail servers that
the operator lists (``MAIL_RELAYS``) have no quota, because they pass on mail from everywhere.
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
"""KiB that an address may send in an hour for each email of its quota."""
NETWORK: Final = 5
"""How many times the quota of an address a network has."""


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
