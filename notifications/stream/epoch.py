"""The epoch: a random mark of one uninterrupted history of the database, which every id of the event stream contains.

Events are ordered by transaction numbers, which are valid in one cluster of PostgreSQL only. After a restore into
another cluster, or to an earlier state, old positions and ids are invalid: a new epoch begins, without the events of
the old one, and clients with an old id are told to read their state again.
"""

import secrets
from dataclasses import dataclass
from typing import Any, Final
from uuid import UUID

import psycopg

from config.core.database.silent_transactions import OLDEST

Position = tuple[int, int]
"""The transaction and the id of an event. It never leaves the server, because it would reveal how much other players
do.
"""

_LOCK: Final = "LOCK TABLE notifications_epoch IN SHARE ROW EXCLUSIVE MODE"
"""A lock for this check, so that two processes that notice the same restore begin only one epoch."""
_LOOK: Final = f"""
    SELECT epoch.mark, epoch.cluster, here.cluster, here.running, EXISTS (
        SELECT 1 FROM notifications_streamevent WHERE xid >= here.next
    )
    FROM (
        SELECT ({OLDEST}) AS running,
            pg_snapshot_xmax(pg_current_snapshot())::text::bigint AS next,
            concat_ws('/',
                (SELECT system_identifier FROM pg_control_system()),
                left(pg_walfile_name(pg_current_wal_lsn()), 8),
                (SELECT oid FROM pg_database WHERE datname = current_database())
            ) AS cluster
    ) AS here LEFT JOIN notifications_epoch AS epoch ON true
"""
"""The stored epoch, the identity of the cluster (its initdb, its timeline, its database), the oldest running
transaction that may write events, and whether there are events of transactions that this cluster has not reached.
"""
_HAS: Final = "SELECT 1 FROM notifications_streamevent WHERE public_id = %s"


@dataclass(frozen=True)
class Progress:
    """The position to which a process has read, and its epoch."""

    epoch: str
    position: Position
    last_event: UUID | None = None
    """The event at the position, or None if none was read yet."""


async def look(connection: "psycopg.AsyncConnection[Any]", last_progress: Progress | None) -> Progress:
    """Return the position to read from, given the position of the last read. Begins a new epoch if the stored one is
    invalid.
    """
    async with connection.transaction():
        await connection.execute(_LOCK)
        row = await (await connection.execute(_LOOK)).fetchone()
        assert row
        mark, stored_cluster, cluster, oldest, has_future = row
        if mark is None or stored_cluster != cluster or has_future:
            mark = await _begin(connection, cluster)
        elif last_progress and last_progress.epoch == mark:
            if await _follows(connection, last_progress, oldest):
                return last_progress
            mark = await _begin(connection, cluster)
    return Progress(mark, (oldest - 1, 2**62))


async def _follows(connection: "psycopg.AsyncConnection[Any]", progress: Progress, oldest: int) -> bool:
    """Return whether the database still has the last event that was read. An older copy of the data does not have it.

    If no event was read yet, the transaction numbers must at least be as high as before. A false alarm is possible if
    the account of the last event was deleted while the database was unreachable. Then clients only have to read again.
    """
    if progress.last_event is None:
        return progress.position[0] < oldest
    return await (await connection.execute(_HAS, [progress.last_event])).fetchone() is not None


async def _begin(connection: "psycopg.AsyncConnection[Any]", cluster: str) -> str:
    """Begin an epoch and delete all events. They belong to another epoch, or precede the reset that all clients get."""
    mark = secrets.token_hex(4)
    await connection.execute("DELETE FROM notifications_streamevent")
    await connection.execute("DELETE FROM notifications_epoch")
    await connection.execute("INSERT INTO notifications_epoch (mark, cluster) VALUES (%s, %s)", [mark, cluster])
    return mark
