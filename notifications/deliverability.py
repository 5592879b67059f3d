"""Email addresses that cannot be reached, and addresses whose owners want no emails of any kind.

A complaint closes an address immediately, and so does a mail server that says that the mailbox does not exist. Other
failures close it if there were some on several days. A delay is not a failure. A closed address gets only the request
to confirm it. Addresses are stored only as keyed hashes, so the rows do not reveal them. For suppressed addresses all
spellings of a mailbox count as one: upper and lower case, both forms of a domain, and any text after a plus sign.
"""

import logging
from collections.abc import Collection, Iterable
from datetime import datetime, timedelta
from enum import StrEnum
from typing import Final
from uuid import UUID

from django.contrib.auth import get_user_model
from django.db import transaction
from django.db.models import Q

from config.core.crypto import keyed_hashes
from config.core.email_spellings import canonical, mailbox_of
from notifications.models import Deliverability, Notification, State, Suppression

logger = logging.getLogger(__name__)

CONFIRMATION: Final = "confirmation"
"""The reason of the notification with which an owner confirms an address again."""
_ASKING: Final = (CONFIRMATION, "account")
"""Reasons of notifications that contain a request or a code to confirm an address."""
SEVERAL: Final = 5
"""The number of other failures within ``A_WHILE`` that close an address. Each day counts once."""
A_DAY: Final = timedelta(hours=20)
"""The least time between two failures that count. A daily email does not leave at the same minute each day."""
A_WHILE: Final = timedelta(days=14)
PAUSE: Final = timedelta(hours=1)
"""The least time between two requests to confirm a closed address."""


_SUPPRESSION: Final = "notifications.recipients.suppression_list"
"""The purpose of the digests of suppressed addresses. Stored digests depend on it."""


_NO_SUCH_MAILBOX: Final = frozenset({"5.1.1", "5.1.2", "5.1.3", "5.1.6", "5.1.10"})
"""No such mailbox, no such domain, no address by its form, a mailbox that has moved, a domain without email."""


class Failure(StrEnum):
    """A failure of email to an address."""

    FOR_GOOD = "for-good"
    """The mailbox does not exist."""
    MAY_PASS = "may-pass"
    COMPLAINT = "complaint"


def of_status(status: str) -> Failure | None:
    """Return the failure of the address that an enhanced status code (RFC 3463) describes, or None.

    Most codes that begin with 5 describe a mailbox that exists: it is full or disabled, time has expired (5.4.7), the
    mail server or the way to it is broken, or the email is refused.
    """
    if status[:2] not in ("4.", "5."):
        return None
    return Failure.FOR_GOOD if status in _NO_SUCH_MAILBOX else Failure.MAY_PASS


def of(address: str) -> Deliverability | None:
    """Return the row of an address that must be confirmed, or None while emails are sent to it."""
    return Deliverability.objects.exclude(why="").filter(pk__in=ids_of(address)).first()


def closed_among(accounts: Collection[int]) -> set[int]:
    """Return the accounts whose address must be confirmed again."""
    if not accounts:
        return set()
    addresses = get_user_model().objects.filter(pk__in=accounts).values_list("pk", "email")
    ids = {id: account for account, address in addresses for id in ids_of(address)}
    return {ids[row] for row in _closed(ids)}


def closed_of(addresses: Collection[str]) -> set[str]:
    """Return the addresses that must be confirmed again."""
    if not addresses:
        return set()
    ids = {id: address for address in addresses for id in ids_of(address)}
    return {ids[row] for row in _closed(ids)}


def _closed(ids: Collection[UUID]) -> Iterable[UUID]:
    return Deliverability.objects.exclude(why="").filter(pk__in=ids).values_list("pk", flat=True)


def id_of(address: str) -> UUID:
    """Return the keyed hash that identifies an address."""
    return ids_of(address)[0]


