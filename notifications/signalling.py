"""Telling people's programs that something concerns them: rows in the transaction of what they tell of.

The event stream reads the rows, and the same statement puts what webhooks are to be told into their queue. What
stands in a row is ids and kinds; whoever emits it has looked at what its account may know, and when.
"""

import json
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any, Final

from celery import current_app
from django.db import connection, transaction

from notifications.endpoints import Kind

CHANNEL: Final = "signals"
"""What the streams listen to in PostgreSQL. A notification that gets lost delays a signal by a few seconds."""
POSTING: Final = "notifications.webhooks.tasks.post"
"""The bell for whoever posts to webhooks, by its name: it hangs above."""

_EMIT: Final = """
    WITH told AS (
        INSERT INTO notifications_signal (xid, public_id, account_id, kind, data, at)
        SELECT pg_current_xact_id()::text::bigint, gen_random_uuid(), account, kind, data::jsonb, %s
        FROM unnest(%s::bigint[], %s::text[], %s::text[]) WITH ORDINALITY AS said (account, kind, data, place)
        ORDER BY place
        RETURNING id, public_id, account_id, kind, data, at
    ), posted AS (
        INSERT INTO notifications_delivery
            (public_id, webhook_id, kind, data, at, state, attempts, next_attempt_at, failure)
        SELECT told.public_id, webhook.id, told.kind, told.data, told.at, 'waiting', 0, told.at, ''
        FROM told JOIN notifications_webhook AS webhook
            ON webhook.account_id = told.account_id AND webhook.disabled_at IS NULL AND told.kind = ANY(webhook.kinds)
        ORDER BY told.id
        RETURNING 1
    )
    SELECT count(*) FROM posted
"""


@dataclass(frozen=True)
class News:
    """One thing that one account is told."""

    account: int
    kind: Kind
    data: dict[str, Any]


def emit(news: Sequence[News], now: datetime) -> None:
    """Have these accounts told, in this order, once the transaction is committed."""
    if not news:
        return
    columns = zip(*((each.account, each.kind.value, json.dumps(each.data)) for each in news), strict=True)
    with connection.cursor() as cursor:
        cursor.execute(_EMIT, [now, *map(list, columns)])
        (posted,) = cursor.fetchone()
    transaction.on_commit(_wake, robust=True)
    if posted:
        transaction.on_commit(lambda: current_app.send_task(POSTING), robust=True)


def _wake() -> None:
    """Wake the streams. After the commit: a notification within it would have all commits wait for one another."""
    with connection.cursor() as cursor:
        cursor.execute("SELECT pg_notify(%s, '')", [CHANNEL])
