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
OLDEST: Final = f"""
    SELECT coalesce(min(running.xid), pg_snapshot_xmax(pg_current_snapshot())::text::bigint)
    FROM (
        SELECT pg_snapshot_xip(pg_current_snapshot())::text::bigint AS xid
        UNION ALL SELECT pg_current_xact_id_if_assigned()::text::bigint
    ) AS running
    WHERE running.xid & 4294967295 NOT IN (
        SELECT own.transactionid::text::bigint
        FROM pg_locks AS own JOIN pg_locks AS silent USING (virtualtransaction)
        WHERE own.locktype = 'transactionid' AND own.mode = 'ExclusiveLock' AND silent.locktype = 'advisory'
            AND (silent.classid, silent.objid, silent.objsubid) = (0, {LOCK}, 1) AND silent.granted
    )
"""
"""SQL for the oldest transaction that runs and is not silent. Locks have its number without the epoch."""
IS_OVER: Final = f"(xid < pg_snapshot_xmin(pg_current_snapshot())::text::bigint OR xid < ({OLDEST}))"
"""SQL for whether the transaction ``xid``, and all before it that tell something, are over. Locks are looked at only
where some transaction still runs."""
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
