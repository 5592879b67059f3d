"""The tables that notifications tell of: read for several notifications at once, and their questions kept open."""

import uuid
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final

from config.database.rows import fetch, find
from games.event_log import log_store
from games.event_log.lines import Line
from games.models import Game, OpenQuestion
from games.visibility import seats
from notifications.models import Notification

_OPEN: Final = """
    SELECT {} FROM unnest(%s::uuid[], %s::text[]) AS put (game, question)
    JOIN games_openquestion AS row ON row.game_id = put.game AND row.question = put.question WHERE NOT row.bot
"""
_ANSWERED: Final = """
    SELECT DISTINCT move.game_id, move.question FROM unnest(%s::uuid[], %s::text[]) AS put (game, question)
    JOIN games_move AS move ON move.game_id = put.game AND move.question = put.question WHERE move.state = 'received'
"""


@dataclass(frozen=True)
class Tables:
    """The games that notifications tell of, and how they and their questions stand."""

    games: Mapping[uuid.UUID, Game]
    logs: Mapping[uuid.UUID, tuple[log_store.Position, list[Line]]]
    open: Mapping[tuple[uuid.UUID, str], OpenQuestion]
    answered: Collection[tuple[uuid.UUID, str]]
    """The questions with an answer that waits to be resolved."""


def read(notifications: Sequence[Notification]) -> Tables:
    """Read what these notifications need. UnknownRules where the rules of one of the games are not here."""
    games = seats.games_with_seats({question_of(each)[0] for each in notifications})
    positions, lines = log_store.positions(games), log_store.read_many(games, {})
    put = _columns(notifications)
    return Tables(
        {game.id: game for game in games},
        {game.id: (positions[game.id], lines[game.id]) for game in games},
        {(row.game_id, row.question): row for row in fetch(OpenQuestion, _OPEN, put)},
        {(game, question) for game, question in find(_ANSWERED, put)},
    )


def keep_open(notifications: Sequence[Notification]) -> tuple[set[uuid.UUID], set[uuid.UUID]]:
    """Return which of these notifications put a question that is open, and stays so until the end of the transaction;
    and which put one that is being closed at this moment.

    Whoever closes a question that is kept open finds the notification written. Composing takes its time, and whoever
    answers meanwhile does not wait for it: so this comes last.
    """
    put = _columns(notifications)
    kept = {(row.game_id, row.question) for row in fetch(OpenQuestion, f"{_OPEN} FOR UPDATE OF row SKIP LOCKED", put)}
    others = [each for each in notifications if question_of(each) not in kept]
    closing = {(row.game_id, row.question) for row in fetch(OpenQuestion, _OPEN, _columns(others))} if others else set()
    return (
        {each.pk for each in notifications if question_of(each) in kept},
        {each.pk for each in others if question_of(each) in closing},
    )


def question_of(notification: Notification) -> tuple[uuid.UUID, str]:
    """The game of a notification, and the question that it puts; blank where it puts none."""
    return uuid.UUID(notification.topic.rpartition(":")[2]), notification.question


def _columns(notifications: Iterable[Notification]) -> list[list[Any]]:
    """The games and the questions of notifications, as statements take them."""
    put = [question_of(each) for each in notifications]
    return [[game for game, _ in put], [question for _, question in put]]
