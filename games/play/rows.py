"""Reads and writes the rows of locked games, with a few statements for many games."""

import uuid
from collections.abc import Collection, Iterable, Mapping, Sequence
from datetime import datetime, timedelta
from typing import Any, Final, NamedTuple

from django.db import connection

from config.core.database.checks import DATABASE_CHECKS
from config.core.database.rows import array, delete, fetch, find, insert, update
from games.event_log import log_store
from games.event_log.log_store import Position
from games.models import Game, Move, OpenQuestion, Plan, Seat
from games.rules.registry import every_version
from games.visibility import seats

_LOCK: Final = "SELECT {} FROM games_game AS row WHERE row.id = ANY(%s::uuid[]) LIMIT %s FOR NO KEY UPDATE"
# FOR NO KEY UPDATE: a new move refers to the key of the game, and can be stored while the game is locked.
_QUESTIONS: Final = "SELECT {} FROM games_openquestion AS row WHERE row.game_id = ANY(%s::uuid[])"
_MOVES: Final = """
    SELECT {} FROM games_move AS row WHERE row.game_id = ANY(%s::uuid[]) AND row.state = 'received'
    ORDER BY row.received_at, row.id
"""
_MOVE_COLUMNS: Final = (
    "state", "body", "code", "phrase", "first_event", "last_event", "received_at", "asked_at", "seen_at",
)  # fmt: skip
_QUESTION_COLUMNS: Final = ("due_at", "remind_at", "reminders", "planned_at", "why")
_WAITING: Final = """
    SELECT move.game_id FROM games_move AS move JOIN games_game AS game ON game.id = move.game_id
    WHERE move.state = 'received' AND (game.rules, game.rules_version) IN (SELECT * FROM unnest(%s::text[], %s::int[]))
      AND game.stalled_since IS NULL AND move.received_at <= %s AND NOT move.game_id = ANY(%s::uuid[])
    ORDER BY move.received_at LIMIT %s
"""
_PLANNED: Final = """
    SELECT question.game_id FROM games_openquestion AS question JOIN games_game AS game ON game.id = question.game_id
    WHERE (game.rules, game.rules_version) IN (SELECT * FROM unnest(%s::text[], %s::int[]))
      AND game.stalled_since IS NULL AND question.planned_at <= %s AND NOT question.game_id = ANY(%s::uuid[])
    ORDER BY question.planned_at LIMIT %s
"""
_OVERDUE: Final = """
    SELECT question.game_id FROM games_openquestion AS question JOIN games_game AS game ON game.id = question.game_id
    WHERE NOT question.bot
      AND (game.rules, game.rules_version) IN (SELECT * FROM unnest(%s::text[], %s::int[]))
      AND game.stalled_since IS NULL AND question.due_at <= %s AND NOT question.game_id = ANY(%s::uuid[])
    ORDER BY question.due_at LIMIT %s
"""


class GameRows:
    """The positions of locked games, and their seats, open questions and received moves.

    Create it in ``pipeline``.
    """

    def __init__(self, games: Sequence[Game]) -> None:
        ids = [game.id for game in games]
        id_array = array(ids)
        seat_rows = seats.seats_of(ids)
        questions = fetch(OpenQuestion, _QUESTIONS, [id_array])
        moves = fetch(Move, _MOVES, [id_array])
        self.positions: dict[uuid.UUID, Position] = log_store.positions(games)
        self.seats = _by_game(ids, seat_rows)
        """In seat order, with the accounts and their preferences."""
        self.questions = _by_game(ids, questions)
        self.moves = _by_game(ids, moves)
        """Moves that are not resolved yet, in the order of receipt."""


def lock(games: Collection[uuid.UUID], *, skip_locked: bool, patience: timedelta | None, most: int) -> list[Game]:
    """Lock up to ``most`` of these games, and return them. With ``skip_locked``, skip games that are locked already.

    Raises OperationalError if another transaction keeps a lock for longer than ``patience``, or if the schema of the
    database does not fit this version of the program.
    """
    DATABASE_CHECKS.require_same_schema()
    if patience is not None:
        with connection.cursor() as cursor:
            milliseconds = max(1, int(patience.total_seconds() * 1000))
            cursor.execute("SELECT set_config('lock_timeout', %s, true)", [str(milliseconds)])
    return [*fetch(Game, f"{_LOCK} SKIP LOCKED" if skip_locked else _LOCK, [array(games), most])]


def games_with_moves(limit: int, until: datetime, exclude: Collection[uuid.UUID] = ()) -> list[uuid.UUID]:
    """Return up to ``limit`` games with unresolved moves that were received by ``until``, the oldest move first.

    Skips stalled games, games in ``exclude``, and games whose rules are not installed here.
    """
    return _find_games(_WAITING, until, exclude, limit)


def games_overdue(limit: int, until: datetime, exclude: Collection[uuid.UUID] = ()) -> list[uuid.UUID]:
    """Return up to ``limit`` games with a deadline before ``until``. Skips games as ``games_with_moves`` does."""
    return _find_games(_OVERDUE, until, exclude, limit)


def games_with_planned_answers(limit: int, until: datetime, exclude: Collection[uuid.UUID] = ()) -> list[uuid.UUID]:
    """Return up to ``limit`` games in which a plan answers by ``until``. Skips games as ``games_with_moves`` does."""
    return _find_games(_PLANNED, until, exclude, limit)


def _find_games(query: str, until: datetime, exclude: Collection[uuid.UUID], limit: int) -> list[uuid.UUID]:
    names = [rules.name for rules in every_version()]
    versions = [rules.version for rules in every_version()]
    return list(dict.fromkeys(game for (game,) in find(query, [names, versions, until, array(exclude), limit])))


def write_moves(moves: Collection[Move]) -> None:
    """Store resolved moves. Moves of bots and timeouts have no rows yet, and get them."""
    # Django documents ``_state.adding``: True for an instance without a row.
    insert([move for move in moves if move._state.adding])
    update([move for move in moves if not move._state.adding], _MOVE_COLUMNS)


def write_seats(seats: Sequence[Seat]) -> None:
    """Store the counts of seats: missed questions, time banks, and who is away or back."""
    update(seats, ("missed", "spared", "time_bank", "away", "returning"))


def write_plans(plans: Sequence[Plan]) -> None:
    update(plans, ("after", "times", "last_at", "last_answer", "done_at"))


class QuestionChanges(NamedTuple):
    """The changes of a game's open questions."""

    closed: Collection[str]
    new: Sequence[OpenQuestion]
    moved: Sequence[OpenQuestion]
    """Questions whose deadline, reminder or planned answer has changed."""


def write_questions(questions: Mapping[uuid.UUID, QuestionChanges]) -> None:
    """Store the changes of the open questions of games."""
    delete(OpenQuestion, [(game, question) for game, changes in questions.items() for question in changes.closed])
    insert([row for changes in questions.values() for row in changes.new])
    update([row for changes in questions.values() for row in changes.moved], _QUESTION_COLUMNS)


def _by_game(games: Sequence[uuid.UUID], rows: Iterable[Any]) -> dict[uuid.UUID, list[Any]]:
    groups: dict[uuid.UUID, list[Any]] = {game: [] for game in games}
    for row in rows:
        groups[row.game_id].append(row)
    return groups
