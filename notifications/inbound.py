"""Mail that came in: stored as it is before anybody says yes to it, and kept until somebody has read it.

What it means is known to others. They fetch it in the order in which it came, and what goes wrong with one
mail stops no other: it is tried again, and set aside after three times or a minute.
"""

import logging
from collections.abc import Callable, Collection, Iterable
from datetime import datetime, timedelta
from typing import Final

from django.conf import settings
from django.db import IntegrityError, transaction
from django.db.models import Q, QuerySet

from notifications import addresses, operator
from notifications.failures import describe
from notifications.models import RawMail

logger = logging.getLogger(__name__)

LARGEST: Final = 10 * 1024 * 1024
"""A mail of more bytes is not taken."""
TRIES: Final = 3
PAUSE: Final = timedelta(seconds=10)
"""How long a mail is left to whoever began to read it, before it is tried again."""
PATIENCE: Final = timedelta(seconds=60)
"""So long after the first attempt a mail holds nothing up any more."""
KEPT: Final = timedelta(days=30)
"""How long a mail is kept that was read or set aside: so long its copies are known."""
_ANSWERED: Final = (addresses.QUESTION, addresses.SEAT, addresses.INVITATION, addresses.DIGEST, addresses.BOUNCE)
"""The kinds that are addresses; the others are in links only."""


Tell = Callable[[RawMail, datetime], None]
"""Tells whoever wrote a mail that it was set aside. It never raises."""


def takes(address: str) -> bool:
    """Whether mail to this address is taken: it is one of ours."""
    if is_feedback(address):
        return True
    found = addresses.read(address) if "@" in address else None
    return found is not None and found[0] in _ANSWERED


def is_feedback(address: str) -> bool:
    """Whether this is the address for complaints of mailbox providers."""
    return address.strip().lower() == f"{addresses.FEEDBACK}@{settings.MAIL_DOMAIN}"


def store(raw: bytes, sender: str | None, recipients: Iterable[str], now: datetime) -> None:
    """Keep a mail for the recipients whose addresses are ours. It is there once the transaction is committed."""
    ours = [each.strip().lower() for each in recipients if takes(each)]
    if ours:
        about = sorted({_about(each) for each in ours} - {""})
        RawMail.objects.create(
            raw=raw,
            sender=None if sender is None else sender.strip().strip("<>")[:320],
            recipients=ours,
            about=about,
            received_at=now,
            next_attempt_at=now,
        )


def _about(address: str) -> str:
    found = addresses.read(address)
    return found[1].partition("-")[0] if found else ""


def waiting(_: datetime) -> Iterable[QuerySet[RawMail]]:
    """The mail that still waits to be read, now or later."""
    return [_unread().order_by("received_at")]


def is_any_unread() -> bool:
    """Whether there is any."""
    return _unread().exists()


def _unread() -> QuerySet[RawMail]:
    return RawMail.objects.filter(state=RawMail.State.RECEIVED)


def unread(about: str, received_by: datetime, now: datetime) -> bool:
    """Whether mail about this id that was in by then still waits to be read."""
    waiting = RawMail.objects.filter(state=RawMail.State.RECEIVED, received_at__lte=received_by)
    given_up = Q(first_attempt_at__lt=now - PATIENCE)
    return waiting.filter(about__contains=[about]).exclude(given_up).exists()


def begin(now: datetime, but: Collection[int], tell: Tell) -> int | None:
    """The next mail to be read, without those in ``but``; the attempt is counted before it is made.

    One that was tried too often, by workers that did not live to say so, is set aside, and its writer is told.
    """
    with transaction.atomic():
        while True:
            mail = (
                RawMail.objects.select_for_update(skip_locked=True)
                .filter(state=RawMail.State.RECEIVED, next_attempt_at__lte=now)
                .exclude(pk__in=but)
                .order_by("received_at", "id")
                .first()
            )
            if mail is None:
                return None
            if not _spent(mail, now):
                break
            _set_aside(mail, "whoever began to read it did not come to an end", tell, now)
        mail.attempts += 1
        mail.first_attempt_at = mail.first_attempt_at or now
        mail.next_attempt_at = now + PAUSE
        mail.save(update_fields=["attempts", "first_attempt_at", "next_attempt_at"])
    return mail.pk


def held(mail: int) -> RawMail | None:
    """A mail that is to be read, locked against every other reader; None where another one has it.

    Only inside a transaction, in which everything that the mail leads to is done.
    """
    rows = RawMail.objects.select_for_update(skip_locked=True)
    return rows.filter(pk=mail, state=RawMail.State.RECEIVED).first()


def is_copy(mail: RawMail, identity: str) -> bool:
    """Whether the same mail came before; if not, its identity is noted down. Only while it is ``held``."""
    try:
        with transaction.atomic():
            mail.identity = identity
            mail.save(update_fields=["identity"])
    except IntegrityError:
        mail.identity = None
        return True
    return False


def done(mail: RawMail) -> None:
    """Note that a mail was read. Only while it is ``held``."""
    mail.state = RawMail.State.READ
    mail.save(update_fields=["state"])


def failed(mail: int, error: Exception, tell: Tell, now: datetime) -> None:
    """Note that a mail could not be read: it is tried again, or set aside, and its writer told. It is not logged."""
    with transaction.atomic():
        row = held(mail)
        if row is not None and _spent(row, now):
            _set_aside(row, describe(error), tell, now)
        elif row is not None:
            logger.warning("mail %s, attempt %d, is tried again later: %s", mail, row.attempts, describe(error))


def forget(now: datetime) -> None:
    """Delete the mails that need not be kept any longer: people wrote them."""
    RawMail.objects.exclude(state=RawMail.State.RECEIVED).filter(received_at__lt=now - KEPT).delete()


def _spent(mail: RawMail, now: datetime) -> bool:
    since = mail.first_attempt_at
    return mail.attempts >= TRIES or (since is not None and now - since > PATIENCE)


def _set_aside(mail: RawMail, reason: str, tell: Tell, now: datetime) -> None:
    mail.state = RawMail.State.FAILED
    mail.save(update_fields=["state"])
    operator.tell("mail", f"mail {mail.pk}, after {mail.attempts} attempts: {reason}", now)
    tell(mail, now)
