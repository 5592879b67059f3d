"""Tasks that delete expired data."""

from datetime import timedelta
from typing import Final

from celery import shared_task
from django.utils import timezone

from accounts import guests, rate_limits, security_log, tokens
from accounts.authentication import codes, sessions

KEPT: Final = timedelta(days=90)
"""The lifetime of a refresh token. For that time, its second use must be recognised."""


@shared_task(ignore_result=True)
def delete_expired() -> None:
    """Delete expired data. Enqueued every hour.

    These are rate limits that are full again, expired requests for codes, codes and tokens of apps that ended long ago,
    apps that registered themselves and were not used, expired sessions, guests older than a month, and old sightings.
    """
    now = timezone.now()
    rate_limits.delete_idle(now)
    codes.delete_expired(now)
    tokens.delete_expired_app_tokens(now - KEPT)
    tokens.delete_unused_apps(now)
    sessions.delete_expired(now)
    guests.delete_expired(now)
    security_log.delete_old(now)
