"""Received email: stored before the sending server gets a confirmation, and kept until it is read.

The caller knows how to handle an email. Emails are read in the order of arrival, and an email that fails does not stop
the next one: it is tried again after a growing pause. Only errors that the email may have caused are counted. After a
number of such errors the email is set aside. An interrupted attempt, by a kill or without a database, does not count.

Reports about emails of this server that did not arrive or were not wanted are recorded and never answered.
"""

import logging
from collections.abc import Callable, Collection, Iterable, Iterator
from datetime import datetime, timedelta
from typing import Final

from django.conf import settings
from django.db import IntegrityError, transaction
from django.db.models import F, Q, QuerySet, Sum, Window
from django.db.models.functions import Length

from config.core import metrics
from config.core.email_spellings import canonical
from config.core.logs import describe_error, is_server_error
from notifications import deliverability, reply_addresses, server_emails
from notifications.mail_parsing import delivery_reports
from notifications.models import Notification, RawMail
from notifications.set_aside import SetAside

logger = logging.getLogger(__name__)

LARGEST: Final = 1024 * 1024
"""The most bytes of an email. A reply is a line, but mail programs quote, sign and attach pictures."""
LARGEST_REPORT: Final = 256 * 1024
"""The most bytes of a report, which contains a copy of an email of this server."""
PAUSE: Final = timedelta(seconds=10)
"""The pause after a first attempt to read an email. It doubles with each attempt."""
LONGEST_PAUSE: Final = timedelta(hours=1)
UNREADABLE: Final = 3
"""The number of parser errors that set an email aside. The parser is pure: a third error proves that it always
fails.
"""
FAILURES: Final = 14
"""The number of errors of later steps that set an email aside, which takes about five hours with the pauses."""
PATIENCE: Final = timedelta(hours=6)
"""The time after the first attempt from which an email no longer delays deadlines."""
KEPT: Final = timedelta(days=30)
"""The time for which an email is kept after it was read or set aside, so that copies are recognised.

Its text is kept only while it is set aside.
"""
MOST_KEPT: Final = 64 * 1024 * 1024
"""The most bytes of emails that are set aside. The text of the oldest ones beyond it is deleted."""
_ADDRESS_KINDS: Final = frozenset(
    {
        reply_addresses.QUESTION,
        reply_addresses.SEAT,
        reply_addresses.CHAT,
        reply_addresses.INVITATION,
        reply_addresses.DIGEST,
        reply_addresses.COMMAND,
        reply_addresses.BOUNCE,
        reply_addresses.TRIP,
    }
)
"""The kinds of email addresses. Other kinds are used in links only."""


NotifySender = Callable[[RawMail, datetime], None]
"""A function that notifies the sender that an email was set aside. It never raises."""


class Unreadable(Exception):
    """The parser failed on an email. The cause is the error."""


def takes(address: str) -> bool:
    """Return whether an address belongs to this server, so that mail to it is accepted."""
    if is_feedback(address) or is_mailbox(address):
        return True
    kind_and_subject = reply_addresses.read(address) if "@" in address else None
    return kind_and_subject is not None and kind_and_subject[0] in _ADDRESS_KINDS


def largest(recipients: Iterable[str]) -> int:
    """Return the most bytes of an email to these recipients. Reports must be small."""
    return LARGEST_REPORT if all(map(_is_for_reports, recipients)) else LARGEST


def _is_for_reports(address: str) -> bool:
    return is_feedback(address) or _kind(address) in (reply_addresses.BOUNCE, reply_addresses.TRIP)


def _kind(address: str) -> str:
    """Return the kind of an address of this server, or a blank text."""
    kind_and_subject = reply_addresses.read(address)
    return kind_and_subject[0] if kind_and_subject else ""


def is_feedback(address: str) -> bool:
    """Return whether this is the address for complaints of mailbox providers."""
    return canonical(address) == f"{reply_addresses.FEEDBACK}@{settings.MAIL_DOMAIN}"


def is_mailbox(address: str) -> bool:
    """Return whether this is the address that this server writes from."""
    return canonical(address) == reply_addresses.mailbox()


def store(raw: bytes, sender: str | None, recipients: Iterable[str], now: datetime, *, relayed: bool = True) -> None:
    """Store an email for the recipients of this server in the current transaction.

    ``relayed`` is False if it did not come from a mail server of the operator or from a provider. An email that the
    server sent to itself is only stored for the code that waits for it.
    """
    accepted = [canonical(recipient) for recipient in recipients if takes(recipient)]
    if accepted:
        metrics.MAILS_RECEIVED.inc()
        about = sorted({_about(recipient) for recipient in accepted} - {""})
        is_from_self = all(_kind(recipient) == reply_addresses.TRIP for recipient in accepted)
        RawMail.objects.create(
            raw=raw,
            sender=None if sender is None else canonical(sender.strip().strip("<>"))[:320],
            recipients=accepted,
            relayed=relayed,
            about=about,
            state=RawMail.State.READ if is_from_self else RawMail.State.RECEIVED,
            received_at=now,
            next_attempt_at=now,
        )


def _about(address: str) -> str:
    """Return the first part of an address's subject, such as the id of its game."""
    kind_and_subject = reply_addresses.read(address)
    return kind_and_subject[1].partition("-")[0] if kind_and_subject else ""


def waiting(_: datetime) -> Iterable[QuerySet[RawMail]]:
    """Return the emails that are not read yet."""
    return [_unread().order_by("received_at")]


def is_any_unread() -> bool:
    """Return whether an email is not read yet."""
    return _unread().exists()


def _unread() -> QuerySet[RawMail]:
    return RawMail.objects.filter(state=RawMail.State.RECEIVED)


