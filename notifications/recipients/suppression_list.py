"""Addresses that nothing is sent to any more: their owners said so.

Only a keyed hash of each is kept, so that nobody can read out of it who said so. A mailbox counts as one
however its address is written: in whatever case, and with whatever stands behind a plus sign.
"""

from datetime import datetime

from django.utils.crypto import salted_hmac

from notifications.models import Suppression


def digest(address: str) -> bytes:
    """Return what stands for a mailbox without naming it: an HMAC under a key that follows from the server's secret."""
    local, at, domain = address.strip().lower().rpartition("@")
    mailbox = f"{local.partition('+')[0] or local}{at}{domain}"
    return salted_hmac("notifications.recipients.suppression_list", mailbox, algorithm="sha256").digest()


def begin(address: str, now: datetime) -> None:
    """Send nothing to this address from now on that is not for an account."""
    Suppression.objects.get_or_create(digest=digest(address), defaults={"since": now})


def end(address: str) -> None:
    """Withdraw, as only the address' owner may."""
    Suppression.objects.filter(digest=digest(address)).delete()


def holds(address: str) -> bool:
    """Return whether nothing is to be sent to this address."""
    return covers(digest(address))


def covers(mailbox: bytes) -> bool:
    """The same of a mailbox by its keyed hash."""
    return Suppression.objects.filter(digest=mailbox).exists()
