"""Celery tasks of webhooks. The work is found in the database, so a lost or repeated task does no harm."""

from typing import Final

from celery import shared_task

from config.core import clock
from config.core.work import ConcurrencyLimit, do_due
from notifications.webhooks import posting

_SERVING: Final = ConcurrencyLimit(lambda: do_due(posting.serve_due))


@shared_task(ignore_result=True)
def post() -> None:
    """Post due messages to webhooks. Enqueued after each commit with a new message, and every few seconds."""
    _SERVING()


@shared_task(ignore_result=True)
def forget() -> None:
    """Delete old events and deliveries. Enqueued every hour."""
    posting.forget(clock.now())
