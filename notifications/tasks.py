"""Celery tasks of delivery and of the event stream. The work is found in the database, so a lost or repeated task does
no harm."""

from typing import Final

from celery import shared_task
from django.conf import settings

from config.core import clock
from config.core.work import ConcurrencyLimit, do_due
from notifications import deliver, outbox, stream_events

_DELIVERING: Final = ConcurrencyLimit(lambda: deliver.deliver_due(clock.now()), most=2)
"""Two runs at a time, because they mostly wait for a mail server."""
_DISPATCHING: Final = ConcurrencyLimit(lambda: do_due(deliver.dispatch_due))
_DISPATCHING_MESSAGES: Final = ConcurrencyLimit(lambda: do_due(deliver.dispatch_messages_due))


@shared_task(ignore_result=True)
def deliver_notifications() -> None:
    """Deliver due notifications. Enqueued after each commit with a composed notification, and every few seconds."""
    _DELIVERING()


@shared_task(ignore_result=True)
def dispatch_notifications() -> None:
    """Post notifications to servers of users, which may be slow. Enqueued like ``deliver_notifications``."""
    _DISPATCHING()


@shared_task(ignore_result=True)
def dispatch_messages() -> None:
    """Post messages to webhooks and group chats, so that they hold up no push. Enqueued like the others."""
    _DISPATCHING_MESSAGES()


@shared_task(ignore_result=True)
def drop_contents() -> None:
    """Delete the content of notifications that are older than ``KEEP_EMAILS``, and old messages to endpoints."""
    outbox.drop_contents(clock.now() - settings.KEEP_EMAILS)
    outbox.forget_messages(clock.now())


@shared_task(ignore_result=True)
def forget_stream_events() -> None:
    """Delete old stream events. Enqueued every hour."""
    stream_events.forget(clock.now())
