"""Outages of our mail: the times when the mail server behind ``EMAIL_URL`` accepts no emails at all.

An outage begins with the first failure of the mail server (not of a recipient), and ends with the next accepted email.
The code that handles deadlines settles it, because players must not lose time by it.
"""

from collections.abc import Iterable
from datetime import datetime, timedelta
from typing import Final

from django.db import transaction
from django.db.models import Q, QuerySet

from notifications.models import MailOutage, Notification, State

GRACE: Final = timedelta(minutes=5)
"""An outage that is no longer than this counts for nothing."""
REWRITTEN_AFTER: Final = timedelta(seconds=15)
"""The pause after an outage before emails with questions are written again. By then their deadlines have been moved."""


def begin(now: datetime) -> None:
    """Note that our mail server takes nothing, unless that is known."""
    MailOutage.objects.bulk_create([MailOutage(since=now)], ignore_conflicts=True)


@transaction.atomic
def end(now: datetime) -> None:
    """Record that the mail server accepts emails, and send those that are waiting for their next attempt.

    After a longer outage, emails with questions are written again with their new deadlines.
    """
    outage = MailOutage.objects.filter(lasts=True).first()
    if outage is None or not MailOutage.objects.filter(pk=outage.pk, lasts=True).update(lasts=None, until=now):
        return
    waiting = Notification.objects.filter(state=State.READY, channel="mail", attempts__gt=0)
    waiting.filter(next_attempt_at__gt=now).update(next_attempt_at=now)
    if now - outage.since > GRACE:
        _write_anew(now)


def _write_anew(now: datetime) -> None:
    stale = Notification.objects.filter(
        ~Q(question=""), state=State.READY, channel="mail", account__isnull=False, gathered=None
    )
    ids = stale.select_for_update(skip_locked=True, of=("self",)).values_list("pk", flat=True)
    Notification.objects.filter(pk__in=list(ids)).update(
        state=State.SCHEDULED, rendered=None, told=None, held=False, attempts=0, next_attempt_at=now + REWRITTEN_AFTER
    )


def unsettled() -> QuerySet[MailOutage]:
    """The outages, one that lasts among them, for which deadlines may have to be moved; the earliest first."""
    return MailOutage.objects.order_by("since")


def waiting(_: datetime) -> Iterable[QuerySet[MailOutage]]:
    """Return the outages that have not been settled, including a present one."""
    return [unsettled()]


def since() -> datetime | None:
    """Since when our mail server has taken nothing; None where it does."""
    return MailOutage.objects.filter(lasts=True).values_list("since", flat=True).first()


def settle(outage: MailOutage) -> None:
    """Forget an outage that is over and has been given back."""
    MailOutage.objects.filter(pk=outage.pk).delete()


def begin_again(now: datetime) -> None:
    """Restart the present outage, if there is one. The time before it has been given back."""
    MailOutage.objects.filter(lasts=True, since__lt=now).update(since=now)
