"""Runs statements that Django cannot write, and locks names. Each app has its statements in its module ``queries``."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from hashlib import sha256
from typing import Any

import msgspec
from django.db import DEFAULT_DB_ALIAS, connection, connections
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
