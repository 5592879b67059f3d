"""Games under the lock of their row. Every change of a game is made here.

At the end of the ``with`` block all changes are stored in one transaction: log, snapshot, moves, questions and
notifications. An exception stores nothing. Many games can be locked and stored together.
"""

import math
import uuid
from collections.abc import Collection, Iterator, Mapping, Sequence
from contextlib import contextmanager
from datetime import datetime, timedelta
from functools import cached_property
from typing import Any, Final

from django.db import transaction

from accounts.models import Account
from config.core import traces
from config.core.clock import whole_second
from config.core.database.sql import pipeline
from config.core.tasks import enqueue
from games.announcements import notify, stream_events
from games.announcements.batches import topic_of
from games.deadlines import calculation, pauses
from games.engine import Chance, Event, Question, SeatNumber, SeededChance
from games.engine.validation import find_question
from games.event_log import log_store
from games.event_log.log_store import Line, events_of
from games.event_log.table import Table
from games.event_log.table_events import DueLater, Ended, Returned, Started, TableEvent, TimeBankChanged
from games.models import Game, Move, OpenQuestion, Plan, Seat
from games.play import rows
from games.play.rows import LockedQuestions
from games.refusals import not_seated
from notifications import outbox

# Move.via of events that no player caused.
SERVER: Final = "server"
MAX_GAMES: Final = 128
"""The most games that are stored in one transaction."""


@contextmanager
def lock_game(
    game: uuid.UUID, now: datetime, *, skip_locked: bool = False, patience: timedelta | None = None
) -> Iterator["LockedGame | None"]:
    """Lock a game, and store its changes at the end of the block.

    Yields None if the game does not exist, or if another transaction has locked it and ``skip_locked`` is true.
    Raises UnknownRules if its rules are not installed here, and OperationalError if another transaction keeps the
    lock for longer than ``patience``.
    """
    with lock_games([game], now, skip_locked=skip_locked, patience=patience) as locked_games:
        yield locked_games[0] if locked_games else None


@contextmanager
def lock_games(
    games: Collection[uuid.UUID],
    now: datetime,
    *,
    skip_locked: bool = True,
    patience: timedelta | None = None,
    most: int = MAX_GAMES,
) -> Iterator[list["LockedGame"]]:
    """Lock up to ``most`` games that exist and are not locked, and store their changes at the end of the block.

    Games that the caller has removed from the list are not stored. A caller that does not skip locked games must pass
    one game only: two such callers could wait for each other.
    """
    with traces.span("change games", games=len(games)), transaction.atomic():
        locked_games: list[LockedGame] = []
        with pipeline():
            game_rows = rows.lock(games, skip_locked=skip_locked, patience=patience, most=most)
            if game_rows:
                loaded = rows.GameRows(game_rows)
                locked_games += [LockedGame(game, loaded, now) for game in game_rows]
        yield locked_games
        store(locked_games, now)


