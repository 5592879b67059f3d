"""Stream events: rows that tell programs about something, written in the transaction of the change.

The event stream reads the rows. The same statement also puts messages into the queues of webhooks. Rows are stored only
for accounts that have opened the stream before (``StreamListener``), because most people have no program. A row
contains ids and kinds only. The caller must check what the account may know, and when.
"""

from collections.abc import Collection, Iterator, Sequence
from datetime import datetime, timedelta
from typing import Any, Final
from uuid import UUID

import msgspec
from celery import current_app
from django.db import connection, transaction
from django.db.models import Q

from config.database import shared_values
from config.database.rows import array, find
from config.database.silent_transactions import IS_OVER, OLDEST, refuse_in_silent_transaction
from notifications.endpoints import Kind, StreamEvent, StreamListener
from notifications.stream.epoch import Position, Progress

CHANNEL: Final = "signals"
"""The channel in PostgreSQL that the streams listen to. A lost notification delays a signal by a few seconds."""
KEPT: Final = timedelta(days=7)
"""For how long a stream can be resumed."""
MOST_MISSED: Final = 1000
"""A stream that has missed more events than this is told to start again."""
REPORTS_EVERY: Final = timedelta(seconds=10)
"""The time between two reports of the event stream that it still receives events."""
_START: Final = "start-"
POSTING: Final = "notifications.webhooks.tasks.post"
"""The task that posts to webhooks, by its name: its module is above this one."""

