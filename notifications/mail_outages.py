"""Outages of mail: the times when the mail server behind ``EMAIL_URL`` accepts no emails at all.

An outage begins with the first failure of the mail server (not of a recipient), and ends with the next accepted email.
The code for deadlines gives players the time of an outage back.

The module also moves the next attempts of all queues after a clock was set back.
"""

from collections.abc import Iterable
from datetime import datetime, timedelta
from typing import Any, Final

from django.db import transaction
from django.db.models import F, Q, QuerySet

from notifications.models import MailOutage, Notification, RawMail, State, skip_locked

GRACE: Final = timedelta(minutes=5)
"""Outages that are not longer than this change no deadline."""
RECOMPOSED_AFTER: Final = timedelta(seconds=15)
"""The pause after an outage before emails with questions are composed again. By then their deadlines have been
moved.
"""


def begin(now: datetime) -> None:
    """Record that the mail server accepts nothing, unless that is known."""
    MailOutage.objects.bulk_create([MailOutage(since=now)], ignore_conflicts=True)


@transaction.atomic
def end(now: datetime) -> None:
    """Record that the mail server accepts emails, and send those that are waiting for their next attempt.

    After a longer outage, emails with questions are composed again with their new deadlines.
    """
    outage = MailOutage.objects.filter(lasts=True).first()
    if outage is None or not MailOutage.objects.filter(pk=outage.pk, lasts=True).update(lasts=None, until=now):
        return
    waiting = Notification.objects.filter(state=State.READY, channel="mail", attempts__gt=0)
    waiting.filter(next_attempt_at__gt=now).update(next_attempt_at=now)
    if now - outage.since > GRACE:
        _compose_again(now)


def _compose_again(now: datetime) -> None:
    stale = Notification.objects.filter(
        ~Q(question=""), state=State.READY, channel="mail", account__isnull=False, gathered=None
    )
    skip_locked(stale).update(
        state=State.SCHEDULED, rendered=None, told=None, held=False, attempts=0, next_attempt_at=now + RECOMPOSED_AFTER
    )


def unsettled() -> QuerySet[MailOutage]:
    """Return the outages for which deadlines may have to be moved, including a present one, the earliest first."""
    return MailOutage.objects.order_by("since")


def waiting(_: datetime) -> Iterable[QuerySet[MailOutage]]:
    """Return the outages that have not been settled, including a present one."""
    return [unsettled()]


def since() -> datetime | None:
    """Return the beginning of the present outage, or None."""
    return MailOutage.objects.filter(lasts=True).values_list("since", flat=True).first()


def settle(outage: MailOutage) -> None:
    """Delete an outage that is over, after deadlines were moved."""
    MailOutage.objects.filter(pk=outage.pk).delete()


def begin_again(now: datetime) -> None:
    """Restart the present outage, if there is one. Deadlines were moved for the time before."""
    MailOutage.objects.filter(lasts=True, since__lt=now).update(since=now)


_QUEUES: Final[tuple[QuerySet[Any], ...]] = (
    Notification.objects.filter(state=State.SCHEDULED),
    Notification.objects.filter(state=State.READY),
    RawMail.objects.filter(state=RawMail.State.RECEIVED),
)


def catch_up(before: datetime, now: datetime) -> None:
    """Make all attempts that were due by ``before`` due by ``now``, after the clock was set back.

    Otherwise they would all wait until the clock reaches the old time again.
    """
    for rows in _QUEUES:
        late = rows.filter(next_attempt_at__gt=now, next_attempt_at__lte=before)
        late.update(next_attempt_at=F("next_attempt_at") - (before - now))
