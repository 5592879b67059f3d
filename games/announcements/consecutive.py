"""Consecutive questions: those that one game puts to one reader within minutes are one email."""

import uuid
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
    SELECT max(coalesce(sent_at, next_attempt_at)) FROM notifications_notification
    WHERE account_id = %s AND topic = %s AND channel = %s AND reason = ANY(%s) AND state IN ('ready', 'sent')
        AND question <> %s AND coalesce(sent_at, next_attempt_at) > %s
"""


def earliest(notification: Notification, game: uuid.UUID, reasons: tuple[str, ...], now: datetime) -> datetime | None:
    """Return when a notification that puts a question may be written; None where that is now.

    It waits some minutes after the last email that put a question of this game. Meanwhile its reader may answer on a
    page, or another question may take its place. It does not wait into quiet hours, nor for a reader who has answered
    that email by email: they are waiting for the next one.
    """
    if notification.channel != MAIL or notification.held:
        return None
    last = _last_asked(notification, reasons, now)
    if last is None or _is_answered_by_mail(notification, game, last):
        return None
    apart = last + settings.QUESTION_EMAILS_APART
    until = min(apart, notification.latest_at or apart)
    return None if until <= now or _is_quiet(notification, until) else until


def _is_quiet(notification: Notification, at: datetime) -> bool:
    """Return whether a moment is within the quiet hours of the reader: what would wait until then goes out before."""
    return release(preferences.of(notification.account).wishes(), at, at, None) > at


def _last_asked(notification: Notification, reasons: tuple[str, ...], now: datetime) -> datetime | None:
    """The time at which an email with another question of this game went out to the reader, if that is minutes ago."""
    since = now - settings.QUESTION_EMAILS_APART
    which = [notification.account_id, notification.topic, MAIL, [*reasons], notification.question, since]
    (last,) = next(find(_LAST_ASKED, which))
    return last  # type: ignore[no-any-return]


def _is_answered_by_mail(notification: Notification, game: uuid.UUID, since: datetime) -> bool:
    moves = Move.objects.filter(game=game, account=notification.account_id, via=Move.Via.MAIL)
    return moves.filter(received_at__gte=since).exists()
