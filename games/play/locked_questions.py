"""The open questions of a locked game: their deadlines, and whether a player, a plan or a bot answers them."""

from collections.abc import Iterable, Sequence
from datetime import datetime, timedelta
from typing import Any

from config.core.clock import whole_second
from games.deadlines import pauses, reminder_schedule, timing
from games.deadlines.answer_times import AHEAD
from games.engine import Question, SeatNumber
from games.event_log import log_store
from games.event_log.log_store import Position
from games.models import Game, Move, OpenQuestion, Seat
from games.play import rows
from notifications import preferences


class LockedQuestions:
    """The open questions of a locked game, with everything that their deadlines depend on."""

    def __init__(self, game: Game, loaded: rows.GameRows, now: datetime) -> None:
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
        timing.set_due(row, self.game, seat, timing.pace_of(self.rules, question.kind), start)
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
        return {row.question for row in self.open.values() if timing.pace_of(self.rules, row.kind) == "reaction"}

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
                timing.postpone(row, self.game, self.seats[SeatNumber(row.seat)], by)
        self.game.due_at = self.game.due_at and self.game.due_at + by
        public_deadline = timing.public_window_deadline(self.game, self.open.values(), self.seats.values())
        self.game.due_at = public_deadline or self.game.due_at
        self._schedule_bots()

    def effective_time(self, move: Move) -> datetime:
        """Return the time of a move that is compared with deadlines, if a stall has moved these."""
        since, by = self.compensation or (move.received_at, timedelta())
        return min(move.received_at, since) + by

    def question_changes(self) -> rows.QuestionChanges:
        """Return the changes of the open questions since the game was locked."""
        before = self._stored_times
        return rows.QuestionChanges(
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
    """Count an answer, or a timeout, of a seat. Return True if it shows that an absent player is back.

    A timeout adds a missed question, and an answer of the player or of a stand-in sets their number to zero. The first
    miss of a game is not counted, and neither are answers of bots.

    ``aimed`` is False for a question that concerns other players only. ``has_waited`` is True for an answer by a plan
    that was given as late as an answer by hand. The caller stores the row of the seat.
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
