"""Mail about mail of ours that did not arrive or was not wanted: it is noted, and never answered."""

import logging
from collections.abc import Iterator
from datetime import datetime

from notifications.content import addresses
from notifications.inbound import received_mail
from notifications.mail_parsing import delivery_reports
from notifications.models import Notification, RawMail
from notifications.recipients import deliverability

logger = logging.getLogger(__name__)


def note(mail: RawMail, now: datetime) -> bool:
    """Note what a mail to an address for reports says; whether it went to nobody else.

    It counts for the address to which the notification went whose report address it came to, whatever it says itself;
    one that came to the address for complaints, for the notification whose report address the copy in it shows.
    """
    about = [subject for kind, subject in _read(mail.recipients) if kind == addresses.BOUNCE]
    to_feedback = any(map(received_mail.is_feedback, mail.recipients))
    for_nobody_else = len(about) + to_feedback == len(mail.recipients)
    if not about and not to_feedback:
        return False
    report = delivery_reports.read(bytes(mail.raw), addresses.pattern())
    if isinstance(report, delivery_reports.Complained) and to_feedback:
        about += [subject for kind, subject in _read([report.token]) if kind == addresses.BOUNCE]
    failed = failure(report)
    logger.info("mail %s is a report: %s", mail.pk, failed or "nothing that counts")
    for notification in Notification.objects.select_related("account").filter(pk__in=map(addresses.long, about)):
        if failed:
            deliverability.note(notification.destination(), failed, notification.sent_at, now)
    return for_nobody_else


def _read(written: list[str]) -> Iterator[tuple[str, str]]:
    return (found for found in map(addresses.read, written) if found is not None)


def failure(report: delivery_reports.Report | None) -> deliverability.Failure | None:
    """Return what a report says against the address; None where that is nothing."""
    match report:
        case delivery_reports.Bounced(status):
            return deliverability.of_status(status)
        case delivery_reports.Complained():
            return deliverability.Failure.COMPLAINT
    return None
