"""Pauses between emails with questions: questions of one game within minutes are put into one email."""

import uuid
from collections.abc import Iterable
from datetime import datetime
from typing import Final

from django.conf import settings

from config.core.database.rows import find
from games.models import Move
from notifications.channels.registry import MAIL
from notifications.content.quiet_hours import release
from notifications.models import Notification
from notifications.recipients import preferences

_LAST_QUESTIONS: Final = """
    SELECT new.id, max(coalesce(earlier.sent_at, earlier.next_attempt_at))
    FROM unnest(%s::uuid[], %s::bigint[], %s::text[], %s::text[]) AS new (id, account, topic, question)
    JOIN notifications_notification AS earlier ON earlier.account_id = new.account AND earlier.topic = new.topic
    WHERE earlier.channel = %s AND earlier.state IN ('ready', 'sent') AND earlier.question NOT IN ('', new.question)
        AND coalesce(earlier.sent_at, earlier.next_attempt_at) > %s
    GROUP BY new.id
"""


def last_question_emails(notifications: Iterable[Notification], now: datetime) -> dict[uuid.UUID, datetime]:
    """Return the time of the last email with another question of the same game, for each notification that has one.

    Only emails of the last minutes to the same reader count.
    """
    with_question = [
        notification
        for notification in notifications
        if notification.question and notification.channel == MAIL and not notification.held
    ]
    if not with_question:
        return {}
    columns = [
        [getattr(notification, name) for notification in with_question]
        for name in ("id", "account_id", "topic", "question")
    ]
    return dict(find(_LAST_QUESTIONS, [*columns, MAIL, now - settings.QUESTION_EMAILS_APART]))


def earliest(notification: Notification, game: uuid.UUID, last: datetime | None, now: datetime) -> datetime | None:
    """Return the earliest time of a notification with a question, or None if it may be sent now.

    ``last`` is the time of the last email with another question of this game. The notification waits for some minutes
    after it, because the reader may answer on a page meanwhile and another question may follow. It does not wait into
    quiet hours. A reader who answered the last email by email waits for the next one, so it is sent without a pause.
    """
    if last is None or _is_answered_by_mail(notification, game, last):
        return None
    next_slot = last + settings.QUESTION_EMAILS_APART
    until = min(next_slot, notification.latest_at or next_slot)
    return None if until <= now or _is_quiet(notification, until) else until


def _is_quiet(notification: Notification, moment: datetime) -> bool:
    """Return whether a moment is within the reader's quiet hours."""
    return release(preferences.of(notification.account).wishes(), moment, moment, None) > moment


def _is_answered_by_mail(notification: Notification, game: uuid.UUID, since: datetime) -> bool:
    moves = Move.objects.filter(game=game, account=notification.account_id, via=Move.Via.MAIL)
    return moves.filter(received_at__gte=since).exists()
