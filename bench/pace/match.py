"""Plays a game by mail from its start to its end, and records its waiting times."""

import uuid
from collections import Counter
from collections.abc import Sequence
from datetime import UTC, datetime, timedelta
from random import Random
from typing import Any, Final

import msgspec

from accounts.models import Account
from bench.pace.course import Course
from bench.pace.people import company
from bench.pace.planning import AIMED, Aimed, answer_to, is_about, next_turn, standing_plans
from bench.pace.protocols import Protocol
from bench.pace.server import VirtualServer
from config.core.database.checks import GRACE
from games.engine import AnyRules, Event, Question, SeatNumber, SeededChance, know
from games.event_log import log_store
from games.event_log.log_store import events_of
from games.models import Game, Move, OpenQuestion
from games.play import plans
from games.play.submit import WrittenMove, store_move
from games.rules.coup.plans import NextTurn
from games.tables.joining import join_game
from games.tables.new_game import NewGame
from games.tables.starting import create_game
from notifications.models import Notification

FIRST_DAY: Final = datetime(2026, 3, 2, tzinfo=UTC)
DAY: Final = timedelta(days=1)
MINUTE: Final = timedelta(minutes=1)
LONGEST: Final = 2000 * DAY
"""The time after which a game counts as endless."""
_TURN: Final = "turn"
_PLAYED: Final = "played"
_STARTED: Final = "started"
"""A notification that is not sent to players who get their first question at the same time."""


