"""Mail that came in: stored as it is before anybody says yes to it, and kept until somebody has read it.

What it means is known to others. They fetch it in the order in which it came, and what goes wrong with one
mail stops no other: it is tried again after a pause that grows. Only errors that the mail may have caused are counted
against it, and after so many it is set aside; an attempt that was cut, by a kill or by the database's absence, is not.
"""

import logging
from collections.abc import Callable, Collection, Iterable
from datetime import datetime, timedelta
from typing import Final

from django.conf import settings
from django.db import IntegrityError, connection, transaction
from django.db.models import Q, QuerySet

from config import metrics
from config.failures import describe_error, is_server_error
from notifications.content import addresses
from notifications.delivery import operator
from notifications.models import RawMail
from notifications.set_aside import SetAside

logger = logging.getLogger(__name__)

LARGEST: Final = 1024 * 1024
"""A mail of more bytes is not taken: an answer is a line, but programs quote, sign and attach pictures."""
LARGEST_REPORT: Final = 256 * 1024
"""The same for reports, which hold a copy of one of our mails."""
PAUSE: Final = timedelta(seconds=10)
"""The time one reader has for an email before it is tried again; it doubles with each attempt."""
LONGEST_PAUSE: Final = timedelta(hours=1)
UNREADABLE: Final = 3
"""The failures of the reading itself that set a mail aside. Reading is pure: what fails thrice fails for ever."""
FAILURES: Final = 14
"""The failures of what follows from a mail that set it aside: after five hours, with the pauses between them."""
PATIENCE: Final = timedelta(hours=6)
"""The time after the first attempt from which a mail no longer holds anything up."""
KEPT: Final = timedelta(days=30)
"""The time for which an email is kept once it was read or set aside: until then its copies are recognised. Its text is
kept only while it is set aside."""
MOST_KEPT: Final = 64 * 1024 * 1024
"""Bytes of mails that are set aside; of the oldest ones beyond that, what they said is dropped."""
_ANSWERED: Final = frozenset(
    {
        addresses.QUESTION,
        addresses.SEAT,
        addresses.CHAT,
        addresses.INVITATION,
        addresses.DIGEST,
        addresses.COMMAND,
        addresses.BOUNCE,
        addresses.TRIP,
    }
)
"""The kinds that are addresses; the others are in links only."""


Tell = Callable[[RawMail, datetime], None]
"""Tells whoever wrote a mail that it was set aside. It never raises."""


class Unreadable(Exception):
    """A mail could not be read, whatever would have followed from it; the cause says why."""


def takes(address: str) -> bool:
    """Return whether mail to this address is taken: it is one of ours."""
    if is_feedback(address) or is_mailbox(address):
        return True
    found = addresses.read(address) if "@" in address else None
    return found is not None and found[0] in _ANSWERED


def largest(recipients: Iterable[str]) -> int:
    """Return how many bytes a mail to these recipients may have: reports are small."""
    return LARGEST_REPORT if all(map(_is_for_reports, recipients)) else LARGEST


def _is_for_reports(address: str) -> bool:
    return is_feedback(address) or _kind(address) in (addresses.BOUNCE, addresses.TRIP)


def _kind(address: str) -> str:
    """The kind of an address of ours; blank for one that acts for nobody."""
    found = addresses.read(address)
    return found[0] if found else ""


def is_feedback(address: str) -> bool:
    """Return whether this is the address for complaints of mailbox providers."""
    return address.strip().lower() == f"{addresses.FEEDBACK}@{settings.MAIL_DOMAIN}"


def is_mailbox(address: str) -> bool:
    """Return whether this is the address that this server writes from."""
    return address.strip().lower() == addresses.mailbox()


