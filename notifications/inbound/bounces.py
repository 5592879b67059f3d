"""Reports about emails of this server that did not arrive or were not wanted. They are recorded and never answered."""

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
    """Record the report in an email to an address for reports. Return whether the email has no other recipient.

    A report counts for the address to which the notification was sent whose report address received it. The text of the
    report does not matter. A complaint to the address for complaints counts for the notification whose report address
    is in its copy.
    """
    notification_ids = [subject for kind, subject in _read(mail.recipients) if kind == addresses.BOUNCE]
    to_feedback = any(map(received_mail.is_feedback, mail.recipients))
    is_only_report = len(notification_ids) + to_feedback == len(mail.recipients)
    if not notification_ids and not to_feedback:
        return False
    report = delivery_reports.read(bytes(mail.raw), addresses.pattern())
    if isinstance(report, delivery_reports.Complained) and to_feedback:
        notification_ids += [subject for kind, subject in _read([report.token]) if kind == addresses.BOUNCE]
    address_failure = failure(report)
    logger.info("mail %s is a report: %s", mail.pk, address_failure or "no failure")
    for notification in Notification.objects.select_related("account").filter(
        pk__in=map(addresses.long, notification_ids)
    ):
        if address_failure:
            deliverability.note(notification.destination(), address_failure, notification.sent_at, now)
    return is_only_report


def _read(texts: list[str]) -> Iterator[tuple[str, str]]:
    return (kind_and_subject for kind_and_subject in map(addresses.read, texts) if kind_and_subject is not None)


def failure(report: delivery_reports.Report | None) -> deliverability.Failure | None:
    """Return the failure of an address that a report describes, or None."""
    match report:
        case delivery_reports.Bounced(status):
            return deliverability.of_status(status)
        case delivery_reports.Complained():
            return deliverability.Failure.COMPLAINT
    return None