_HEARING: Final = """
    SELECT account_id, NULL::uuid FROM (
        SELECT account_id FROM notifications_streamlistener
        UNION ALL SELECT account_id FROM notifications_webhook WHERE disabled_at IS NULL
    ) AS program WHERE account_id = ANY(%s::bigint[])
    UNION ALL
    SELECT account_id, topic FROM notifications_streamfollower WHERE topic = ANY(%s::uuid[]) AND until > %s
"""
_EMIT: Final = """
    WITH said AS MATERIALIZED (
        SELECT gen_random_uuid() AS public_id, account, kind, data, follows, place
        FROM ROWS FROM (json_to_recordset(%s::json) AS (account bigint, kind text, data jsonb, follows boolean))
            WITH ORDINALITY AS said (account, kind, data, follows, place)
    ), told AS (
        INSERT INTO notifications_streamevent (xid, public_id, account_id, kind, data, at)
        SELECT pg_current_xact_id()::text::bigint, said.public_id, said.account, said.kind, said.data, %s
        FROM said JOIN notifications_streamlistener AS listener ON listener.account_id = said.account
        ORDER BY said.place
        RETURNING 1
    ), posted AS (
        INSERT INTO notifications_delivery
            (public_id, webhook_id, kind, data, at, state, attempts, next_attempt_at, failure)
        SELECT said.public_id, webhook.id, said.kind, said.data, %s, 'waiting', 0, %s, ''
        FROM said JOIN notifications_webhook AS webhook
            ON webhook.account_id = said.account AND webhook.disabled_at IS NULL AND said.kind = ANY(webhook.kinds)
        WHERE NOT said.follows
        ORDER BY said.place
        RETURNING 1
    )
    SELECT (SELECT count(*) FROM told), (SELECT count(*) FROM posted)
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


class NewStreamEvent(msgspec.Struct, frozen=True):
    """An event for one account."""

    account: int
    kind: Kind
    data: dict[str, Any]
    follows: bool = False
    """True for what the account only follows: its open pages are told, its webhooks are not."""


Hearing = tuple[int, UUID | None]
"""An account that gets its own events, or those of a topic that it follows."""


def hearing(accounts: Collection[int], topics: Collection[UUID], now: datetime) -> Iterator[Hearing]:
    """Return which of these accounts get events, and the followers of these topics. The query runs when the result is
    used.

    Call it in a transaction that has written or locked a row. Then an account that starts to listen at the same time
    can tell that this transaction is running.
    """
    refuse_in_silent_transaction()
    return find(_HEARING, [array(accounts), array(topics), now])


def emit(news: Sequence[NewStreamEvent], now: datetime) -> None:
    """Tell those among these accounts who are ``hearing``, in this order, once the transaction is committed."""
    refuse_in_silent_transaction()
    if not news:
        return
    with connection.cursor() as cursor:
        cursor.execute(_EMIT, [msgspec.json.encode(news).decode(), now, now, now])
        told, posted = cursor.fetchone()
    if told:
        transaction.on_commit(_wake, robust=True)
    if posted:
        enqueue_posting()


def report(heard_at: datetime | None) -> None:
    """Report to all processes how long the event stream has received no events that were written after ``heard_at``.

    It compares the times of events. They are read by transaction number, which a restored database may have mixed up.
    """
    with connection.cursor() as cursor:
        cursor.execute(_MISSED, [heard_at])
        shared_values.share("stream", cursor.fetchone()[0])


def begin_to_hear(account: int) -> int | None:
    """Start to store stream events of this account. Return None if they are stored already, otherwise the number of
    the first transaction that certainly stores them.
    """
    listener, _ = StreamListener.objects.get_or_create(account_id=account)
    return None if listener.hears_all else _number(_NEXT)


def hears_all(account: int, since: int) -> bool:
    """Return whether all transactions before ``since`` that tell anything are over: then nothing that is told from
    now on is missed.
    """
    over = _number(OLDEST) >= since
    if over:
        StreamListener.objects.filter(account=account).update(hears_all=True)
    return over


def _number(query: str) -> int:
    with connection.cursor() as cursor:
        cursor.execute(query)
        return int(cursor.fetchone()[0])


def enqueue_posting() -> None:
    """Enqueue the service of webhooks, once the transaction is committed."""
    transaction.on_commit(lambda: current_app.send_task(POSTING), robust=True)


def _wake() -> None:
    """Wake the streams. After the commit: a notification within it would have all commits wait for one another."""
    with connection.cursor() as cursor:
        cursor.execute("SELECT pg_notify(%s, '')", [CHANNEL])


def latest(account: int, upto: Progress, now: datetime) -> str:
    """With which id a stream is resumed that begins behind ``upto``, before it has told anything."""
    last = StreamEvent.objects.filter(_up_to(upto.position), account=account).order_by("-xid", "-id").first()
    return id_of(upto.epoch, last.public_id) if last else f"{upto.epoch}.{_START}{int(now.timestamp())}"


def id_before(account: int, at: datetime) -> str:
    """Return the id from which a stream tells all that happens from this time on, and perhaps a little of before.

    Blank where no stream has been served yet. For a page, which holds all that had happened when it was made.
    """
    for mark, last in find(_BEFORE, [account, at]):
        return id_of(mark, last) if last else f"{mark}.{_START}{int(at.timestamp())}"
    return ""


def id_of(epoch: str, signal: UUID) -> str:
    """The id of an event on the stream."""
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
        began = last.removeprefix(_START)
        if not (began.isascii() and began.isdigit() and int(began) >= (now - KEPT).timestamp()):
            return None
    else:
        told = _told(account, last)
        if told is None:
            return None
        rows = rows.exclude(_up_to((told.xid, told.pk)))
    found = list(rows.order_by("xid", "id")[: MOST_MISSED + 1])
    return None if len(found) > MOST_MISSED else found


def _up_to(position: Position) -> Q:
    xid, id = position
    return Q(xid__lt=xid) | Q(xid=xid, id__lte=id)


def _told(account: int, id: str) -> StreamEvent | None:
    try:
        return StreamEvent.objects.filter(account=account, public_id=UUID(id)).first()
    except ValueError:
        return None


def forget(now: datetime) -> None:
    """Delete the signals that no stream is resumed from any more."""
    StreamEvent.objects.filter(at__lt=now - KEPT).delete()
