"""Consecutive questions: those that one game puts to one reader within minutes are one email."""

import uuid
from collections.abc import Iterable
from datetime import datetime
from typing import Final

from django.conf import settings

from config.database.rows import find
from games.models import Move
from notifications.channels.registry import MAIL
from notifications.content.quiet_hours import release
from notifications.models import Notification
from notifications.recipients import preferences

_LAST_ASKED: Final = """
    SELECT put.id, max(coalesce(asked.sent_at, asked.next_attempt_at))
    FROM unnest(%s::uuid[], %s::bigint[], %s::text[], %s::text[]) AS put (id, account, topic, question)
    JOIN notifications_notification AS asked ON asked.account_id = put.account AND asked.topic = put.topic
    WHERE asked.channel = %s AND asked.state IN ('ready', 'sent') AND asked.question NOT IN ('', put.question)
        AND coalesce(asked.sent_at, asked.next_attempt_at) > %s
    GROUP BY put.id
"""


def last_asked(notifications: Iterable[Notification], now: datetime) -> dict[uuid.UUID, datetime]:
    """Return for each of these notifications when an email with another question of its game went out to its reader,
    if that was minutes ago.
    """
    asking = [
        notification
        for notification in notifications
        if notification.question and notification.channel == MAIL and not notification.held
    ]
    if not asking:
        return {}
    put = [[getattr(each, name) for each in asking] for name in ("id", "account_id", "topic", "question")]
    return dict(find(_LAST_ASKED, [*put, MAIL, now - settings.QUESTION_EMAILS_APART]))


def earliest(notification: Notification, game: uuid.UUID, last: datetime | None, now: datetime) -> datetime | None:
    """Return the earliest time of a notification with a question, if its reader had another one at ``last``, or None
    for now.

    It waits for some minutes after the last email with a question of this game. Meanwhile the reader may answer on a
    page, or another question may replace it. It does not wait into quiet hours, and not for a reader who answered the
    last email by email, because they are waiting for the next one.
    """
    if last is None or _is_answered_by_mail(notification, game, last):
        return None
    apart = last + settings.QUESTION_EMAILS_APART
    until = min(apart, notification.latest_at or apart)
    return None if until <= now or _is_quiet(notification, until) else until


def _is_quiet(notification: Notification, at: datetime) -> bool:
    """Return whether a moment is within the quiet hours of the reader: what would wait until then goes out before."""
    return release(preferences.of(notification.account).wishes(), at, at, None) > at


def _is_answered_by_mail(notification: Notification, game: uuid.UUID, since: datetime) -> bool:
    moves = Move.objects.filter(game=game, account=notification.account_id, via=Move.Via.MAIL)
    return moves.filter(received_at__gte=since).exists()
