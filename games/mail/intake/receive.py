"""The intake of mail from all sources: an email is stored, then the task that reads it is enqueued."""

from collections.abc import Iterable
from datetime import datetime

from django.db import transaction

from config.core import traces
from games.event_log.enqueue import enqueue
from notifications import received_mail


def receive(raw: bytes, sender: str | None, recipients: Iterable[str], now: datetime, *, relayed: bool = True) -> None:
    """Store an email that was received completely at ``now``. Raises DatabaseError if it could not be stored.

    ``relayed`` is False for mail by SMTP from any client: then no mail server vouches for its sender.
    """
    with traces.begin_trace("receive email"), transaction.atomic():
        received_mail.store(raw, sender, recipients, now, relayed=relayed)
        enqueue("games.mail.tasks.read_mail")
