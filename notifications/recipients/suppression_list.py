"""Addresses whose owners have asked for no further emails of any kind.

Only a keyed hash is stored, so the list does not reveal the addresses. All spellings of a mailbox count as one: upper
and lower case, and anything after a plus sign.
"""

from datetime import datetime

from config.keyed_hashes import keyed_hashes
from notifications.models import Suppression


def digest(address: str) -> bytes:
    """Return a keyed hash of a mailbox."""
    return _digests(address)[0]


def mailbox_of(address: str) -> str:
    """Return the canonical form of an address, which all spellings of a mailbox share."""
    local, at, domain = address.strip().lower().rpartition("@")
    return f"{local.partition('+')[0] or local}{at}{domain}"


def _digests(address: str) -> list[bytes]:
    """Return the digests of a mailbox with the present key and with earlier keys."""
    return keyed_hashes("notifications.recipients.suppression_list", mailbox_of(address))


def begin(address: str, now: datetime) -> None:
    """Send no emails to this address from now on, except for an account."""
    for address_digest in _digests(address):
        Suppression.objects.get_or_create(digest=address_digest, defaults={"since": now})


def end(address: str) -> None:
    """Allow emails to this address again. Only the owner of the address may do this."""
    Suppression.objects.filter(digest__in=_digests(address)).delete()


def holds(address: str) -> bool:
    """Return whether the owner of this address wants no emails.

    A row with an earlier key is stored again with the present key, so that the earlier key can be removed.
    """
    present, *former = _digests(address)
    if covers(present):
        return True
    row = Suppression.objects.filter(digest__in=former).first() if former else None
    if row is not None:
        begin(address, row.since)
    return row is not None


def covers(mailbox: bytes) -> bool:
    """Return whether the owner of the mailbox with this hash wants no emails."""
    return Suppression.objects.filter(digest=mailbox).exists()
