"""Stream events for programs, and the hub that passes them to open event streams.

Writing: ``games.announcements.stream_events`` writes, in the transaction of a move and in one statement, the stream
events for each account in the game that has a program. They contain ids and kinds only. Events are stored from the
first stream that an account opens (``StreamListener``). That stream reports that it is ready once all transactions have
ended that might not have known of it. There is no event about another player's answer in an open reaction. The number
of a line is the one that its reader sees; ``Game.shown`` counts them, so the log need not be read. Public ids are
random, because serial ones would reveal how much other players do.

The same statement also puts messages into the queues of webhooks. Rows are stored for accounts that have opened the
stream before, because most accounts have no program, and for followers: accounts whose open page shows an object of
others. The caller must check what the account may know, and when.

The event stream (``config/server/stream.py``, ``config/server/event_stream.py``, ``Hub``) is one process with one
connection that listens. It reads each event once and passes it to the streams that need it, in the order (transaction,
id), and only below the oldest running transaction, so that an event that commits late is not skipped. A long
transaction in any database of the PostgreSQL server delays the stream, which then checks again after 0.01, 0.02, 0.04
and at most 3 seconds. Transactions that compose or deliver notifications do not delay it
(``config.core.database.connections``). NOTIFY only wakes the reader. ``Last-Event-ID`` reads the rows again, which are
kept for seven days. Tokens are checked again every three seconds.

Epochs: transaction numbers are ordered within one cluster only, so each id begins with the mark of an epoch, a random
value in a table with one row. On each connection, the stream compares the stored identity of the cluster (system
identifier, timeline, database) with the present one, and looks for events of future transactions and for the last event
that it read. If something does not fit, it deletes all events, begins a new epoch and ends all streams. Clients with an
id of another epoch get ``reset``.
"""

import asyncio
import logging
import secrets
from collections.abc import Collection, Iterator, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field, replace
from datetime import datetime, timedelta
from typing import Any, Final
from uuid import UUID

import msgspec
import psycopg
from django.db import transaction
from django.db.models import Q

from config.core.database import shared_values
from config.core.database.sql import OLDEST, array, execute, find, refuse_in_silent_transaction
from config.core.database.time_limits import AsyncConnection
from notifications import outbox, queries
from notifications.endpoints import CHANNEL_NAME, Kind, StreamEvent, StreamFollower, StreamListener

CHANNEL: Final = "signals"
"""The channel of PostgreSQL's NOTIFY. A lost notification delays an event by a few seconds."""
KEPT: Final = timedelta(days=7)
"""The time for which a stream can be resumed."""
MOST_MISSED: Final = 1000
"""A stream that has missed more events must start again."""
REPORTS_EVERY: Final = timedelta(seconds=10)
"""The time between two reports of the event stream about its health."""
_START: Final = "start-"


Position = tuple[int, int]
"""The transaction and the id of an event. It never leaves the server, because it would reveal how much other players
do.
"""


@dataclass(frozen=True)
class Progress:
    """The position to which a process has read, and its epoch."""

    epoch: str
    position: Position
    last_event: UUID | None = None
    """The event at the position, or None if none was read yet."""


async def check_epoch(connection: "psycopg.AsyncConnection[Any]", last_progress: Progress | None) -> Progress:
    """Return the position to read from, given the position of the last read. Begins a new epoch if the stored one is
    invalid.
    """
    async with connection.transaction():
        await connection.execute(queries.LOCK_EPOCH)
        row = await (await connection.execute(queries.READ_EPOCH)).fetchone()
        assert row
        mark, stored_cluster, cluster, oldest, has_future = row
        if mark is None or stored_cluster != cluster or has_future:
            mark = await _begin_epoch(connection, cluster)
        elif last_progress and last_progress.epoch == mark:
            if await _follows(connection, last_progress, oldest):
                return last_progress
            mark = await _begin_epoch(connection, cluster)
    return Progress(mark, (oldest - 1, 2**62))


async def _follows(connection: "psycopg.AsyncConnection[Any]", progress: Progress, oldest: int) -> bool:
    """Return whether the database still has the last event that was read. An older copy of the data does not have it.

    If no event was read yet, the transaction numbers must at least be as high as before. A false alarm is possible if
    the account of the last event was deleted while the database was unreachable. Then clients only have to read again.
    """
    if progress.last_event is None:
        return progress.position[0] < oldest
    return await (await connection.execute(queries.FIND_EVENT, [progress.last_event])).fetchone() is not None


async def _begin_epoch(connection: "psycopg.AsyncConnection[Any]", cluster: str) -> str:
    """Begin an epoch and delete all events. They belong to another epoch, or precede the reset that all clients get."""
    mark = secrets.token_hex(4)
    await connection.execute(queries.DELETE_EVENTS)
    await connection.execute(queries.DELETE_EPOCH)
    await connection.execute(queries.INSERT_EPOCH, [mark, cluster])
    return mark


class NewStreamEvent(msgspec.Struct, frozen=True):
    """An event for one account."""

    account: int
    kind: Kind
    data: dict[str, Any]
    follows: bool = False
    """True if the account only follows the object: the event is sent to its open pages, but not to webhooks."""


Subscription = tuple[int, UUID | None]
"""An account that gets its own events, or the events of a topic that it follows."""


