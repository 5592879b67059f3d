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
from django.db import connection, transaction
from django.db.models import Q

from config.core.database import shared_values
from config.core.database.silent_transactions import IS_OVER, OLDEST, refuse_in_silent_transaction
from config.core.database.sql import array, find
from notifications.delivery import tasks
from notifications.endpoints import Kind, StreamEvent, StreamFollower, StreamListener

CHANNEL: Final = "signals"
"""The channel of PostgreSQL's NOTIFY. A lost notification delays an event by a few seconds."""
KEPT: Final = timedelta(days=7)
"""The time for which a stream can be resumed."""
MOST_MISSED: Final = 1000
"""A stream that has missed more events must start again."""
REPORTS_EVERY: Final = timedelta(seconds=10)
"""The time between two reports of the event stream about its health."""
_START: Final = "start-"

_SUBSCRIPTIONS: Final = """
    SELECT account_id, NULL::uuid FROM (
        SELECT account_id FROM notifications_streamlistener
        UNION ALL SELECT account_id FROM notifications_webhook WHERE disabled_at IS NULL
    ) AS program WHERE account_id = ANY(%s::bigint[])
    UNION ALL
    SELECT account_id, topic FROM notifications_streamfollower WHERE topic = ANY(%s::uuid[]) AND until > %s
"""
_EMIT: Final = """
    WITH new AS MATERIALIZED (
        SELECT gen_random_uuid() AS public_id, account, kind, data, follows, place
        FROM ROWS FROM (json_to_recordset(%s::json) AS (account bigint, kind text, data jsonb, follows boolean))
            WITH ORDINALITY AS new (account, kind, data, follows, place)
    ), stored AS (
        INSERT INTO notifications_streamevent (xid, public_id, account_id, kind, data, at)
        SELECT pg_current_xact_id()::text::bigint, new.public_id, new.account, new.kind, new.data, %s
        FROM new JOIN notifications_streamlistener AS listener ON listener.account_id = new.account
        ORDER BY new.place
        RETURNING 1
    ), posted AS (
        INSERT INTO notifications_notification (
            id, key, channel, endpoint, place, reason, topic, data, state, created_at, next_attempt_at,
            address, question, attempts, standing_by, held
        )
        SELECT gen_random_uuid(), concat(new.public_id, ':', webhook.id), 'webhooks', webhook.id,
            nextval('notifications_places'), new.kind, coalesce('game:' || (new.data->>'game'), ''), new.data,
            'ready', %s, %s, '', '', 0, false, false
        FROM new JOIN notifications_webhook AS webhook
            ON webhook.account_id = new.account AND webhook.disabled_at IS NULL AND new.kind = ANY(webhook.kinds)
        WHERE NOT new.follows
        ORDER BY new.place
        RETURNING 1
    )
    SELECT (SELECT count(*) FROM stored), (SELECT count(*) FROM posted)
"""
_BEFORE: Final = f"""
    SELECT mark, (
        SELECT public_id FROM notifications_streamevent
        WHERE account_id = %s AND at < %s AND {IS_OVER}
        ORDER BY xid DESC, id DESC LIMIT 1
    )
    FROM notifications_epoch
"""
_MISSED: Final = """
    SELECT coalesce(extract(epoch FROM clock_timestamp() - min(at)), 0)::float FROM (
        SELECT at FROM notifications_streamevent ORDER BY id DESC LIMIT 1000
    ) AS newest WHERE at > %s AND at < clock_timestamp() - interval '10 seconds'
"""
_NEXT: Final = "SELECT pg_snapshot_xmax(pg_current_snapshot())::text::bigint"


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


async def check_epoch(connection: "psycopg.AsyncConnection[Any]", last_progress: Progress | None) -> Progress:
    """Return the position to read from, given the position of the last read. Begins a new epoch if the stored one is
    invalid.
    """
    async with connection.transaction():
        await connection.execute(_LOCK)
        row = await (await connection.execute(_LOOK)).fetchone()
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
    return await (await connection.execute(_HAS, [progress.last_event])).fetchone() is not None


