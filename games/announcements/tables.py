"""Reading the games of several notifications in a few queries, and keeping their questions open."""

import uuid
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any, Final

from django.db import DatabaseError

from config.core.database.rows import array, fetch, find
from games.announcements.consecutive import last_question_emails
from games.event_log import log_store
from games.event_log.lines import Line
from games.models import Game, OpenQuestion
from games.visibility import seats
from notifications.content.rendered_notification import RenderedNotification
from notifications.models import Notification

Part = tuple[Notification, RenderedNotification | None]
"""A notification with its content, or without content if it is out of date."""
TOPIC: Final = "game:"
"""The prefix of the topic of a game. Questions of invitations have other topics."""
SOON: Final = timedelta(seconds=2)
"""The delay of a notification whose game is being changed."""

_OPEN: Final = """
    SELECT {} FROM unnest(%s::uuid[], %s::text[]) AS key (game, question)
    JOIN games_openquestion AS row ON row.game_id = key.game AND row.question = key.question WHERE NOT row.bot
"""
_ANSWERED: Final = """
    SELECT DISTINCT move.game_id, move.question FROM unnest(%s::uuid[], %s::text[]) AS key (game, question)
    JOIN games_move AS move ON move.game_id = key.game AND move.question = key.question WHERE move.state = 'received'
"""
_WITH_CHAT: Final = """
    SELECT ids.game FROM unnest(%s::uuid[]) AS ids (game)
    WHERE EXISTS (SELECT FROM games_chatmessage WHERE game_id = ids.game)
"""


@dataclass(frozen=True)
class Tables:
    """The games of some notifications, with the state of their questions."""

    games: Mapping[uuid.UUID, Game]
    logs: Mapping[uuid.UUID, tuple[log_store.Position, list[Line]]]
    open: Mapping[tuple[uuid.UUID, str], OpenQuestion]
    answered: Collection[tuple[uuid.UUID, str]]
    """Questions with an answer that is waiting to be resolved."""
    with_chat: Collection[uuid.UUID]
    """Games with chat messages."""
    last_question_times: Mapping[uuid.UUID, datetime]
    """When the reader of a notification was sent another question of the game, if that was minutes ago."""


def read(notifications: Sequence[Notification], now: datetime) -> Tables:
    """Read the data that these notifications need. Raises UnknownRules if the rules of a game are not installed."""
    games = seats.games_with_seats({question_of(notification)[0] for notification in notifications})
    positions, lines = log_store.positions(games), log_store.read_many(games, {})
    columns = _columns(notifications)
    return Tables(
        {game.id: game for game in games},
        {game.id: (positions[game.id], lines[game.id]) for game in games},
        {(row.game_id, row.question): row for row in fetch(OpenQuestion, _OPEN, columns)},
        {(game, question) for game, question in find(_ANSWERED, columns)},
        {game for (game,) in find(_WITH_CHAT, [array(game.id for game in games if game.terms.chat != "none")])},
        last_question_emails(notifications, now),
    )


def try_read(notifications: Sequence[Notification], now: datetime) -> Tables | None:
    """Read the data that these notifications need. Return None on failure, so that each is read alone."""
    try:
        return read(notifications, now) if notifications else None
    except DatabaseError:
        raise
    except Exception:  # Logged when that notification is composed alone.
        return None


def lock_open_questions(notifications: Sequence[Notification]) -> tuple[set[uuid.UUID], set[uuid.UUID]]:
    """Return the notifications whose open question is now locked, and those whose question is just being closed.

    A transaction that wants to close a locked question waits and then finds the notification written. Composing takes
    time, and answers should not wait for it, so the questions are locked last.
    """
    columns = _columns(notifications)
    locked = {
        (row.game_id, row.question) for row in fetch(OpenQuestion, f"{_OPEN} FOR UPDATE OF row SKIP LOCKED", columns)
    }
    others = [notification for notification in notifications if question_of(notification) not in locked]
    closing = {(row.game_id, row.question) for row in fetch(OpenQuestion, _OPEN, _columns(others))} if others else set()
    return (
        {notification.pk for notification in notifications if question_of(notification) in locked},
        {other.pk for other in others if question_of(other) in closing},
    )


def keep_questions_open(parts: Sequence[Part], now: datetime) -> Iterator[Part]:
    """Yield notifications with their content, or without content if their question is closed.

    Must run inside a transaction: the questions stay open until its end. A notification whose question is just being
    closed is delayed.
    """
    with_question = [row for row, rendered in parts if rendered and row.question and row.topic.startswith(TOPIC)]
    locked, closing = lock_open_questions(with_question) if with_question else (set(), set())
    for notification, rendered in parts:
        if notification.pk in closing:
            notification.next_attempt_at, notification.told = now + SOON, None
            notification.save(update_fields=["next_attempt_at", "told"])
        else:
            yield notification, rendered if notification not in with_question or notification.pk in locked else None


def question_of(notification: Notification) -> tuple[uuid.UUID, str]:
    """Return the game of a notification and the id of its question, which may be blank."""
    return uuid.UUID(notification.topic.rpartition(":")[2]), notification.question


def _columns(notifications: Iterable[Notification]) -> list[list[Any]]:
    """Return the games and the question ids of notifications as query parameters."""
    keys = [question_of(notification) for notification in notifications]
    return [[game for game, _ in keys], [question for _, question in keys]]
