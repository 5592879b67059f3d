"""The rows of locked games and of their open questions, read and written for many games with a few statements."""

import uuid
from collections.abc import Collection, Iterable, Mapping, Sequence
from datetime import datetime, timedelta
from typing import Any, Final, NamedTuple

from config.core.clock import whole_second
from config.core.database.checks import DATABASE_CHECKS
from config.core.database.rows import delete, fetch, insert, update
from config.core.database.sql import array, execute
from games import queries
from games.deadlines import calculation, pauses, reminder_schedule
from games.deadlines.reminder_schedule import AHEAD
from games.engine import Question, SeatNumber
from games.event_log import log_store
from games.event_log.log_store import Position
from games.models import Game, Move, OpenQuestion, Plan, Seat
from games.visibility import seats
from notifications import preferences

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


class LockedQuestions:
    """The open questions of a locked game, with everything that their deadlines depend on."""

    def __init__(self, game: Game, loaded: GameRows, now: datetime) -> None:
        self.game = game
        self.exact_now = now
        """The time to the microsecond. It decides whether a question is due, and is not stored."""
        # Players see the stored times. Fractions of a second would tell programs from people.
        self.now = whole_second(now)
        self.rules = log_store.rules_of(game)
        self.position: Position = loaded.positions[game.id]
        self.seats = {SeatNumber(seat.number): seat for seat in loaded.seats[game.id]}
        """The rows of the seats. Code that changes a seat saves the row itself."""
        self.open = {row.question: row for row in loaded.questions[game.id]}
        """The rows of the open questions, by their id."""
        self.compensation: tuple[datetime, timedelta] | None = None
        """The beginning of a stall and its length, by which all deadlines were moved."""
        self._stored_times = {question: _times(row) for question, row in self.open.items()}
        self.returned_to_players: list[OpenQuestion] = []
        """Open questions that a bot would have answered, and that a player answers now."""
        self.released_by_plans: list[OpenQuestion] = []
        """Open questions that a plan would have answered, and that the player answers now."""

    @property
    def state(self) -> Any:
        """The state of the rules. None before the game begins."""
        return self.position.state

    def _new_question(self, question: Question, *, alone: bool = False) -> OpenQuestion:
        """Return the row of a question that opens now. ``alone``: no other seat is asked at the same time."""
        seat = self.seats[question.seat]
        start = pauses.running_from(self.position.table, self.now)
        row = OpenQuestion(
            game_id=self.game.id,
            question=question.id,
            seat=question.seat,
            kind=question.kind,
            reason=question.reason,
            aimed=self._is_aimed(question),
            alone=alone,
            asked_at=self.now,
            bot=seat.by_bot,
        )
        calculation.set_due(row, self.game, seat, calculation.pace_of(self.rules, question.kind), start)
        if not row.bot:
            self._set_next_reminder(row, start, start)
        return row

    def _is_aimed(self, question: Question) -> bool:
        plan_rules = self.rules.plans
        return plan_rules is None or plan_rules.is_aimed(self.rules.view(self.state, question.seat), question)

    def set_plan_time(self, row: OpenQuestion, moment: datetime) -> None:
        """Let a plan answer a question at a moment. The player is not asked until then.

        A stand-in is still asked and reminded, because a stand-in must not learn of the plan.
        """
        row.planned_at = moment

    def has_plan_due_soon(self) -> bool:
        """Return True if a plan answers before the next tick."""
        return any(row.planned_at and row.planned_at <= self.exact_now + AHEAD for row in self.open.values())

    def release_from_plan(self, row: OpenQuestion) -> None:
        """Ask the player a question that a plan would have answered."""
        row.planned_at = None
        if row.question in self._stored_times:
            self.released_by_plans.append(row)

    def _questions_for_players(self, new: Sequence[OpenQuestion]) -> list[OpenQuestion]:
        """Return the questions of which players are notified: new questions, and questions that return to them."""
        rows = (*new, *self._still_open((*self.returned_to_players, *self.released_by_plans)))
        return [row for row in rows if not row.bot and row.planned_at is None]

    def _questions_for_stand_ins(self, new: Sequence[OpenQuestion]) -> list[OpenQuestion]:
        """Return the questions of which stand-ins are notified. Plans make no difference to the result."""
        return [row for row in (*new, *self._still_open(self.returned_to_players)) if not row.bot]

    def _still_open(self, rows: Iterable[OpenQuestion]) -> list[OpenQuestion]:
        return [row for row in rows if self.open.get(row.question) is row]

    @property
    def is_window_open(self) -> bool:
        """Return True if players are asked for reactions."""
        return bool(self._window_questions())

    def _window_questions(self) -> set[str]:
        """Return the ids of open reactions. While they are open, players must not learn who has answered."""
        return {row.question for row in self.open.values() if calculation.pace_of(self.rules, row.kind) == "reaction"}

    def _set_next_reminder(self, row: OpenQuestion, asked_at: datetime, after: datetime) -> None:
        """Set the time of the next reminder. If a stand-in gets it too, the player's habits do not count."""
        seat = self.seats[SeatNumber(row.seat)]
        player_preferences = preferences.stored(seat.account)
        reminder_schedule.set_next(row, player_preferences, asked_at, after, shared=bool(seat.stand_in_id))

    def reset_reminders(self, seat: SeatNumber) -> None:
        """Set the next reminders of a seat again, after it got a stand-in."""
        for row in self.open.values():
            if row.seat == seat and not row.bot:
                self._set_next_reminder(row, row.asked_at, self.now)

    def _schedule_bots(self) -> None:
        """Let bots answer immediately, or after all people if people are asked as well."""
        # A bot must not win a race, and the time of its answer must tell nothing about its hand.
        deadlines = [row.due_at for row in self.open.values() if not row.bot]
        for row in self.open.values():
            if row.bot:
                row.due_at = max(deadlines, default=row.asked_at)

    def assign_to_bot(self, seat: SeatNumber) -> None:
        """Let a bot answer the open questions of a seat."""
        for row in self.open.values():
            if row.seat == seat:
                row.bot, row.remind_at, row.planned_at = True, None, None
        self.game.open_questions.filter(seat=seat).update(bot=True, planned_at=None)
        self._schedule_bots()

    def assign_to_player(self, seat: SeatNumber) -> None:
        """Let the player answer the open questions of a seat."""
        for question in self.rules.questions(self.state):
            if question.seat == seat:
                self.open[question.id] = row = self._new_question(question)
                if question.id in self._stored_times:
                    self.returned_to_players.append(row)
        self.game.open_questions.filter(seat=seat).update(bot=False, planned_at=None)
        self._schedule_bots()

    def postpone(self, by: timedelta) -> None:
        """Move the deadlines of all people."""
        for row in self.open.values():
            if not row.bot:
                calculation.postpone(row, self.game, self.seats[SeatNumber(row.seat)], by)
        self.game.due_at = self.game.due_at and self.game.due_at + by
        public_deadline = calculation.public_window_deadline(self.game, self.open.values(), self.seats.values())
        self.game.due_at = public_deadline or self.game.due_at
        self._schedule_bots()

    def effective_time(self, move: Move) -> datetime:
        """Return the time of a move that is compared with deadlines, if a stall has moved these."""
        since, by = self.compensation or (move.received_at, timedelta())
        return min(move.received_at, since) + by

    def question_changes(self) -> QuestionChanges:
        """Return the changes of the open questions since the game was locked."""
        before = self._stored_times
        return QuestionChanges(
            closed=before.keys() - self.open.keys(),
            new=[row for question, row in self.open.items() if question not in before],
            moved=[
                row for question, row in self.open.items() if question in before and _times(row) != before[question]
            ],
        )

    def due_bot_questions(self) -> list[OpenQuestion]:
        """Return the questions that bots answer now. If only bots are asked, the clock does not matter."""
        only_bots = all(row.bot for row in self.open.values())
        return [row for row in self.open.values() if row.bot and (only_bots or row.due_at <= self.exact_now)]