class LockedGame(LockedQuestions):
    """A game whose row is locked."""

    def __init__(self, game: Game, loaded: rows.GameRows, now: datetime) -> None:
        super().__init__(game, loaded, now)
        self.received_moves: list[Move] = loaded.moves[game.id]
        """Moves that are not resolved yet, in the order of receipt."""
        self.plans: list[Plan] | None = None
        """The plans of all seats. None before they are loaded."""
        self.changed_plans: dict[uuid.UUID, Plan] = {}
        self.resolved_moves: list[Move] = []
        self._stored_seats = [(seat, _counts(seat)) for seat in loaded.seats[game.id]]
        self._new_lines: list[Line] = []

    @property
    def table(self) -> Table:
        """The table. Raises AssertionError for a game that has no ``Opened`` event yet."""
        assert self.position.table is not None
        return self.position.table

    def seat_of(self, account: Account) -> SeatNumber | None:
        return next((seat for seat, seat_row in self.seats.items() if seat_row.account_id == account.pk), None)

    def require_seat(self, account: Account) -> SeatNumber:
        """Return the seat of a player. Raises Refusal(forbidden), or Refusal(not-found) in a private game."""
        if seat := self.seat_of(account):
            return seat
        # A stand-in knows the game, so nothing is revealed to them.
        raise not_seated(private=self.game.private and account.pk not in self._stand_in_accounts().values())

    def names(self) -> dict[SeatNumber, str]:
        return {seat: seat_row.player for seat, seat_row in self.seats.items()}

    def chance(self) -> SeededChance:
        """Return the game's source of chance, at its next draw."""
        return SeededChance(bytes(self.game.seed), str(self.game.id), self.table.mixed_in, self.game.draws)

    def add_table_event(self, event: TableEvent, via: str = SERVER, seat: SeatNumber | None = None) -> None:
        """Append an event that belongs to no rules."""
        self._add_events((event,), via, seat, None, ())

    def apply_events(
        self, events: Sequence[Event], chance: Chance, move: Move | None = None, *, has_waited: bool = False
    ) -> None:
        """Append events of the rules, and update the open questions.

        ``chance`` is the source from which the rules drew. ``has_waited`` is true for a move of a plan that must look
        like a move by hand.
        """
        draws = tuple(chance.draws)
        if move is None:
            self._add_events(events, SERVER, None, None, draws)
        else:
            # The order of the moves is decided, so the fraction of the second is no longer needed.
            move.received_at = whole_second(move.received_at)
            move.first_event = self.position.version + 1
            self._add_events(events, move.via, SeatNumber(move.seat), move.id, draws)
            move.last_event = self.position.version
            self.resolved_moves.append(move)
        self.game.draws += len(draws)
        if move is not None:
            seat_row = self.seats[SeatNumber(move.seat)]
            row = self.open.get(move.question)
            aimed = row is None or row.aimed
            seat_row.returning |= rows.count_answer(seat_row, move, aimed=aimed, has_waited=has_waited)
        self._update_questions(self.now if move is None else self.effective_time(move))

    def copy_events(self, lines: Sequence[Line]) -> None:
        """Append the events of the rules from these lines of a finished game, and open the questions after them."""
        for line in lines:
            self._add_events((line.event,), SERVER, line.seat, None, ())
        self._update_questions(self.now)

    def _add_events(
        self,
        events: Sequence[Event],
        via: str,
        seat: SeatNumber | None,
        move: uuid.UUID | None,
        draws: tuple[tuple[int, int], ...],
    ) -> None:
        for event in events:
            self.position = log_store.fold(self.rules, self.position, event)
            self._new_lines.append(Line(self.position.version, event, self.now, via, seat, move, draws))
            draws = ()

    def question(self, seat: SeatNumber, question: str) -> Question:
        """Return the open question with an id. Raises RuleViolation(question-closed)."""
        return find_question(self.rules.questions(self.state), seat, question)

    def _update_questions(self, answered_at: datetime) -> None:
        """Close answered questions, open the new ones, and end the game if it has an outcome."""
        questions = {question.id: question for question in self.rules.questions(self.state)}
        if not self._window_questions() & questions.keys():
            self._announce_returns()
        for row in [row for row in self.open.values() if row.question not in questions]:
            if row.why:
                self._charge_time_bank(row, pauses.running_from(self.position.table, answered_at))
            del self.open[row.question]
        for question in questions.values():
            if question.id not in self.open:
                self.open[question.id] = self._new_question(question, alone=len(questions) == 1)
        self._schedule_bots()
        outcome = self.rules.outcome(self.state)
        if outcome is not None and self.game.state == Game.State.RUNNING:
            self.game.state = Game.State.OVER
            self.game.ended_at = self.now
            self.add_table_event(Ended(winners=outcome.winners))

    def _charge_time_bank(self, row: OpenQuestion, ran_until: datetime) -> None:
        left = calculation.charge(row, self.game, self.seats[SeatNumber(row.seat)], ran_until)
        if left is not None:
            self.add_table_event(TimeBankChanged(seat=SeatNumber(row.seat), seconds=int(left.total_seconds())))

    def return_player(self, seat: SeatNumber) -> None:
        """Let a player answer again after a bot has sat in, with the full time for open questions.

        While a window is open, the event is delayed: it would show who has not answered in the window.
        """
        self.seats[seat].returning = True
        self.assign_to_player(seat)
        if not self.is_window_open:
            self._announce_returns()

    def _announce_returns(self) -> None:
        """Append the events of players who have returned while a window was open."""
        for seat, seat_row in self.seats.items():
            if seat_row.returning:
                seat_row.away = seat_row.returning = False
                self.add_table_event(Returned(seat=seat))

    def electors(self) -> frozenset[SeatNumber]:
        """Return the seats that vote about pauses."""
        return pauses.electors(self.rules, self.state, self.seats)

    def settle_pause(self) -> None:
        """Begin or end a pause if all electors have agreed. End it if its time is over, too."""
        pause = None if self.position.table is None else self.position.table.pause
        outcome = pause and pauses.outcome(pause, self.electors, self.now)
        if outcome:
            event, by = outcome
            self.add_table_event(event)
            self.postpone(by)
            if by < timedelta():
                outbox.bring_forward(topic_of(self.game.id), -by, self.now)

    def extend_deadline(self, seat: SeatNumber) -> None:
        """Calculate the deadline of a seat's question again, and use it if it is later than before."""
        seat_row = self.seats[seat]
        for row in self.open.values():
            pace = calculation.pace_of(self.rules, row.kind)
            if row.seat == seat and not row.bot and calculation.reconsider(row, self.game, seat_row, pace):
                row.reminders = []  # The new deadline has reminders of its own.
                self._set_next_reminder(row, row.asked_at, self.now)
        hypothetical = calculation.deadline_without_answer(self.open.values(), self.game, seat_row)
        latest = calculation.latest(self.open.values(), [hypothetical])
        if latest and self.game.due_at and latest > self.game.due_at:
            self.add_table_event(DueLater(seconds=math.ceil((latest - self.game.due_at).total_seconds())))
            self.game.due_at = latest
        self._schedule_bots()

    @property
    def new_lines(self) -> Sequence[Line]:
        """The log lines that were added since the game was locked."""
        return self._new_lines

    @cached_property
    def _stored_lines(self) -> list[Line]:
        return log_store.read(self.game)

    def events(self) -> list[Event]:
        """Return all events of the rules so far. The stored events are read once."""
        return events_of([*self._stored_lines, *self._new_lines])

    def update_game_row(self) -> None:
        """Set the columns that follow from the new lines: counts, deadline, and the heads of the chain."""
        self.game.version = self.position.version
        pause = self.table.pause
        self.game.paused_until = pause.ends_at if pause is not None and pause.on else None
        # While a question of a window is open, the questions that were answered count, too. Otherwise a change of the
        # latest deadline would show who has answered.
        before = [self.game.due_at] if self.open.keys() & self._stored_times.keys() else []
        self.game.due_at = calculation.latest(self.open.values(), before)
        moves = [move for move in self.resolved_moves if move.last_event]
        self._new_lines = log_store.seal(self.rules, self.game, self._new_lines, moves)

    def changed_seats(self) -> list[Seat]:
        return [seat for seat, before in self._stored_seats if _counts(seat) != before]

    def _stand_in_accounts(self) -> dict[SeatNumber, int]:
        """Return the accounts of stand-ins by seat. A table without stand-ins needs no query."""
        stand_ins = {seat: seat_row.stand_in for seat, seat_row in self.seats.items() if seat_row.stand_in_id}
        return {seat: row.account_id for seat, row in stand_ins.items() if row.account_id is not None}

    def game_update(self, new_questions: Sequence[OpenQuestion]) -> notify.GameUpdate:
        """Return the changes from which notifications are written."""
        return notify.GameUpdate(
            self.game.id,
            [*self.seats.values()],
            questions=self._questions_for_players(new_questions),
            stand_in_questions=self._questions_for_stand_ins(new_questions),
            closed=self._stored_times.keys() - self.open.keys(),
            started=any(isinstance(line.event, Started) for line in self._new_lines),
            ended=any(isinstance(line.event, Ended) for line in self._new_lines),
            paused=pauses.events_to_notify((line.number, line.at, line.event) for line in self._new_lines),
            has_stand_ins=any(seat.stand_in_id for seat in self.seats.values()),
            finished_plans=[plan for plan in self.changed_plans.values() if plan.done_at == self.now],
        )

    def stream_change(self, new_questions: Sequence[OpenQuestion]) -> stream_events.Change:
        """Return the changes from which the events of the stream are written."""
        return stream_events.Change(
            self.rules,
            self.game,
            self._new_lines,
            seated={seat: row.account_id for seat, row in self.seats.items() if row.account_id is not None},
            stand_ins=self._stand_in_accounts(),
            questions=self._questions_for_players(new_questions),
            stand_in_questions=self._questions_for_stand_ins(new_questions),
            closed=self._stored_times.keys() - self.open.keys(),
        )