def subscriptions(accounts: Collection[int], topics: Collection[UUID], now: datetime) -> Iterator[Subscription]:
    """Return the accounts among these that get events, and the followers of these topics.

    The query runs when the result is used. Must run in a transaction that has written or locked a row, so that an
    account that starts to listen at the same time can see that this transaction is running.
    """
    refuse_in_silent_transaction()
    return find(queries.SUBSCRIPTIONS, [array(accounts), array(topics), now])


def emit(events: Sequence[NewStreamEvent], now: datetime) -> None:
    """Store events, in this order, for the accounts that listen. They are sent when the transaction is committed."""
    refuse_in_silent_transaction()
    if not events:
        return
    values = [msgspec.json.encode(events).decode(), now, CHANNEL_NAME, now, now]
    [(stored_count, posted_count)] = find(queries.EMIT_EVENTS, values)
    if stored_count:
        transaction.on_commit(_wake, robust=True)
    if posted_count:
        outbox.enqueue_delivery(CHANNEL_NAME)


def report(last_event_at: datetime | None) -> None:
    """Report to all processes how long the event stream has received no events that are newer than ``last_event_at``.

    The times of events are compared. Events are read by transaction number, which a restored database may have mixed
    up.
    """
    [(seconds,)] = find(queries.SECONDS_BEHIND, [last_event_at])
    shared_values.share("stream", seconds)


def start_listening(account: int) -> int | None:
    """Store the stream events of an account from now on.

    Return None if they are stored already, otherwise the number of the first transaction that certainly stores them.
    """
    listener, _ = StreamListener.objects.get_or_create(account_id=account)
    return None if listener.hears_all else _number(queries.NEXT_TRANSACTION)


def is_listening_complete(account: int, since: int) -> bool:
    """Return whether all transactions before ``since`` that may write events are over. Then no later event is
    missing.
    """
    are_over = _number(OLDEST) >= since
    if are_over:
        StreamListener.objects.filter(account=account).update(hears_all=True)
    return are_over


def _number(query: str) -> int:
    [(number,)] = find(query)
    return int(number)


def _wake() -> None:
    """Wake the streams after the commit. A notification within the transaction would make commits wait for one
    another.
    """
    execute(queries.WAKE_STREAMS, [CHANNEL])


def latest(account: int, upto: Progress, now: datetime) -> str:
    """Return the id with which a new stream can be resumed that begins after ``upto``."""
    last = StreamEvent.objects.filter(_up_to(upto.position), account=account).order_by("-xid", "-id").first()
    return id_of(upto.epoch, last.public_id) if last else f"{upto.epoch}.{_START}{int(now.timestamp())}"


def id_before(account: int, moment: datetime) -> str:
    """Return the id of a stream with all events after a moment, and perhaps a few earlier ones.

    Blank if no stream has run yet. It is for a page, which shows the state at this moment.
    """
    for mark, last in find(queries.LAST_EVENT_BEFORE, [account, moment]):
        return id_of(mark, last) if last else f"{mark}.{_START}{int(moment.timestamp())}"
    return ""


def id_of(epoch: str, signal: UUID) -> str:
    """Return the id of an event in the event stream."""
    return f"{epoch}.{signal}"


def missed(account: int, last: str, upto: Progress, now: datetime) -> list[StreamEvent] | None:
    """Return the events between ``last`` and ``upto`` that a stream has not sent yet.

    None if they are unknown: the id is too old, from another epoch, or was never sent to this account.
    """
    epoch, _, last = last.partition(".")
    if epoch != upto.epoch:
        return None
    rows = StreamEvent.objects.filter(_up_to(upto.position), account=account)
    if last.startswith(_START):
        start = last.removeprefix(_START)
        if not (start.isascii() and start.isdigit() and int(start) >= (now - KEPT).timestamp()):
            return None
    else:
        last_event = _event_of_id(account, last)
        if last_event is None:
            return None
        rows = rows.exclude(_up_to((last_event.xid, last_event.pk)))
    events = list(rows.order_by("xid", "id")[: MOST_MISSED + 1])
    return None if len(events) > MOST_MISSED else events


def _up_to(position: Position) -> Q:
    xid, id = position
    return Q(xid__lt=xid) | Q(xid=xid, id__lte=id)


def _event_of_id(account: int, id: str) -> StreamEvent | None:
    try:
        return StreamEvent.objects.filter(account=account, public_id=UUID(id)).first()
    except ValueError:
        return None


def forget(now: datetime) -> None:
    """Delete old events, from which no stream can be resumed, and expired followers."""
    StreamEvent.objects.filter(at__lt=now - KEPT).delete()
    StreamFollower.objects.filter(until__lt=now).delete()


FOLLOW_TIME: Final = timedelta(minutes=10)
"""The time for which an account follows after its page was rendered. An open page is rendered more often."""
_RENEWED_AFTER: Final = FOLLOW_TIME / 2
"""The age from which rendering the page again extends the time."""
MOST_FOLLOWERS: Final = 100
"""The most followers of one topic, and topics of one account. Each costs a row for each event."""


def follow(account: int, topic: UUID, now: datetime) -> bool:
    """Subscribe an account to a topic for a while. Return False if there are too many subscriptions."""
    followers = StreamFollower.objects.filter(account=account, topic=topic, until__gt=now + _RENEWED_AFTER)
    if followers.exists():
        return True
    values = {"account": account, "topic": topic, "until": now + FOLLOW_TIME, "most": MOST_FOLLOWERS}
    return any(find(queries.FOLLOW_TOPIC, values))


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