def _times(row: OpenQuestion) -> tuple[Any, ...]:
    return row.due_at, row.remind_at, row.planned_at, row.reminders


def count_answer(seat: Seat, move: Move, *, aimed: bool = True, has_waited: bool = False) -> bool:
    """Count an answer or a timeout of a seat. Return True if it shows that an absent player is back.

    A timeout adds one to the missed questions of the seat, except for the first timeout of a game. An answer by the
    player or by a stand-in sets their number to zero. Answers of bots are not counted.

    ``aimed`` is False for a question that concerns other players only. ``has_waited`` is True for an answer by a plan
    that was delayed to look like an answer by hand. The caller stores the row of the seat.
    """
    # Absence must not tell of a plan. Players who left may have a plan that allows everything that does not concern
    # them. So such questions never count, and an answer by plan that has waited counts like an answer by hand.
    is_quick_plan = move.plan is not None and not has_waited
    if seat.bot or not move.question or move.via == Move.Via.BOT or is_quick_plan:
        return False
    if move.via == Move.Via.TIMEOUT:
        if aimed and not seat.away:
            _count_miss(seat)
        return False
    if aimed:
        seat.missed = 0
    return seat.away


def _count_miss(seat: Seat) -> None:
    if seat.spared:
        seat.missed += 1
    else:
        seat.spared = True