def unread(about: str, received_by: datetime, now: datetime) -> bool:
    """Return whether an email about this id that was received by a time is not read yet."""
    is_overdue = Q(first_attempt_at__lt=now - PATIENCE)
    rows = _unread().filter(received_at__lte=received_by, about__contains=[about])
    return rows.exclude(is_overdue).exists()


def begin(now: datetime, exclude: Collection[int]) -> int | None:
    """Return the next email to read, except those in ``exclude``, and set the time of the next attempt.

    The pause grows with each attempt, so that an email which kills its readers does not delay the others for long.
    """
    with transaction.atomic():
        mail = (
            RawMail.objects.select_for_update(skip_locked=True)
            .filter(state=RawMail.State.RECEIVED, next_attempt_at__lte=now)
            .exclude(pk__any=exclude)
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


def lock_unread(mail: int) -> RawMail | None:
    """Return an unread email, locked until the end of the transaction, or None if another worker has it.

    Must run in the transaction that carries the email out.
    """
    rows = RawMail.objects.select_for_update(skip_locked=True)
    return rows.filter(pk=mail, state=RawMail.State.RECEIVED).first()


def is_copy(mail: RawMail, identity: str) -> bool:
    """Return whether the same email was received before. If not, its identity is stored. The email must be locked."""
    try:
        with transaction.atomic():
            mail.identity = identity
            mail.save(update_fields=["identity"])
    except IntegrityError:
        mail.identity = None
        return True
    return False


def mark_read(mail: RawMail) -> None:
    """Record that an email was read, and delete its text. The email must be locked."""
    mail.state = RawMail.State.READ
    mail.raw = b""
    mail.save(update_fields=["state", "raw"])


def failed(mail: int, error: Exception, notify_sender: NotifySender, now: datetime) -> None:
    """Record that an email could not be read. It is tried again, or set aside and its sender notified.

    Errors of the server are not counted. The error's message is not logged.
    """
    with transaction.atomic():
        row = lock_unread(mail)
        if row is None:
            return
        cause = error.__cause__ or error if isinstance(error, Unreadable) else error
        if not is_server_error(cause):
            row.failures += 1
            row.save(update_fields=["failures"])
        reason = describe_error(cause)
        if row.failures >= (UNREADABLE if isinstance(error, Unreadable) else FAILURES):
            _set_aside(row, reason, notify_sender, now)
        else:
            logger.warning("mail %s, attempt %d, is tried again later: %s", mail, row.attempts, reason)


def _set_aside(mail: RawMail, reason: str, notify_sender: NotifySender, now: datetime) -> None:
    mail.state = RawMail.State.FAILED
    mail.save(update_fields=["state"])
    server_emails.set_aside_and_notify(
        SetAside.Kind.MAIL, mail.pk, "", f"after {mail.attempts} attempts: {reason}", now
    )
    notify_sender(mail, now)


def retry(mail: int, now: datetime) -> bool:
    """Read an email again that was set aside. Return False if its text was deleted."""
    rows = RawMail.objects.filter(pk=mail, state=RawMail.State.FAILED).exclude(raw=b"")
    count = rows.update(
        state=RawMail.State.RECEIVED, attempts=0, failures=0, first_attempt_at=None, next_attempt_at=now
    )
    return bool(count)


def forget(now: datetime) -> None:
    """Delete old emails, and the text of the oldest ones if too many are set aside."""
    RawMail.objects.exclude(state=RawMail.State.RECEIVED).filter(received_at__lt=now - KEPT).delete()
    newest_first = [F("received_at").desc(), F("id").desc()]
    failed = RawMail.objects.filter(state=RawMail.State.FAILED)
    failed = failed.annotate(bytes=Window(Sum(Length("raw")), order_by=newest_first)).filter(bytes__gt=MOST_KEPT)
    RawMail.objects.filter(pk__in=failed.values("pk")).exclude(raw=b"").update(raw=b"")


def note_report(mail: RawMail, now: datetime) -> bool:
    """Record the report in an email to an address for reports. Return whether the email has no other recipient.

    A report counts for the address to which the notification was sent whose report address received it. The text of the
    report does not matter. A complaint to the address for complaints counts for the notification whose report address
    is in its copy.
    """
    notification_ids = [
        subject for kind, subject in _kinds_and_subjects(mail.recipients) if kind == reply_addresses.BOUNCE
    ]
    to_feedback = any(map(is_feedback, mail.recipients))
    is_only_report = len(notification_ids) + to_feedback == len(mail.recipients)
    if not notification_ids and not to_feedback:
        return False
    report = delivery_reports.read(bytes(mail.raw), reply_addresses.pattern())
    if isinstance(report, delivery_reports.Complained) and to_feedback:
        notification_ids += [
            subject for kind, subject in _kinds_and_subjects([report.token]) if kind == reply_addresses.BOUNCE
        ]
    address_failure = failure_of_report(report)
    logger.info("mail %s is a report: %s", mail.pk, address_failure or "no failure")
    for notification in Notification.objects.select_related("account").filter(
        pk__in=map(reply_addresses.long, notification_ids)
    ):
        if address_failure:
            deliverability.note(notification.destination(), address_failure, notification.sent_at, now)
    return is_only_report


def _kinds_and_subjects(texts: list[str]) -> Iterator[tuple[str, str]]:
    return (kind_and_subject for kind_and_subject in map(reply_addresses.read, texts) if kind_and_subject is not None)


def failure_of_report(report: delivery_reports.Report | None) -> deliverability.Failure | None:
    """Return the failure of an address that a report describes, or None."""
    match report:
        case delivery_reports.Bounced(status):
            return deliverability.of_status(status)
        case delivery_reports.Complained():
            return deliverability.Failure.COMPLAINT
    return None
