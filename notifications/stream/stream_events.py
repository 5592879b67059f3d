"""Stream events: rows that notify programs of a change, written in the transaction of the change.

The event stream reads the rows. The same statement also puts messages into the queues of webhooks. Rows are stored only
for accounts that have opened the stream before (``StreamListener``), because most accounts have no program, and for
followers: accounts whose open page shows an object of others. A row contains ids and kinds only. The caller must check
what the account may know, and when.

The epoch is a random mark of one uninterrupted history of the database, which every id of the event stream contains.
Events are ordered by transaction numbers, which are valid in one cluster of PostgreSQL only. After a restore into
another cluster, or to an earlier state, old positions and ids are invalid: a new epoch begins, without the events of
the old one, and clients with an old id are told to read their state again.
"""

import secrets
from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any, Final
from uuid import UUID

import msgspec
import psycopg
from django.db import transaction
from django.db.models import Q

from config.core.database import shared_values
from config.core.database.silent_transactions import OLDEST, refuse_in_silent_transaction
from config.core.database.sql import array, execute, find
from notifications import queries
from notifications.delivery import tasks
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
        tasks.enqueue_delivery(CHANNEL_NAME)


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