def ids_of(address: str) -> list[UUID]:
    """Return the hashes of an address with the present key and with earlier keys."""
    hashes = keyed_hashes("notifications.deliverability", canonical(address))
    return [UUID(bytes=hash_[:16]) for hash_ in hashes]


def note(address: str, failure: Failure, sent_at: datetime | None, now: datetime) -> None:
    """Record a failure of an email to this address that was sent at ``sent_at``, if that time is known."""
    with transaction.atomic():
        row, _ = Deliverability.objects.select_for_update().get_or_create(pk=id_of(address))
        if row.why or (row.confirmed_at and sent_at and sent_at < row.confirmed_at):
            return
        failures = [at for at in row.failed_at or [] if at > now - A_WHILE]
        if not failures or failures[-1] <= now - A_DAY:
            failures.append(now)
        row.failed_at = failures
        if failure != Failure.MAY_PASS or len(failures) >= SEVERAL:
            row.why = Deliverability.Why.COMPLAINED if failure == Failure.COMPLAINT else Deliverability.Why.BOUNCED
            row.since = now
            logger.warning("an address must be confirmed again: %s", row.why)
        row.save()


def begin_asking(address: str, now: datetime) -> bool:
    """Return whether a confirmation of a closed address may be requested now, and record the request."""
    may_ask = Q(asked_at__isnull=True) | Q(asked_at__lte=now - PAUSE)
    return bool(Deliverability.objects.exclude(why="").filter(may_ask, pk__in=ids_of(address)).update(asked_at=now))


def wait(closed: Deliverability, now: datetime) -> timedelta:
    """Return how long no confirmation of a closed address may be requested."""
    return max(timedelta(), (closed.asked_at or now - PAUSE) + PAUSE - now)


def passes(notification: Notification, now: datetime) -> bool:
    """Return whether a notification may be sent to its address. A request to confirm it may, once an hour."""
    address = notification.destination()
    if of(address) is None or notification.reason == CONFIRMATION:
        return True
    return is_asked_for(notification) and begin_asking(address, now)


def is_asked_for(notification: Notification) -> bool:
    """Return whether a notification contains a request or a code to confirm an address."""
    return notification.reason in _ASKING


def confirm(address: str, now: datetime) -> None:
    """Open an address again. Notifications that were waiting for it are sent immediately."""
    closed = Deliverability.objects.exclude(why="").filter(pk__in=ids_of(address))
    closed.update(why="", since=None, failed_at=None, asked_at=None, confirmed_at=now)
    address = canonical(address)
    is_recipient = Q(address=address) | Q(address="", account__email=address)
    Notification.objects.filter(is_recipient, state=State.READY).update(next_attempt_at=now)


def suppression_digest(address: str) -> bytes:
    """Return a keyed hash of a mailbox."""
    return _digests(address)[0]


def _digests(address: str) -> list[bytes]:
    """Return the digests of a mailbox with the present key and with earlier keys."""
    return keyed_hashes(_SUPPRESSION, mailbox_of(address))


def suppress(address: str, now: datetime) -> None:
    """Send no emails to this address from now on, except for an account."""
    for address_digest in _digests(address):
        Suppression.objects.get_or_create(digest=address_digest, defaults={"since": now})


def allow(address: str) -> None:
    """Allow emails to this address again. Only the owner of the address may do this."""
    Suppression.objects.filter(digest__in=_digests(address)).delete()


def is_suppressed(address: str) -> bool:
    """Return whether the owner of this address wants no emails.

    A row with an earlier key is stored again with the present key, so that the earlier key can be removed.
    """
    present, *former = _digests(address)
    if is_suppressed_digest(present):
        return True
    row = Suppression.objects.filter(digest__in=former).first() if former else None
    if row is not None:
        suppress(address, row.since)
    return row is not None


def is_suppressed_digest(mailbox: bytes) -> bool:
    """Return whether the owner of the mailbox with this hash wants no emails."""
    return Suppression.objects.filter(digest=mailbox).exists()
