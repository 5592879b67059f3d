"""Reading the games of several notifications in one go, and keeping their questions open."""

import uuid
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any, Final

from django.db import DatabaseError

from config.database.rows import array, fetch, find
from games.announcements.consecutive import last_asked
from games.event_log import log_store
from games.event_log.lines import Line
from games.models import Game, OpenQuestion
from games.visibility import seats
from notifications.content.rendered_notification import RenderedNotification
from notifications.models import Notification

Part = tuple[Notification, RenderedNotification | None]
"""A notification with its content, or without content if it is out of date."""
TOPIC: Final = "game:"
"""The beginning of a topic that is a game; the question of an invitation is that of none."""
SOON: Final = timedelta(seconds=2)
"""The delay of a notification whose game is being changed."""

_OPEN: Final = """
    SELECT {} FROM unnest(%s::uuid[], %s::text[]) AS put (game, question)
    JOIN games_openquestion AS row ON row.game_id = put.game AND row.question = put.question WHERE NOT row.bot
"""
_ANSWERED: Final = """
    SELECT DISTINCT move.game_id, move.question FROM unnest(%s::uuid[], %s::text[]) AS put (game, question)
    JOIN games_move AS move ON move.game_id = put.game AND move.question = put.question WHERE move.state = 'received'
"""
_WITH_CHAT: Final = """
    SELECT put.game FROM unnest(%s::uuid[]) AS put (game)
    WHERE EXISTS (SELECT FROM games_chatmessage WHERE game_id = put.game)
"""


@dataclass(frozen=True)
class Tables:
    """The games that notifications tell of, and how they and their questions stand."""

    games: Mapping[uuid.UUID, Game]
    logs: Mapping[uuid.UUID, tuple[log_store.Position, list[Line]]]
    open: Mapping[tuple[uuid.UUID, str], OpenQuestion]
    answered: Collection[tuple[uuid.UUID, str]]
    """The questions with an answer that waits to be resolved."""
    with_chat: Collection[uuid.UUID]
    """The games in which anything has been said."""
    last_asked: Mapping[uuid.UUID, datetime]
    """The times at which the readers of these notifications were asked another question, if that was minutes ago."""


def read(notifications: Sequence[Notification], now: datetime) -> Tables:
    """Read what these notifications need. UnknownRules where the rules of one of the games are not here."""
    games = seats.games_with_seats({question_of(notification)[0] for notification in notifications})
    positions, lines = log_store.positions(games), log_store.read_many(games, {})
    put = _columns(notifications)
    return Tables(
        {game.id: game for game in games},
        {game.id: (positions[game.id], lines[game.id]) for game in games},
        {(row.game_id, row.question): row for row in fetch(OpenQuestion, _OPEN, put)},
        {(game, question) for game, question in find(_ANSWERED, put)},
        {game for (game,) in find(_WITH_CHAT, [array(game.id for game in games if game.terms.chat != "none")])},
        last_asked(notifications, now),
    )


def try_read(notifications: Sequence[Notification], now: datetime) -> Tables | None:
    """Read the data that notifications about games need. Return None on failure, so that each is read alone."""
    try:
        return read(notifications, now) if notifications else None
    except DatabaseError:
        raise
    except Exception:  # logged where that one is composed
        return None


def keep_open(notifications: Sequence[Notification]) -> tuple[set[uuid.UUID], set[uuid.UUID]]:
    """Return which of these notifications have an open question, which is locked until the end of the transaction, and
    which have one that is being closed at this moment.

    A transaction that closes a locked question finds the notification written. Composing takes time, and answers should
    not wait for it, so this comes last.
    """
    put = _columns(notifications)
    kept = {(row.game_id, row.question) for row in fetch(OpenQuestion, f"{_OPEN} FOR UPDATE OF row SKIP LOCKED", put)}
    others = [notification for notification in notifications if question_of(notification) not in kept]
    closing = {(row.game_id, row.question) for row in fetch(OpenQuestion, _OPEN, _columns(others))} if others else set()
    return (
        {notification.pk for notification in notifications if question_of(notification) in kept},
        {other.pk for other in others if question_of(other) in closing},
    )


def kept_open(parts: Sequence[Part], now: datetime) -> Iterator[Part]:
    """Yield notifications with their content, or without content if their question is closed by now.

    Call it in a transaction: the questions stay open until its end. A notification whose question is being closed at
    this moment is put off.
    """
    asking = [each for each, rendered in parts if rendered and each.question and each.topic.startswith(TOPIC)]
    kept, closing = keep_open(asking) if asking else (set(), set())
    for notification, rendered in parts:
        if notification.pk in closing:
            notification.next_attempt_at, notification.told = now + SOON, None
            notification.save(update_fields=["next_attempt_at", "told"])
        else:
            yield notification, rendered if notification not in asking or notification.pk in kept else None


def question_of(notification: Notification) -> tuple[uuid.UUID, str]:
    """The game of a notification, and the question that it puts; blank where it puts none."""
    return uuid.UUID(notification.topic.rpartition(":")[2]), notification.question


def _columns(notifications: Iterable[Notification]) -> list[list[Any]]:
    """The games and the questions of notifications, as statements take them."""
    put = [question_of(notification) for notification in notifications]
    return [[game for game, _ in put], [question for _, question in put]]
