"""Celery tasks of the event stream. The work is found in the database, so a lost or repeated task does no harm."""

from celery import shared_task

from config.core import clock
from notifications.stream import stream_events


@shared_task(ignore_result=True)
def forget() -> None:
    """Delete old stream events. Enqueued every hour."""
    stream_events.forget(clock.now())
