"""Options of database connections, with and without a connection pooler, and silent transactions.

A pooler in transaction mode (pgbouncer) lends a connection for one transaction. The features of a session do not work
there: prepared statements, ``LISTEN``, session locks and settings at connection time. ``DIRECT_DATABASE_URL`` bypasses
the pooler for the event stream and for commands.

Silent transactions write no stream events, so that the event stream does not wait for their end. It sends events in the
order of transactions, so it waits for every transaction that still runs. Some run long, such as those that compose an
email or talk to a mail server while they hold a row lock.
"""

import threading
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any, Final

from django.conf import settings
from django.core.exceptions import ImproperlyConfigured
from django.db import connection, transaction

REPLICA: Final = "replica"
"""Django's name of the database at REPLICA_URL (``config.core.database.replica``)."""
# A process that stops while it has locked a game loses its transaction. The page cost is that of memory or an SSD, so
# that the planner uses an index instead of reading a whole table.
_SESSION_SETTINGS: Final = "-c idle_in_transaction_session_timeout=5min -c random_page_cost=1.1"
# Give up a server that cannot be reached after a minute, not after two hours.
_SILENT_NETWORK: Final = {
    "keepalives_idle": 30,
    "keepalives_interval": 10,
    "keepalives_count": 3,
    "tcp_user_timeout": 60_000,
}


def use_direct_connection() -> None:
    """Let this process bypass the pooler, if there is one. Call it before the first connection is opened."""
    settings.DATABASES["default"].update(settings.DIRECT_DATABASE or {})


def direct_description(database: dict[str, Any] | None, direct: dict[str, Any] | None) -> dict[str, Any] | None:
    """Return Django's settings of the connection that bypasses the pooler, if there is one.

    Raises ImproperlyConfigured if DIRECT_DATABASE_URL is set without DATABASE_URL.
    """
    if direct and database is None:
        raise ImproperlyConfigured("DIRECT_DATABASE_URL leads past a pooler: name the pooler in DATABASE_URL.")
    return description(direct, pooled=False) if direct else None


def description(database: dict[str, Any], *, pooled: bool) -> dict[str, Any]:
    """Return Django's settings of a database. ``pooled`` means that a pooler in transaction mode is in between."""
    session = {"prepare_threshold": None} if pooled else {"prepare_threshold": 1, "options": _SESSION_SETTINGS}
    return {
        **database,
        "ENGINE": "config.core.database",
        "CONN_MAX_AGE": 60,
        "CONN_HEALTH_CHECKS": True,
        "DISABLE_SERVER_SIDE_CURSORS": pooled,
        "OPTIONS": {
            "server_side_binding": True,
            "connect_timeout": 10,
            **_SILENT_NETWORK,
            **session,
            **database.get("OPTIONS", {}),
        },
    }


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
