"""Reads and writes the rows of locked games, with a few statements for many games."""

import uuid
from collections.abc import Collection, Iterable, Mapping, Sequence
from datetime import timedelta
from typing import Any, Final, NamedTuple

from config.core.database.checks import DATABASE_CHECKS
from config.core.database.rows import delete, fetch, insert, update
from config.core.database.sql import array, execute
from games import queries
from games.event_log import log_store
from games.event_log.log_store import Position
from games.models import Game, Move, OpenQuestion, Plan, Seat
from games.visibility import seats

_MOVE_COLUMNS: Final = (
    "state", "body", "code", "phrase", "first_event", "last_event", "received_at", "asked_at", "seen_at",
)  # fmt: skip
_GAME_COLUMNS: Final = (
    "version", "draws", "head", "public_head", "shown", "state", "seat_count", "started_at", "ended_at", "host",
    "paused_until", "due_at", "beacon_round", "deal_list", "start_check_at", "guest_token", "has_guests",
)  # fmt: skip
_QUESTION_COLUMNS: Final = ("due_at", "remind_at", "reminders", "planned_at", "why")


class GameRows:
    """The positions of locked games, and their seats, open questions and received moves.

    Create it in ``pipeline``.
    """

    def __init__(self, games: Sequence[Game]) -> None:
        ids = [game.id for game in games]
        id_array = array(ids)
        seat_rows = seats.seats_of(ids)
        questions = fetch(OpenQuestion, queries.QUESTIONS_OF_GAMES, [id_array])
        moves = fetch(Move, queries.MOVES_OF_GAMES, [id_array])
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
        execute(queries.LIMIT_LOCK_TIME, [str(max(1, int(patience.total_seconds() * 1000)))])
    query = f"{queries.LOCK_GAMES} SKIP LOCKED" if skip_locked else queries.LOCK_GAMES
    return [*fetch(Game, query, [array(games), most])]


def write_games(games: Sequence[Game]) -> None:
    """Store the columns of games that change with their logs."""
    update(games, _GAME_COLUMNS)


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