async def _begin_epoch(connection: "psycopg.AsyncConnection[Any]", cluster: str) -> str:
    """Begin an epoch and delete all events. They belong to another epoch, or precede the reset that all clients get."""
    mark = secrets.token_hex(4)
    await connection.execute("DELETE FROM notifications_streamevent")
    await connection.execute("DELETE FROM notifications_epoch")
    await connection.execute("INSERT INTO notifications_epoch (mark, cluster) VALUES (%s, %s)", [mark, cluster])
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
    return find(_SUBSCRIPTIONS, [array(accounts), array(topics), now])


def emit(events: Sequence[NewStreamEvent], now: datetime) -> None:
    """Store events, in this order, for the accounts that listen. They are sent when the transaction is committed."""
    refuse_in_silent_transaction()
    if not events:
        return
    with connection.cursor() as cursor:
        cursor.execute(_EMIT, [msgspec.json.encode(events).decode(), now, now, now])
        stored_count, posted_count = cursor.fetchone()
    if stored_count:
        transaction.on_commit(_wake, robust=True)
    if posted_count:
        tasks.enqueue_delivery("webhooks")


def report(last_event_at: datetime | None) -> None:
    """Report to all processes how long the event stream has received no events that are newer than ``last_event_at``.

    The times of events are compared. Events are read by transaction number, which a restored database may have mixed
    up.
    """
    with connection.cursor() as cursor:
        cursor.execute(_MISSED, [last_event_at])
        shared_values.share("stream", cursor.fetchone()[0])


def start_listening(account: int) -> int | None:
    """Store the stream events of an account from now on.

    Return None if they are stored already, otherwise the number of the first transaction that certainly stores them.
    """
    listener, _ = StreamListener.objects.get_or_create(account_id=account)
    return None if listener.hears_all else _number(_NEXT)


def is_listening_complete(account: int, since: int) -> bool:
    """Return whether all transactions before ``since`` that may write events are over. Then no later event is
    missing.
    """
    are_over = _number(OLDEST) >= since
    if are_over:
        StreamListener.objects.filter(account=account).update(hears_all=True)
    return are_over


def _number(query: str) -> int:
    with connection.cursor() as cursor:
        cursor.execute(query)
        return int(cursor.fetchone()[0])


def _wake() -> None:
    """Wake the streams after the commit. A notification within the transaction would make commits wait for one
    another.
    """
    with connection.cursor() as cursor:
        cursor.execute("SELECT pg_notify(%s, '')", [CHANNEL])


def latest(account: int, upto: Progress, now: datetime) -> str:
    """Return the id with which a new stream can be resumed that begins after ``upto``."""
    last = StreamEvent.objects.filter(_up_to(upto.position), account=account).order_by("-xid", "-id").first()
    return id_of(upto.epoch, last.public_id) if last else f"{upto.epoch}.{_START}{int(now.timestamp())}"


def id_before(account: int, moment: datetime) -> str:
    """Return the id of a stream with all events after a moment, and perhaps a few earlier ones.

    Blank if no stream has run yet. It is for a page, which shows the state at this moment.
    """
    for mark, last in find(_BEFORE, [account, moment]):
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

_FOLLOW: Final = """
    INSERT INTO notifications_streamfollower AS follower (account_id, topic, until)
    SELECT %(account)s, %(topic)s, %(until)s
    WHERE (
        SELECT count(*) FROM notifications_streamfollower WHERE topic = %(topic)s AND account_id <> %(account)s
    ) < %(most)s AND (
        SELECT count(*) FROM notifications_streamfollower WHERE account_id = %(account)s AND topic <> %(topic)s
    ) < %(most)s
    ON CONFLICT (topic, account_id) DO UPDATE SET until = EXCLUDED.until
    RETURNING 1
"""


def follow(account: int, topic: UUID, now: datetime) -> bool:
    """Subscribe an account to a topic for a while. Return False if there are too many subscriptions."""
    followers = StreamFollower.objects.filter(account=account, topic=topic, until__gt=now + _RENEWED_AFTER)
    if followers.exists():
        return True
    values = {"account": account, "topic": topic, "until": now + FOLLOW_TIME, "most": MOST_FOLLOWERS}
    return any(find(_FOLLOW, values))
