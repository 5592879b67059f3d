"""The intake of mail, whatever way it took: it is stored first, and then whoever reads it is called."""

from collections.abc import Iterable
from datetime import datetime

from django.db import transaction

from config import traces
from games.event_log.enqueue import enqueue
from notifications.inbound import received_mail


def receive(raw: bytes, sender: str | None, recipients: Iterable[str], now: datetime, *, relayed: bool = True) -> None:
    """Store a mail that was in as a whole at ``now``. DatabaseError where it is not stored.

    ``relayed`` is False for mail by SMTP from anybody: then nobody vouches for its sender.
    """
    with traces.begin_trace("receive email"), transaction.atomic():
        received_mail.store(raw, sender, recipients, now, relayed=relayed)
        enqueue("games.mail.tasks.read_mail")
