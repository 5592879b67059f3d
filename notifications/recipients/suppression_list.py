"""Addresses that nothing is sent to any more: their owners said so.

Only a keyed hash of each is kept, so that nobody can read out of it who said so. A mailbox counts as one
however its address is written: in whatever case, and with whatever stands behind a plus sign.
"""

from datetime import datetime

from config.keyed_hashes import keyed_hashes
from notifications.models import Suppression


def digest(address: str) -> bytes:
    """Return what stands for a mailbox without naming it: a hash under a key that follows from the server's secret."""
    return _digests(address)[0]


def mailbox_of(address: str) -> str:
    """Return the address of a mailbox as all forms of it are counted."""
    local, at, domain = address.strip().lower().rpartition("@")
    return f"{local.partition('+')[0] or local}{at}{domain}"


def _digests(address: str) -> list[bytes]:
    """The same as ``digest`` under the present key, and under former ones."""
    return keyed_hashes("notifications.recipients.suppression_list", mailbox_of(address))


def begin(address: str, now: datetime) -> None:
    """Send nothing to this address from now on that is not for an account."""
    for each in _digests(address):
        Suppression.objects.get_or_create(digest=each, defaults={"since": now})


def end(address: str) -> None:
    """Withdraw, as only the address' owner may."""
    Suppression.objects.filter(digest__in=_digests(address)).delete()


def holds(address: str) -> bool:
    """Return whether nothing is to be sent to this address. What was said under a former key is said under ours then:
    so no word is lost when that key is forgotten.
    """
    present, *former = _digests(address)
    if covers(present):
        return True
    said = Suppression.objects.filter(digest__in=former).first() if former else None
    if said is not None:
        begin(address, said.since)
    return said is not None


def covers(mailbox: bytes) -> bool:
    """The same of a mailbox by its keyed hash."""
    return Suppression.objects.filter(digest=mailbox).exists()
