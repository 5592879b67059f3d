"""Silent transactions, which tell programs nothing: the event stream does not wait for their end.

It hands out what happened in the order of transactions, and so waits for each that runs, lest it tells something
earlier. Some run for long, as whoever composes an email or speaks with a mail server holds rows locked meanwhile.
"""

import threading
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Final

from django.db import connection, transaction

LOCK: Final = 290_611
"""The number of the advisory lock that each of them holds, shared with all others."""
_thread = threading.local()


@contextmanager
def silent_transaction() -> Iterator[None]:
    """A transaction, not within another, in which no program is told anything."""
    with transaction.atomic(durable=True):
        with connection.cursor() as cursor:
            cursor.execute("SELECT pg_advisory_xact_lock_shared(%s)", [LOCK])
        _thread.is_silent = True
        try:
            yield
        finally:
            _thread.is_silent = False


def check_may_tell() -> None:
    """Raise a RuntimeError in a silent transaction: what it told might never be heard."""
    if getattr(_thread, "is_silent", False):
        raise RuntimeError("A silent transaction tells programs something.")
