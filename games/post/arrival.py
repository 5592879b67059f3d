"""Where mail comes in, whatever way it took: stored first, then the bell for whoever reads it."""

from collections.abc import Iterable
from datetime import datetime

from django.db import transaction

from games.bells import ring
from notifications import inbound


def receive(raw: bytes, sender: str | None, recipients: Iterable[str], now: datetime) -> None:
    """Store a mail that was in as a whole at ``now``. DatabaseError where it is not stored."""
    with transaction.atomic():
        inbound.store(raw, sender, recipients, now)
        ring("games.post.tasks.read_mail")
