"""Tasks: deletion of what nobody needs any more."""

from datetime import timedelta
from typing import Final

from celery import shared_task
from django.utils import timezone

from accounts.authentication import codes, sessions
from accounts.limits import rate_limits, sightings
from accounts.people import guests
from accounts.tokens import grants

KEPT: Final = timedelta(days=90)
"""As long as a refresh token holds it must be known again if it is shown twice."""


@shared_task(ignore_result=True)
def delete_expired() -> None:
    """Delete allowances that are full again, requests whose codes hold no more, codes and tokens of apps that ended
    long ago, sessions that are over, guests of a month ago, and old sightings. Enqueued every hour.
    """
    now = timezone.now()
    rate_limits.delete_idle(now)
    codes.delete_expired(now)
    grants.delete_expired(now - KEPT)
    sessions.delete_expired(now)
    guests.delete_expired(now)
    sightings.delete_old(now)
