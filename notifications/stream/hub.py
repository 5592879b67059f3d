"""One reader for all open streams of a process. It reads each event once and passes it to the streams that need it.

Events are read in the order (transaction, id), and only below the oldest transaction that is still running. So an event
that commits late cannot appear behind one that was already sent. Silent transactions do not count
(``config.database.silent_transactions``). PostgreSQL's NOTIFY only wakes the reader. If a transaction delays events,
the reader waits for it with growing pauses. On each connection it checks whether the database still has the history
that was read (``notifications.stream.epoch``); if not, all streams end.
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

from config.database.silent_transactions import IS_OVER
from config.database.time_limits import AsyncConnection
from notifications.stream.epoch import Progress, look
from notifications.stream.stream_events import CHANNEL

logger = logging.getLogger(__name__)

QUEUE: Final = 1000
"""The number of signals that may wait for a slow client; then its stream is ended, and can be resumed."""
PATIENCE: Final = 3.0
"""Seconds after which the rows are looked at without having been woken."""
SOON: Final = 0.01
"""Seconds after which they are looked at again where a transaction holds some up: twice as many each time."""
_BATCH: Final = 2000

_READ: Final = f"""
    SELECT xid, id, public_id, account_id, kind, data, at, {IS_OVER}
    FROM notifications_streamevent WHERE (xid, id) > (%s, %s) ORDER BY xid, id LIMIT %s
"""


def pauses() -> Iterator[float]:
    """Yield the pauses while another transaction is running, short ones first."""
    pause = SOON
    while True:
        yield pause
        pause = min(2 * pause, PATIENCE)


@dataclass(frozen=True, slots=True)
class Heard:
    """A signal on its way to a client."""

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
    queue: "asyncio.Queue[Heard | None]" = field(default_factory=lambda: asyncio.Queue(QUEUE))
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
        """``conninfo``: how psycopg reaches the database."""
        self._conninfo = conninfo
        self._listeners: dict[int, set[Listener]] = {}
        self._progress: Progress | None = None
        self.heard_at: datetime | None = None
        """The time at which the newest signal it heard was sent, or at which it began to listen."""
        self.ready = asyncio.Event()
        """Set while it reads."""

    @contextmanager
    def listening(self, account: int) -> Iterator[Listener]:
        """Hear what concerns this account from now on. Only once it is ``ready``."""
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
        """All open streams."""
        return [each for group in self._listeners.values() for each in group]

    async def run(self) -> None:
        """Read until cancelled. A database that is away for a while ends no stream."""
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
        self._go_on_from(await look(connection, self._progress))
        if self.heard_at is None:
            found = await (await connection.execute("SELECT clock_timestamp()")).fetchone()
            self.heard_at = found[0] if found else None
        waits = pauses()
        while True:
            found, is_held_up = await self._read(connection)
            self.ready.set()  # not before: what others have told already would be told again
            if found:
                waits = pauses()
            if is_held_up:
                await asyncio.sleep(next(waits))  # a notification would not say that it is over
            elif not found:
                await _woken(connection, PATIENCE)

    def _go_on_from(self, progress: Progress) -> None:
        """Read on from there. Streams of another epoch end: their clients are told so when they come again."""
        if self._progress and progress.epoch != self._progress.epoch:
            logger.warning("The database has another history than before: all event streams begin anew.")
            for listener in self.listeners():
                listener.end()
            self.heard_at = None
        self._progress = progress

    async def _read(self, connection: "psycopg.AsyncConnection[Any]") -> tuple[int, bool]:
        """Send new events to the streams. Return how many, and whether more are waiting behind a running
        transaction.
        """
        assert self._progress
        rows = await (await connection.execute(_READ, (*self._progress.position, _BATCH), prepare=True)).fetchall()
        complete = [row for row in rows if row[-1]]
        for xid, id, *rest, _ in complete:
            heard = Heard(*rest)
            self._progress = replace(self._progress, position=(xid, id), told=heard.id)
            self.heard_at = max(self.heard_at or heard.at, heard.at)
            self._hand_out(heard)
        return len(complete), len(complete) < len(rows)

    def _hand_out(self, heard: Heard) -> None:
        for listener in tuple(self._listeners.get(heard.account, ())):
            try:
                listener.queue.put_nowait(heard)
            except asyncio.QueueFull:
                listener.end()


async def _woken(connection: "psycopg.AsyncConnection[Any]", seconds: float) -> None:
    """Wait for a notification, for so long at most. The driver by itself would look up ten times a second."""
    if [notify async for notify in connection.notifies(timeout=0)]:
        return
    loop, said = asyncio.get_running_loop(), asyncio.Event()
    loop.add_reader(connection.fileno(), said.set)
    try:
        with suppress(TimeoutError):
            await asyncio.wait_for(said.wait(), seconds)
    finally:
        loop.remove_reader(connection.fileno())
