"""Retrying and acknowledging of work that was set aside."""

from collections.abc import Callable, Iterable, Mapping
from datetime import datetime
from typing import Final
from uuid import UUID

from django.db import transaction

from games.play import resolve
from notifications import outbox, received_mail, set_aside
from notifications.set_aside import SetAside

_RETRY_FUNCTIONS: Final[Mapping[str, Callable[[str, datetime], bool]]] = {
    SetAside.Kind.MOVE: lambda subject, now: resolve.retry_move(UUID(subject), now),
    SetAside.Kind.MAIL: lambda subject, now: received_mail.retry(int(subject), now),
    SetAside.Kind.NOTIFICATION: lambda subject, now: outbox.retry(UUID(subject), now),
}


def retry(rows: Iterable[SetAside], now: datetime) -> tuple[int, int]:
    """Queue these rows for a worker. Return how many are retried, and how many no longer exist.

    Settled rows are left out. Work that fails again is set aside again.
    """
    tried = missing = 0
    for row in rows:
        with transaction.atomic():
            if not set_aside.unsettled().filter(pk=row.pk).exists():
                continue
            # This locks the work before its row, as a worker does that sets it aside.
            again = _RETRY_FUNCTIONS[row.kind](row.subject, now)
            if not set_aside.settle([row], SetAside.Outcome.RETRIED if again else SetAside.Outcome.GONE, now):
                transaction.set_rollback(True)  # The row was settled in the meantime.
                continue
        tried, missing = tried + again, missing + (not again)
    return tried, missing


def acknowledge(rows: Iterable[SetAside], now: datetime) -> int:
    """Mark these rows as settled by the operator. Return how many were not settled before."""
    return set_aside.settle(rows, SetAside.Outcome.ACKNOWLEDGED, now)
