"""The rows of games that are held, read and written for many games at once, in a few statements."""

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
"""NO KEY: a door may store a move of the game meanwhile, which looks at the row's key only."""
_QUESTIONS: Final = "SELECT {} FROM games_openquestion AS row WHERE row.game_id = ANY(%s::uuid[])"
_MOVES: Final = """
    SELECT {} FROM games_move AS row WHERE row.game_id = ANY(%s::uuid[]) AND row.state = 'received'
    ORDER BY row.received_at, row.id
"""
_RESOLVED: Final = (
    "state", "body", "code", "phrase", "first_event", "last_event", "received_at", "asked_at", "seen_at",
)  # fmt: skip
_TERMS: Final = ("due_at", "remind_at", "reminders", "planned_at", "why")
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


class Rows:
    """The rows of some games beside their logs, by game."""

    def __init__(self, games: Sequence[Game]) -> None:
        """Read it, in ``pipeline``; the games are to be locked, so that it stays."""
        ids = [game.id for game in games]
        listed = array(ids)
        seat_rows = seats.seats_of(ids)
        questions = fetch(OpenQuestion, _QUESTIONS, [listed])
        moves = fetch(Move, _MOVES, [listed])
        self.positions: dict[uuid.UUID, Position] = log_store.positions(games)
        self.seats = _by_game(ids, seat_rows)
        """In seat order, each with its account and that one's preferences."""
        self.questions = _by_game(ids, questions)
        self.moves = _by_game(ids, moves)
        """Those that wait to be resolved, in the order in which they are."""


def lock(games: Collection[uuid.UUID], *, skip_locked: bool, patience: timedelta | None, most: int) -> list[Game]:
    """Up to ``most`` of these games that there are (``skip_locked``: and that nobody holds), locked.

    OperationalError where somebody holds one for longer than ``patience``, or the schema is not this program's.
    """
    DATABASE_CHECKS.require_same_schema()
    if patience is not None:
        with connection.cursor() as cursor:
            milliseconds = max(1, int(patience.total_seconds() * 1000))
            cursor.execute("SELECT set_config('lock_timeout', %s, true)", [str(milliseconds)])
    return [*fetch(Game, f"{_LOCK} SKIP LOCKED" if skip_locked else _LOCK, [array(games), most])]


def waiting(limit: int, until: datetime, but: Collection[uuid.UUID] = ()) -> list[uuid.UUID]:
    """Up to ``limit`` games with moves that were in by then and wait to be resolved, the longest waiting first.

    None of ``but``, none that is stalled, and none whose rules are not on this server: they wait for one that has them.
    """
    return _games(_WAITING, until, but, limit)


def overdue(limit: int, until: datetime, but: Collection[uuid.UUID] = ()) -> list[uuid.UUID]:
    """Up to ``limit`` games in which somebody's time was over by then, likewise."""
    return _games(_OVERDUE, until, but, limit)


def planned(limit: int, until: datetime, but: Collection[uuid.UUID] = ()) -> list[uuid.UUID]:
    """Up to ``limit`` games in which a plan was to answer by then, likewise."""
    return _games(_PLANNED, until, but, limit)


def _games(query: str, until: datetime, but: Collection[uuid.UUID], limit: int) -> list[uuid.UUID]:
    known = every_version()
    rules = [each.name for each in known], [each.version for each in known]
    return list(dict.fromkeys(game for (game,) in find(query, [*rules, until, array(but), limit])))


def write_moves(moves: Collection[Move]) -> None:
    """Store moves that were resolved, those too that have no rows yet."""
    # Django documents ``_state.adding``: True for an instance without a row.
    insert([move for move in moves if move._state.adding])
    update([move for move in moves if not move._state.adding], _RESOLVED)


def write_counts(seats: Sequence[Seat]) -> None:
    """Store what is counted of seats: their players' misses, their time banks, and who is away or back."""
    update(seats, ("missed", "spared", "time_bank", "away", "returning"))


def write_plans(plans: Sequence[Plan]) -> None:
    """Store what plans did."""
    update(plans, ("after", "times", "last_at", "last_answer", "done_at"))


class Questions(NamedTuple):
    """The changes of a game's open questions."""

    closed: Collection[str]
    asked: Sequence[OpenQuestion]
    moved: Sequence[OpenQuestion]
    """Those that have other times."""


def write_questions(questions: Mapping[uuid.UUID, Questions]) -> None:
    """Bring the rows of the open questions of these games up to date."""
    delete(OpenQuestion, [(game, each) for game, of_game in questions.items() for each in of_game.closed])
    insert([row for of_game in questions.values() for row in of_game.asked])
    update([row for of_game in questions.values() for row in of_game.moved], _TERMS)


def _by_game(games: Sequence[uuid.UUID], rows: Iterable[Any]) -> dict[uuid.UUID, list[Any]]:
    found: dict[uuid.UUID, list[Any]] = {game: [] for game in games}
    for row in rows:
        found[row.game_id].append(row)
    return found
