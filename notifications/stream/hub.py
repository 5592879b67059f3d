"""The reader of stream events for all open streams of a process. It reads each event once and passes it on.

Events are read in the order (transaction, id), and only below the oldest transaction that is still running. So an event
that commits late cannot appear behind one that was already sent. Silent transactions do not count
(``config.core.database.connections``). PostgreSQL's NOTIFY only wakes the reader. If a transaction delays
events, the reader waits for it with growing pauses. On each connection it checks whether the database still has the
history that was read (``notifications.stream.stream_events``); if not, all streams end.
"""

import asyncio
import logging
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field, replace
from datetime import datetime
from typing import Any, Final
from uuid import UUID

import psycopg

from config.core.database.time_limits import AsyncConnection
from notifications import queries
from notifications.stream.stream_events import CHANNEL, Progress, check_epoch

logger = logging.getLogger(__name__)

QUEUE: Final = 1000
"""The number of events that may wait for a slow client. With more its stream is ended, and can be resumed."""
PATIENCE: Final = 3.0
"""Seconds after which the rows are read without a notification."""
SOON: Final = 0.01
"""Seconds until the next read while a transaction delays events. They double each time."""
_BATCH: Final = 2000


def pauses() -> Iterator[float]:
    """Yield the pauses while another transaction is running, short ones first."""
    pause = SOON
    while True:
        yield pause
        pause = min(2 * pause, PATIENCE)


@dataclass(frozen=True, slots=True)
class QueuedEvent:
    """An event on its way to a client."""

    id: UUID
    account: int
    kind: str
    data: dict[str, Any]
    at: datetime


@dataclass(eq=False)
class Listener:
    """An open stream of an account."""

    account: int
    since: Progress
    """The position in the stream. The listener gets all later events."""
    queue: "asyncio.Queue[QueuedEvent | None]" = field(default_factory=lambda: asyncio.Queue(QUEUE))
    """Events to send. None ends the stream."""

    async def is_ended(self, seconds: float) -> bool:
        """Wait for at most this time, skip events, and return whether the stream has to end."""
        with suppress(TimeoutError):
            async with asyncio.timeout(seconds):
                while await self.queue.get() is not None:
                    pass
                return True
        return False

    def end(self) -> None:
        """End the stream, even if it has not sent all its events."""
        while self.queue.full():
            self.queue.get_nowait()
        self.queue.put_nowait(None)


class Hub:
    """The reader for all streams of this process."""

    def __init__(self, conninfo: dict[str, Any]) -> None:
        """``conninfo`` has psycopg's arguments for the connection to the database."""
        self._conninfo = conninfo
        self._listeners: dict[int, set[Listener]] = {}
        self._progress: Progress | None = None
        self.last_event_at: datetime | None = None
        """The time of the newest event that was read, or of the start."""
        self.ready = asyncio.Event()
        """Set while the hub reads."""

    @contextmanager
    def listening(self, account: int) -> Iterator[Listener]:
        """Subscribe to the events of an account. The hub must be ``ready``."""
        assert self._progress
        listener = Listener(account, self._progress)
        self._listeners.setdefault(account, set()).add(listener)
        try:
            yield listener
        finally:
            self._listeners[account].discard(listener)
            if not self._listeners[account]:
                del self._listeners[account]

    def listeners(self) -> list[Listener]:
        """Return all open streams."""
        return [listener for group in self._listeners.values() for listener in group]

    async def run(self) -> None:
        """Read until cancelled. A database that is unreachable for a while ends no stream."""
        while True:
            try:
                async with await AsyncConnection.connect(**self._conninfo, autocommit=True) as connection:
                    await self._serve(connection)
            except psycopg.OperationalError as error:
                self.ready.clear()
                logger.warning("The database does not answer the event stream: %s", type(error).__name__)
                await asyncio.sleep(1)

    async def _serve(self, connection: "psycopg.AsyncConnection[Any]") -> None:
        await connection.execute(f"LISTEN {CHANNEL}")
        self._go_on_from(await check_epoch(connection, self._progress))
        if self.last_event_at is None:
            row = await (await connection.execute(queries.DATABASE_TIME)).fetchone()
            self.last_event_at = row[0] if row else None
        waits = pauses()
        while True:
            count, is_delayed = await self._read(connection)
            # Ready only now. Streams that began before would get these events twice.
            self.ready.set()
            if count:
                waits = pauses()
            if is_delayed:
                await asyncio.sleep(next(waits))  # There is no notification when the transaction ends.
            elif not count:
                await _woken(connection, PATIENCE)

    def _go_on_from(self, progress: Progress) -> None:
        """Set the position. In a new epoch all streams end, and their clients are told to start again."""
        if self._progress and progress.epoch != self._progress.epoch:
            logger.warning("The database has another history than before: all event streams begin anew.")
            for listener in self.listeners():
                listener.end()
            self.last_event_at = None
        self._progress = progress

    async def _read(self, connection: "psycopg.AsyncConnection[Any]") -> tuple[int, bool]:
        """Send new events to the streams. Return how many, and whether more are waiting behind a running
        transaction.
        """
        assert self._progress
        rows = await (
            await connection.execute(queries.READ_EVENTS, (*self._progress.position, _BATCH), prepare=True)
        ).fetchall()
        complete = [row for row in rows if row[-1]]
        for xid, id, *rest, _ in complete:
            event = QueuedEvent(*rest)
            self._progress = replace(self._progress, position=(xid, id), last_event=event.id)
            self.last_event_at = max(self.last_event_at or event.at, event.at)
            self._hand_out(event)
        return len(complete), len(complete) < len(rows)

    def _hand_out(self, event: QueuedEvent) -> None:
        for listener in tuple(self._listeners.get(event.account, ())):
            try:
                listener.queue.put_nowait(event)
            except asyncio.QueueFull:
                listener.end()


async def _woken(connection: "psycopg.AsyncConnection[Any]", seconds: float) -> None:
    """Wait for a notification, for at most this time. The driver alone would check ten times a second."""
    if [notify async for notify in connection.notifies(timeout=0)]:
        return
    event_loop, is_readable = asyncio.get_running_loop(), asyncio.Event()
    event_loop.add_reader(connection.fileno(), is_readable.set)
    try:
        with suppress(TimeoutError):
            await asyncio.wait_for(is_readable.wait(), seconds)
    finally:
        event_loop.remove_reader(connection.fileno())