class Match:
    """A game in progress."""

    def __init__(self, server: VirtualServer, protocol: Protocol, seats: int, luck: Random) -> None:
        self.server = server
        self.protocol = protocol
        self.seats = seats
        self.luck = luck
        self.people = dict(enumerate(company(seats, protocol.habits, luck), start=1))
        self.begin = self.now = FIRST_DAY + luck.randrange(7 * 24 * 60) * MINUTE
        self.open: dict[str, OpenQuestion] = {}
        self.unread_reports: set[int] = set()
        """The seats with an unread notification about moves by plan."""
        self.course = Course(protocol.name, seats)

    def play(self) -> Course:
        """Play the game to its end."""
        self.game = self._create_game()
        self._update_questions(None)
        while self.open:
            self._go_on()
            if self.now > self.begin + LONGEST:
                raise RuntimeError(f"a game of {self.seats} has not ended after {LONGEST.days} days")
        self._count()
        return self.course

    def _create_game(self) -> Game:
        """Create a game, and let all players join."""
        self.server.go(self.now)
        mark = uuid.uuid4().hex[:12]
        self.accounts = {
            seat: Account.objects.create_user(
                f"{seat}-{mark}@example.org", name=f"{mark} {seat}", time_zone=person.zone.key
            )
            for seat, person in self.people.items()
        }
        new_game = NewGame(rules="coup", seat_count=self.seats, options=self.protocol.options, **self.protocol.terms)
        game = create_game(self.accounts[1], new_game, "mail", self.now)
        for seat in range(2, self.seats + 1):
            game = join_game(game.id, self.accounts[seat], "", "mail", self.now)
        self.server.answer()
        return game

    def _go_on(self) -> None:
        """Go to the next moment at which a player looks at the mail, or the server has something to do."""
        waiting = {row.seat for row in self.open.values() if not row.bot and not row.planned_at} | self.unread_reports
        looks = {seat: self.people[seat].next_look(self.now) for seat in waiting}
        seat = min(looks, key=looks.__getitem__, default=None)
        alarm = max(min(self._alarms(), default=self.begin + LONGEST), self.now)
        if seat is None or alarm <= looks[seat]:
            self.now = alarm
            self.server.go(alarm)
            self.server.tick(alarm)
            self._update_questions(None)
        else:
            self.now = looks[seat]
            self.server.go(self.now)
            self._look(seat)

    def _alarms(self) -> list[datetime]:
        """Return the deadlines, reminders and planned answers of open questions."""
        rows = self.open.values()
        ends = [row.due_at if row.bot else row.due_at + GRACE for row in rows]
        return ends + [moment for row in rows for moment in (row.remind_at, row.planned_at) if moment]

    def _look(self, seat: int) -> None:
        """Let a player look at the mail, and answer the questions that they attend to."""
        person, answered = self.people[seat], False
        for row in [row for row in self.open.values() if row.seat == seat and not row.planned_at]:
            if person.attends_to(row.question, self.now):
                self._answer(seat, row)
                answered = True
        if not answered and seat in self.unread_reports:
            answered = person.attends_to(_PLAYED, self.now)
        if answered:
            self.unread_reports.discard(seat)
            self._look_ahead(seat)

    def _answer(self, seat: int, row: OpenQuestion) -> None:
        game, rules, state = self._position()
        question = next(question for question in rules.questions(state) if question.id == row.question)
        move = self._choose_move(rules, state, question, rules.legal_moves(state, question))
        if row.kind == _TURN and self.people[seat].plans:
            self._plan(seat, msgspec.to_builtins(move)["type"])
        self._answer_next_turn(question)
        store_move(game, self.accounts[seat], WrittenMove(row.question, rules.text(move)), Move.Via.MAIL, self.now)
        self.server.answer()
        self._update_questions(seat)

    def _answer_next_turn(self, question: Question) -> None:
        """Plan the player's next turn with the answer to a question, if the email offers it."""
        _, rules, state = self._position()
        assert rules.plans is not None
        seat, view, habits = question.seat, rules.view(state, question.seat), self.protocol.habits
        offered = rules.plans.second(view, question)
        share = habits.second if rules.plans.is_next(view, seat) else habits.ahead
        if offered and not self._planned_actions(seat) and self.people[seat].luck.random() < share:
            plan = next_turn(rules, state, seat, (), self._chance(), self._log)
            if msgspec.convert(plan, NextTurn) in [move for move, _ in offered]:
                self._store_plan(seat, plan)

    def _position(self) -> tuple[Game, AnyRules, Any]:
        game = Game.objects.get(pk=self.game.pk)
        return game, log_store.rules_of(game), log_store.position(game).state

    def _choose_move(self, rules: AnyRules, state: Any, question: Question, moves: Sequence[Any]) -> Any:
        """Return the move that a bot would choose on this seat."""
        return rules.bot_move(know(rules, state, question.seat, self._log), question, moves, self._chance())

    def _log(self) -> list[Event]:
        return events_of(log_store.read(self.game))

    def _chance(self) -> SeededChance:
        return SeededChance(self.luck.randbytes(32))

    def _look_ahead(self, seat: int) -> None:
        """Store the plans of a player who has the mail open."""
        person = self.people[seat]
        if not (person.taps or person.plans) or not self.open:
            return
        _, rules, state = self._position()
        if not state.hands[seat - 1]:
            return
        if not person.has_answered:
            person.has_answered = True
            assert rules.plans is not None
            usual = [msgspec.to_builtins(rules.plans.usual)]
            for plan in standing_plans(state.hands[seat - 1]) if person.plans else usual:
                self._store_plan(seat, plan)
        if person.plans:
            self._plan(seat)
        self._update_questions(seat)

    def _plan(self, seat: int, *past_actions: str) -> None:
        """Plan the turns after the actions ``past_actions``, and answers to actions against the seat."""
        _, rules, state = self._position()
        if not state.asking:
            return
        actions = [*past_actions, *self._planned_actions(seat)]
        while len(actions) < self.protocol.habits.turns + len(past_actions):
            plan = next_turn(rules, state, SeatNumber(seat), actions, self._chance(), self._log)
            self._store_plan(seat, plan)
            actions.append(plan["move"]["type"])
        for action in AIMED:
            self._plan_answer(seat, action)

    def _plan_answer(self, seat: int, action: Aimed) -> None:
        """Plan the answer to an action against the seat, in place of a former plan."""
        _, rules, state = self._position()
        if not state.asking or not state.hands[seat - 1]:
            return
        answer = answer_to(rules, state, SeatNumber(seat), action, self._chance(), self._log)
        for row in plans.active_plans(self.game, self.accounts[seat]):
            plan = plans.decode_plan(self.game, row)
            if plan == answer:
                return
            if is_about(plan, state, action):
                plans.withdraw(row, self.now)
        self._store_plan(seat, msgspec.to_builtins(answer))

    def _planned_actions(self, seat: int) -> list[str]:
        """Return the actions of the player's planned turns in order."""
        rows = plans.active_plans(self.game, self.accounts[seat])
        active = (plans.decode_plan(self.game, row) for row in rows)
        return [msgspec.to_builtins(plan.move)["type"] for plan in active if isinstance(plan, NextTurn)]

    def _store_plan(self, seat: int, plan: dict[str, Any]) -> None:
        """Store a plan, unless a former plan has just ended the game, or the player's part in it."""
        _, _, state = self._position()
        if state.asking and state.hands[seat - 1]:
            plans.store_plan(self.game.id, self.accounts[seat], plan, self.now)
            self.server.answer()

    def _update_questions(self, seat: int | None) -> None:
        """Update the open questions, and record the waiting time of those that ``seat`` or the clock has answered."""
        rows = {row.question: row for row in OpenQuestion.objects.filter(game=self.game.id)}
        closed = [row for question, row in self.open.items() if question not in rows]
        together = {(row.kind, row.asked_at) for row in rows.values()}
        if closed and (closed[0].kind, closed[0].asked_at) not in together:
            last = next((row for row in closed if row.seat == seat), closed[-1])
            self.course.note_waiting(self.people[last.seat], last, self.now)
        for question, row in rows.items():
            if not row.planned_at and (question not in self.open or row.remind_at != self.open[question].remind_at):
                self.people[row.seat].receive_notification(question)
        self.open = rows
        self._find_notifications()

    def _find_notifications(self) -> None:
        """Deliver the reports of moves by plan to the players who plan ahead."""
        for notification in Notification.objects.filter(
            topic=f"game:{self.game.id}", reason=_PLAYED, created_at=self.now
        ):
            seat = next(seat for seat, account in self.accounts.items() if account.pk == notification.account_id)
            if self.people[seat].plans:
                self.unread_reports.add(seat)
                self.people[seat].receive_notification(_PLAYED)

    def _count(self) -> None:
        """Count turns, answers and notifications from the log and the database."""
        game = Game.objects.get(pk=self.game.pk)
        lines = log_store.read(game)
        tags = Counter(line.event.__struct_config__.tag for line in lines)
        self.course.days = (self.now - self.begin) / DAY
        self.course.turns = tags["turn-began"]
        ways = Move.objects.filter(game=game, state=Move.State.APPLIED).values_list("via", "plan")
        self.course.answers.update("plan" if plan else via for via, plan in ways)
        exits: dict[int, datetime] = {}
        for line in lines:
            if line.event.__struct_config__.tag in ("went-out", "resigned"):
                exits[line.event.seat] = line.at  # type: ignore[attr-defined]  # both events have a seat
        notifications = Counter(Notification.objects.filter(topic=f"game:{game.id}").values_list("account", "reason"))
        for seat, account in self.accounts.items():
            reasons = {reason: count for (recipient, reason), count in notifications.items() if recipient == account.pk}
            self.course.questions.append(reasons.get("question", 0))
            reasons.pop(_STARTED, None)
            self.course.reports.append(reasons.get(_PLAYED, 0))
            self.course.mails.append(sum(reasons.values()))
            self.course.playing.append((exits.get(SeatNumber(seat), self.now) - self.begin) / DAY)
