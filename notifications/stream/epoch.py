"""The epoch: a random mark of one uninterrupted history of the database, contained in every id of the event stream.

Signals are ordered by transaction ids, which mean something in one cluster of PostgreSQL only. After a restore into
another cluster, or to an earlier state, positions and ids of before are worthless: a new epoch begins, without the
signals of the old one, and clients that come with an id of the old one are told to read their state again.
"""

import secrets
from dataclasses import dataclass
from typing import Any, Final
from uuid import UUID

import psycopg

from config.database.silent_transactions import OLDEST

Position = tuple[int, int]
"""Transaction and id of a signal. It never leaves the server: it would tell how much others do."""

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
"""The stored epoch, what identifies the cluster (its initdb, its timeline, the database in it), the oldest transaction
that runs and may tell something, and whether signals are there from transactions that this cluster has not had yet."""
_HAS: Final = "SELECT 1 FROM notifications_streamevent WHERE public_id = %s"


@dataclass(frozen=True)
class Progress:
    """Up to where a process has read, and in which epoch."""

    epoch: str
    position: Position
    told: UUID | None = None
    """The event at the position, or None if none was read yet."""


async def look(connection: "psycopg.AsyncConnection[Any]", known: Progress | None) -> Progress:
    """Find where to read on, given where this process read last; begin a new epoch if the stored one does not fit."""
    async with connection.transaction():
        await connection.execute(_LOCK)
        found = await (await connection.execute(_LOOK)).fetchone()
        assert found
        mark, stored, cluster, oldest, has_future = found
        if mark is None or stored != cluster or has_future:
            mark = await _begin(connection, cluster)
        elif known and known.epoch == mark:
            if await _follows(connection, known, oldest):
                return known
            mark = await _begin(connection, cluster)
    return Progress(mark, (oldest - 1, 2**62))


async def _follows(connection: "psycopg.AsyncConnection[Any]", known: Progress, oldest: int) -> bool:
    """Check that the database still has the last event that was read from it. An older copy of the data does not have
    it.

    If no event was read yet, the transaction numbers must at least be as high as before. There can be a false alarm: if
    the account of the last event was deleted while the database was unreachable. Then clients only have to read again.
    """
    if known.told is None:
        return known.position[0] < oldest
    return await (await connection.execute(_HAS, [known.told])).fetchone() is not None


async def _begin(connection: "psycopg.AsyncConnection[Any]", cluster: str) -> str:
    """Begin an epoch. What signals there are belong to another one, or come before the reset that all clients get."""
    mark = secrets.token_hex(4)
    await connection.execute("DELETE FROM notifications_streamevent")
    await connection.execute("DELETE FROM notifications_epoch")
    await connection.execute("INSERT INTO notifications_epoch (mark, cluster) VALUES (%s, %s)", [mark, cluster])
    return mark