def store(raw: bytes, sender: str | None, recipients: Iterable[str], now: datetime, *, relayed: bool = True) -> None:
    """Keep a mail for the recipients whose addresses are ours. It is there once the transaction is committed.

    ``relayed`` is False where it did not come by a mail server of the operator's or a provider. What the server wrote
    to itself is for whoever waits for it, and nobody else is to read it.
    """
    ours = [recipient.strip().lower() for recipient in recipients if takes(recipient)]
    if ours:
        metrics.MAILS_RECEIVED.inc()
        about = sorted({_about(our) for our in ours} - {""})
        own = all(_kind(our) == addresses.TRIP for our in ours)
        RawMail.objects.create(
            raw=raw,
            sender=None if sender is None else sender.strip().strip("<>")[:320],
            recipients=ours,
            relayed=relayed,
            about=about,
            state=RawMail.State.READ if own else RawMail.State.RECEIVED,
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
    """Return whether there is any."""
    return _unread().exists()


def _unread() -> QuerySet[RawMail]:
    return RawMail.objects.filter(state=RawMail.State.RECEIVED)


def unread(about: str, received_by: datetime, now: datetime) -> bool:
    """Return whether mail about this id that was in by then still waits to be read."""
    waiting = RawMail.objects.filter(state=RawMail.State.RECEIVED, received_at__lte=received_by)
    given_up = Q(first_attempt_at__lt=now - PATIENCE)
    return waiting.filter(about__contains=[about]).exclude(given_up).exists()


def begin(now: datetime, but: Collection[int]) -> int | None:
    """The next mail to be read, without those in ``but``. It is left to whoever began for a while, longer each time:
    so a mail whose readers die holds up no other for long.
    """
    with transaction.atomic():
        mail = (
            RawMail.objects.select_for_update(skip_locked=True)
            .filter(state=RawMail.State.RECEIVED, next_attempt_at__lte=now)
            .exclude(pk__in=but)
            .order_by("received_at", "id")
            .first()
        )
        if mail is None:
            return None
        mail.next_attempt_at = now + min(PAUSE * 2 ** min(mail.attempts, 20), LONGEST_PAUSE)
        mail.attempts += 1
        mail.first_attempt_at = mail.first_attempt_at or now
        mail.save(update_fields=["attempts", "first_attempt_at", "next_attempt_at"])
    return mail.pk


def held(mail: int) -> RawMail | None:
    """A mail that is to be read, locked against every other reader; None where another one has it.

    Only inside a transaction, in which everything that the mail leads to is done.
    """
    rows = RawMail.objects.select_for_update(skip_locked=True)
    return rows.filter(pk=mail, state=RawMail.State.RECEIVED).first()


def is_copy(mail: RawMail, identity: str) -> bool:
    """Return whether the same mail came before; if not, its identity is noted down. Only while it is ``held``."""
    try:
        with transaction.atomic():
            mail.identity = identity
            mail.save(update_fields=["identity"])
    except IntegrityError:
        mail.identity = None
        return True
    return False


def done(mail: RawMail) -> None:
    """Note that a mail was read, and forget what it said. Only while it is ``held``."""
    mail.state = RawMail.State.READ
    mail.raw = b""
    mail.save(update_fields=["state", "raw"])


def failed(mail: int, error: Exception, tell: Tell, now: datetime) -> None:
    """Note that a mail could not be read: it is tried again, or set aside, and its writer told. It is not logged.

    An error of the server is not counted, however often it comes.
    """
    with transaction.atomic():
        row = held(mail)
        if row is None:
            return
        cause = error.__cause__ or error if isinstance(error, Unreadable) else error
        if not is_server_error(cause):
            row.failures += 1
            row.save(update_fields=["failures"])
        reason = describe_error(cause)
        if row.failures >= (UNREADABLE if isinstance(error, Unreadable) else FAILURES):
            _set_aside(row, reason, tell, now)
        else:
            logger.warning("mail %s, attempt %d, is tried again later: %s", mail, row.attempts, reason)


def _set_aside(mail: RawMail, reason: str, tell: Tell, now: datetime) -> None:
    mail.state = RawMail.State.FAILED
    mail.save(update_fields=["state"])
    operator.set_aside_and_tell(SetAside.Kind.MAIL, mail.pk, "", f"after {mail.attempts} attempts: {reason}", now)
    tell(mail, now)


def retry(mail: int, now: datetime) -> bool:
    """Read a mail again that was set aside, as of when it came; return False where its text is no longer kept."""
    kept = RawMail.objects.filter(pk=mail, state=RawMail.State.FAILED).exclude(raw=b"")
    again = kept.update(
        state=RawMail.State.RECEIVED, attempts=0, failures=0, first_attempt_at=None, next_attempt_at=now
    )
    return bool(again)


def forget(now: datetime) -> None:
    """Delete the mails that need not be kept any longer, and what the oldest of too many said: people wrote them."""
    RawMail.objects.exclude(state=RawMail.State.RECEIVED).filter(received_at__lt=now - KEPT).delete()
    with connection.cursor() as cursor:
        cursor.execute(_DROP, {"most": MOST_KEPT})


_DROP: Final = """
    UPDATE notifications_rawmail SET raw = '' WHERE id IN (
        SELECT id FROM (
            SELECT id, sum(length(raw)) OVER (ORDER BY received_at DESC, id DESC) AS bytes
            FROM notifications_rawmail WHERE state = 'failed'
        ) AS kept WHERE bytes > %(most)s
    ) AND length(raw) > 0
"""
