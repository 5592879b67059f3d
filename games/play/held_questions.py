"""The open questions of a game while it is held: when each is due, and who answers it."""

from collections.abc import Iterable, Sequence
from datetime import datetime, timedelta
from typing import Any

from config.core.clock import whole_second
from config.core.database.rows import new
from games.deadlines import pauses, reminder_schedule, timing
from games.deadlines.answer_times import AHEAD
from games.engine import Question, SeatNumber
from games.event_log import log_store
from games.event_log.log_store import Position
from games.models import Game, Move, OpenQuestion
from games.play import rows
from notifications.recipients import preferences


class HeldQuestions:
    """The open questions of a game that is held, with all that their deadlines depend on."""

    def __init__(self, game: Game, read: rows.Rows, now: datetime) -> None:
        self.game = game
        self.exact_now = now
        """The time to the microsecond. It decides whether a question is due. It is not stored."""
        # Players see the times that are written. Fractions of a second would tell programs from people.
        self.now = whole_second(now)
        self.rules = log_store.rules_of(game)
        self.position: Position = read.positions[game.id]
        self.seats = {SeatNumber(each.number): each for each in read.seats[game.id]}
        """The rows of the seats. Whoever changes a seat saves its row, and changes it here."""
        self.open = {each.question: each for each in read.questions[game.id]}
        self.given_back: tuple[datetime, timedelta] | None = None
        """Since when no time has passed, for so long: so far all deadlines were moved."""
        self._stored = {each: _terms(row) for each, row in self.open.items()}
        self.handed_back: list[OpenQuestion] = []
        """Questions that were open before, and are put to people now: a bot was to answer them."""
        self.unplanned: list[OpenQuestion] = []
        """Questions that were open before, and are put to their players now: a plan was to answer them."""

    @property
    def state(self) -> Any:
        """The game's own state; None before it begins."""
        return self.position.state

    def _asked(self, question: Question, *, alone: bool = False) -> OpenQuestion:
        """The row of a question that is put now; ``alone`` is not to tell that others have answered meanwhile."""
        seat = self.seats[question.seat]
        begins = pauses.running_from(self.position.table, self.now)
        row = new(
            OpenQuestion,
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
        timing.set_due(row, self.game, seat, timing.pace_of(self.rules, question.kind), begins)
        if not row.bot:
            self._set_next_reminder(row, begins, begins)
        return row

    def _is_aimed(self, question: Question) -> bool:
        plan_rules = self.rules.plans
        return plan_rules is None or plan_rules.is_aimed(self.rules.view(self.state, question.seat), question)

    def leave_to_plan(self, row: OpenQuestion, at: datetime) -> None:
        """Note that a plan answers a question at that moment. Its player is not asked meanwhile.

        A stand-in is asked and reminded as ever, since they may know of no plan.
        """
        row.planned_at = at

    def answers_soon(self) -> bool:
        """Return whether a plan answers before the next tick."""
        return any(row.planned_at and row.planned_at <= self.exact_now + AHEAD for row in self.open.values())

    def put_by_hand(self, row: OpenQuestion) -> None:
        """Put a question to its player that no plan answers any more."""
        row.planned_at = None
        if row.question in self._stored:
            self.unplanned.append(row)

    def _put_to_players(self, asked: Sequence[OpenQuestion]) -> list[OpenQuestion]:
        """Return those of the new questions that their players are to be told of, and of those put to them anew."""
        rows = (*asked, *self._still_open((*self.handed_back, *self.unplanned)))
        return [row for row in rows if not row.bot and row.planned_at is None]

    def _put_to_stand_ins(self, asked: Sequence[OpenQuestion]) -> list[OpenQuestion]:
        """Return those that stand-ins are to be told of: nothing in it tells of a plan."""
        return [row for row in (*asked, *self._still_open(self.handed_back)) if not row.bot]

    def _still_open(self, rows: Iterable[OpenQuestion]) -> list[OpenQuestion]:
        return [row for row in rows if self.open.get(row.question) is row]

    @property
    def is_window_open(self) -> bool:
        """Return whether players are asked for reactions."""
        return bool(self._windows())

    def _windows(self) -> set[str]:
        """Return the open questions of a window, in which nobody may learn who has answered."""
        return {row.question for row in self.open.values() if timing.pace_of(self.rules, row.kind) == "reaction"}

    def _set_next_reminder(self, row: OpenQuestion, asked_at: datetime, after: datetime) -> None:
        """Set when the player of a question is reminded next; if a stand-in is reminded too, by no habits."""
        seat = self.seats[SeatNumber(row.seat)]
        wanted = preferences.stored(seat.account)
        reminder_schedule.set_next(row, wanted, asked_at, after, shared=bool(seat.stand_in_id))

    def remind_anew(self, seat: SeatNumber) -> None:
        """Set the next reminders of what this seat is asked anew: a stand-in gets them too from now on."""
        for row in self.open.values():
            if row.seat == seat and not row.bot:
                self._set_next_reminder(row, row.asked_at, self.now)

    def _time_bots(self) -> None:
        """A bot answers at once, but where people are asked too, only after them: when they have
        answered or their time is over. So it wins no race, and when it answers says nothing of its hand."""
        people = [row.due_at for row in self.open.values() if not row.bot]
        for row in filter(lambda each: each.bot, self.open.values()):
            row.due_at = max(people, default=row.asked_at)

    def answer_by_bot(self, seat: SeatNumber) -> None:
        """Let the bot who sits there now answer what this seat is asked."""
        for row in self.open.values():
            if row.seat == seat:
                row.bot, row.remind_at, row.planned_at = True, None, None
        self.game.open_questions.filter(seat=seat).update(bot=True, planned_at=None)
        self._time_bots()

    def answer_by_player(self, seat: SeatNumber) -> None:
        """Put what this seat is asked to the person who sits there now."""
        for question in self.rules.questions(self.state):
            if question.seat == seat:
                self.open[question.id] = row = self._asked(question)
                if question.id in self._stored:
                    self.handed_back.append(row)
        self.game.open_questions.filter(seat=seat).update(bot=False, planned_at=None)
        self._time_bots()

    def postpone(self, by: timedelta) -> None:
        """Move the deadlines of all people who are asked."""
        for row in self.open.values():
            if not row.bot:
                timing.postpone(row, self.game, self.seats[SeatNumber(row.seat)], by)
        self.game.due_at = self.game.due_at and self.game.due_at + by
        told = timing.told_of_window(self.game, self.open.values(), self.seats.values())
        self.game.due_at = told or self.game.due_at
        self._time_bots()

    def received_at(self, move: Move) -> datetime:
        """The moment as of which a move counts: by deadlines as they were moved when time was given back."""
        since, by = self.given_back or (move.received_at, timedelta())
        return min(move.received_at, since) + by

    def questions(self) -> rows.Questions:
        """Return what became of the rows of the open questions."""
        kept = [row for each, row in self.open.items() if each in self._stored]
        return rows.Questions(
            closed=self._stored.keys() - self.open.keys(),
            asked=[row for each, row in self.open.items() if each not in self._stored],
            moved=[row for row in kept if _terms(row) != self._stored[row.question]],
        )

    def bots_due(self) -> list[OpenQuestion]:
        """Return what bots are to answer now: where only they are asked, at once, though the clock was set back."""
        only_bots = all(row.bot for row in self.open.values())
        return [row for row in self.open.values() if row.bot and (only_bots or row.due_at <= self.exact_now)]


def _terms(row: OpenQuestion) -> tuple[Any, ...]:
    return row.due_at, row.remind_at, row.planned_at, row.reminders