def store(locked_games: Sequence[LockedGame], now: datetime) -> None:
    """Store the changes of games that are still locked."""
    for locked in locked_games:
        if locked.new_lines:
            locked.settle_pause()
    questions = {locked.game.id: locked.question_changes() for locked in locked_games}
    with pipeline():
        rows.write_moves([move for locked in locked_games for move in locked.resolved_moves])
        rows.write_seats([seat for locked in locked_games for seat in locked.changed_seats()])
        rows.write_plans([plan for locked in locked_games for plan in locked.changed_plans.values()])
        rows.write_questions(questions)
        if any(locked.has_plan_due_soon() for locked in locked_games):
            enqueue("games.tasks.answer_planned")
        changed = [
            locked
            for locked in locked_games
            if locked.new_lines or locked.returned_to_players or locked.released_by_plans
        ]
        if changed:
            _store_changes(changed, questions, now)


def _store_changes(
    changed: Sequence[LockedGame], questions: Mapping[uuid.UUID, rows.QuestionChanges], now: datetime
) -> None:
    """Store new log lines, and order the notifications, stream events and tasks that follow from them."""
    for locked in changed:
        locked.update_game_row()
    log_store.append({locked.game.id: locked.new_lines for locked in changed})
    log_store.keep((locked.game, locked.position) for locked in changed)
    rows.write_games([locked.game for locked in changed])
    changes = [locked.stream_change(questions[locked.game.id].new) for locked in changed]
    listeners = stream_events.listeners(changes, now)
    notify.notify_players([locked.game_update(questions[locked.game.id].new) for locked in changed], now)
    stream_events.emit_changes(changes, listeners, now)
    for locked in changed:
        if locked.due_bot_questions():
            enqueue("games.tasks.play_bots", str(locked.game.id))


def _counts(seat: Seat) -> tuple[Any, ...]:
    return seat.missed, seat.spared, seat.time_bank, seat.away, seat.returning
