"""Statements that Django cannot write, locks on names, a lookup, and silent transactions.

A silent transaction writes no stream events. The event stream sends events in the order of transactions, so it waits
for every transaction that still runs, except for the silent ones. Some of these run long, such as those that compose an
email or talk to a mail server while they hold a row lock.
"""

import threading
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from hashlib import sha256
from typing import Any, Final

import msgspec
from django.db import DEFAULT_DB_ALIAS, connection, connections, transaction
from django.db.models import Field, ForeignKey, Lookup
from psycopg.pq import Format

Parameters = Sequence[Any] | Mapping[str, Any]


@contextmanager
def pipeline() -> Iterator[None]:
    """Send the statements of this block without waiting for their results. Only in a transaction.

    An error is raised by the next read, or at the end of the block. No statement may need its number of changed rows,
    as ``Model.save`` does.
    """
    with connection.wrap_database_errors, connection.connection.pipeline():
        yield


def find(query: str, parameters: Parameters = (), database: str = DEFAULT_DB_ALIAS) -> Iterator[Any]:
    """Send a query now, and return its rows, which are waited for when the first one is read.

    The rows use the driver's binary format, which is faster to read. Columns of type ``jsonb`` must be cast to text.
    """
    cursor = connections[database].cursor()
    cursor.cursor.format = Format.BINARY
    cursor.execute(query, parameters)
    return _fetch_rows(cursor)


def _fetch_rows(cursor: Any) -> Iterator[Any]:
    yield from cursor.fetchall()


def execute(statement: str, parameters: Parameters) -> int:
    """Run a statement, and return the number of rows that it changed, which is unknown in a pipeline."""
    with connection.cursor() as cursor:
        cursor.execute(statement, parameters)
        return int(cursor.rowcount)


def array(values: Iterable[Any]) -> str:
    """Return ids as a PostgreSQL array literal. The driver's own conversion is slower."""
    return f"{{{msgspec.json.encode([*values]).decode()[1:-1]}}}"


def lock(name: str) -> None:
    """Wait for the lock with this name, and keep it until the end of the transaction."""
    execute("SELECT pg_advisory_xact_lock(%s)", [_lock_number(name)])


def try_lock(name: str) -> bool:
    """Take the lock with this name until the end of the transaction. Return False if another transaction has it."""
    [(is_taken,)] = find("SELECT pg_try_advisory_xact_lock(%s)", [_lock_number(name)])
    return bool(is_taken)


def _lock_number(name: str) -> int:
    return int.from_bytes(sha256(name.encode()).digest()[:8], "big", signed=True)


@ForeignKey.register_lookup  # foreign keys do not inherit the lookups of Field
@Field.register_lookup
class AnyOf(Lookup):
    """``any`` finds the same rows as ``in``, with one parameter for all ids.

    So a statement is prepared once for lists of every length, and a list may be longer than the 65,535 parameters that
    PostgreSQL takes.
    """

    lookup_name = "any"
    prepare_rhs = False

    def as_sql(self, compiler: Any, connection: Any) -> tuple[str, list[Any]]:  # type: ignore[override]
        column, parameters = self.process_lhs(compiler, connection)
        kind = self.lhs.output_field.db_type(connection)
        return f"{column} = ANY(%s::{kind}[])", [*parameters, array(self.rhs)]


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
