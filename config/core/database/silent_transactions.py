"""Silent transactions, which write no stream events, so that the event stream does not wait for their end.

The event stream sends events in the order of transactions, so it waits for every transaction that still runs. Some run
long, such as those that compose an email or talk to a mail server while they hold a row lock.
"""

import threading
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Final

from django.db import connection, transaction

LOCK: Final = 290_611
"""The number of the advisory lock that every silent transaction holds in shared mode."""
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
"""SQL of the oldest running transaction that is not silent. ``pg_locks`` has the number without the epoch."""
IS_OVER: Final = f"(xid < pg_snapshot_xmin(pg_current_snapshot())::text::bigint OR xid < ({OLDEST}))"
"""SQL of whether transaction ``xid`` and all earlier ones that may write stream events are over. The lock table is read
only if an older transaction still runs."""
_thread = threading.local()


@contextmanager
def silent_transaction() -> Iterator[None]:
    """Open a transaction, not within another one, that writes no stream events."""
    with transaction.atomic(durable=True):
        with connection.cursor() as cursor:
            cursor.execute("SELECT pg_advisory_xact_lock_shared(%s)", [LOCK])
        _thread.is_silent = True
        try:
            yield
        finally:
            _thread.is_silent = False


def refuse_in_silent_transaction() -> None:
    """Raise RuntimeError in a silent transaction, because its stream events might never be sent."""
    if getattr(_thread, "is_silent", False):
        raise RuntimeError("A silent transaction writes a stream event.")
