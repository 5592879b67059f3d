"""One game by post from its beginning to its end, and what its waiting was made of."""

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
from games.event_log.lines import events_of
from games.lobby.create import create_game
from games.lobby.join import join_game
from games.lobby.new_game import NewGame
from games.models import Game, Move, OpenQuestion
from games.play import plans
from games.play.submit import WrittenMove, store_move
from games.rules.coup.plans import NextTurn
from notifications.models import Notification

FIRST_DAY: Final = datetime(2026, 3, 2, tzinfo=UTC)
DAY: Final = timedelta(days=1)
MINUTE: Final = timedelta(minutes=1)
LONGEST: Final = 2000 * DAY
"""A game that takes so long does not end."""
_TURN: Final = "turn"
_PLAYED: Final = "played"
_TOLD_NOTHING_NEW: Final = "started"
"""Notifications that most get with their first question, and that are then not written."""


class Match:
    """A game while it is played."""

    def __init__(self, server: VirtualServer, protocol: Protocol, seats: int, luck: Random) -> None:
        self.server = server
        self.protocol = protocol
        self.seats = seats
        self.luck = luck
        self.people = dict(enumerate(company(seats, protocol.habits, luck), start=1))
        self.begin = self.now = FIRST_DAY + luck.randrange(7 * 24 * 60) * MINUTE
        self.open: dict[str, OpenQuestion] = {}
        self.told: set[int] = set()
        """Seats that have a notification which says what was played for them, and have not looked at it."""
        self.course = Course(protocol.name, seats)

    def play(self) -> Course:
        """Play it to its end."""
        self.game = self._opened()
        self._look_round(None)
        while self.open:
            self._go_on()
            if self.now > self.begin + LONGEST:
                raise RuntimeError(f"a game of {self.seats} has not ended after {LONGEST.days} days")
        self._count()
        return self.course

    def _opened(self) -> Game:
        """A game with everybody at its table."""
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
        """Go to the next moment at which something may happen, and let it."""
        waiting = {row.seat for row in self.open.values() if not row.bot and not row.planned_at} | self.told
        looks = {seat: self.people[seat].next_look(self.now) for seat in waiting}
        seat = min(looks, key=looks.__getitem__, default=None)
        rings = max(min(self._rings(), default=self.begin + LONGEST), self.now)
        if seat is None or rings <= looks[seat]:
            self.now = rings
            self.server.go(rings)
            self.server.tick(rings)
            self._look_round(None)
        else:
            self.now = looks[seat]
            self.server.go(self.now)
            self._look(seat)

    def _rings(self) -> list[datetime]:
        """Return when time does something by itself."""
        rows = self.open.values()
        ends = [row.due_at if row.bot else row.due_at + GRACE for row in rows]
        return ends + [at for row in rows for at in (row.remind_at, row.planned_at) if at]

    def _look(self, seat: int) -> None:
        """Somebody looks at their mail, and answers what they find, have not overlooked and have time for."""
        person, answered = self.people[seat], False
        for row in [row for row in self.open.values() if row.seat == seat and not row.planned_at]:
            if person.comes_to(row.question, self.now):
                self._answer(seat, row)
                answered = True
        if not answered and seat in self.told:
            answered = person.comes_to(_PLAYED, self.now)
        if answered:
            self.told.discard(seat)
            self._look_ahead(seat)

    def _answer(self, seat: int, row: OpenQuestion) -> None:
        game, rules, state = self._stands()
        question = next(question for question in rules.questions(state) if question.id == row.question)
        move = self._chosen(rules, state, question, rules.legal_moves(state, question))
        if row.kind == _TURN and self.people[seat].plans:
            self._plan(seat, msgspec.to_builtins(move)["type"])
        self._answer_second(question)
        store_move(game, self.accounts[seat], WrittenMove(row.question, rules.text(move)), Move.Via.MAIL, self.now)
        self.server.answer()
        self._look_round(seat)

    def _answer_second(self, question: Question) -> None:
        """Say with the answer to a question what they do on their next turn, where the email asks that too."""
        _, rules, state = self._stands()
        assert rules.plans is not None
        seat, view, habits = question.seat, rules.view(state, question.seat), self.protocol.habits
        offered = rules.plans.second(view, question)
        share = habits.second if rules.plans.is_next(view, seat) else habits.ahead
        if offered and not self._planned(seat) and self.people[seat].luck.random() < share:
            plan = next_turn(rules, state, seat, (), self._chance(), self._log)
            if msgspec.convert(plan, NextTurn) in [item for item, _ in offered]:
                self._store_plan(seat, plan)

    def _stands(self) -> tuple[Game, AnyRules, Any]:
        game = Game.objects.get(pk=self.game.pk)
        return game, log_store.rules_of(game), log_store.position(game).state

    def _chosen(self, rules: AnyRules, state: Any, question: Question, moves: Sequence[Any]) -> Any:
        """Return what they play, knowing what their seat knows: as a bot would."""
        return rules.bot_move(know(rules, state, question.seat, self._log), question, moves, self._chance())

    def _log(self) -> list[Event]:
        return events_of(log_store.read(self.game))

    def _chance(self) -> SeededChance:
        return SeededChance(self.luck.randbytes(32))

    def _look_ahead(self, seat: int) -> None:
        """Plan ahead for whoever has the mail before them."""
        person = self.people[seat]
        if not (person.taps or person.plans) or not self.open:
            return
        _, rules, state = self._stands()
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
        self._look_round(seat)

    def _plan(self, seat: int, *accepted: str) -> None:
        """Say what is to be done on their turns after the action ``accepted``, as it looks now."""
        _, rules, state = self._stands()
        if not state.asking:
            return
        planned = [*accepted, *self._planned(seat)]
        while len(planned) < self.protocol.habits.turns + len(accepted):
            plan = next_turn(rules, state, SeatNumber(seat), planned, self._chance(), self._log)
            self._store_plan(seat, plan)
            planned.append(plan["move"]["type"])
        for make in AIMED:
            self._prepare(seat, make)

    def _prepare(self, seat: int, make: Aimed) -> None:
        """Say what they answer if this is done to them, in place of what they said before."""
        _, rules, state = self._stands()
        if not state.asking or not state.hands[seat - 1]:
            return
        answer = answer_to(rules, state, SeatNumber(seat), make, self._chance(), self._log)
        for row in plans.active_plans(self.game, self.accounts[seat]):
            decode_plan = plans.decode_plan(self.game, row)
            if decode_plan == answer:
                return
            if is_about(decode_plan, state, make):
                plans.withdraw(row, self.now)
        self._store_plan(seat, msgspec.to_builtins(answer))

    def _planned(self, seat: int) -> list[str]:
        """The actions that they have said already, in the order in which they will be taken."""
        rows = plans.active_plans(self.game, self.accounts[seat])
        results = (plans.decode_plan(self.game, row) for row in rows)
        return [msgspec.to_builtins(item.move)["type"] for item in results if isinstance(item, NextTurn)]

    def _store_plan(self, seat: int, plan: dict[str, Any]) -> None:
        """Say something ahead, unless what was said before it has just put them out of the game, or ended it."""
        _, _, state = self._stands()
        if state.asking and state.hands[seat - 1]:
            plans.store_plan(self.game.id, self.accounts[seat], plan, self.now)
            self.server.answer()

    def _look_round(self, seat: int | None) -> None:
        """See what is asked now, and of whom. What is not asked any more was waited for, for ``seat`` or the clock."""
        rows = {row.question: row for row in OpenQuestion.objects.filter(game=self.game.id)}
        closed = [row for item, row in self.open.items() if item not in rows]
        together = {(row.kind, row.asked_at) for row in rows.values()}
        if closed and (closed[0].kind, closed[0].asked_at) not in together:
            last = next((row for row in closed if row.seat == seat), closed[-1])
            self.course.note_waiting(self.people[last.seat], last, self.now)
        for value, row in rows.items():
            if not row.planned_at and (value not in self.open or row.remind_at != self.open[value].remind_at):
                self.people[row.seat].gets_notification(value)
        self.open = rows
        self._find_notifications()

    def _find_notifications(self) -> None:
        """Count the emails that told people who plan ahead what was played for them."""
        for notification in Notification.objects.filter(
            topic=f"game:{self.game.id}", reason=_PLAYED, created_at=self.now
        ):
            seat = next(seat for seat, account in self.accounts.items() if account.pk == notification.account_id)
            if self.people[seat].plans:
                self.told.add(seat)
                self.people[seat].gets_notification(_PLAYED)

    def _count(self) -> None:
        """Count what came of it, from the log and the notifications."""
        game = Game.objects.get(pk=self.game.pk)
        lines = log_store.read(game)
        tags = Counter(line.event.__struct_config__.tag for line in lines)
        self.course.days = (self.now - self.begin) / DAY
        self.course.turns = tags["turn-began"]
        ways = Move.objects.filter(game=game, state=Move.State.APPLIED).values_list("via", "plan")
        self.course.answers.update("plan" if plan else via for via, plan in ways)
        out: dict[int, datetime] = {}
        for line in lines:
            if line.event.__struct_config__.tag in ("went-out", "resigned"):
                out[line.event.seat] = line.at  # type: ignore[attr-defined]  # both have one
        notifications = Counter(Notification.objects.filter(topic=f"game:{game.id}").values_list("account", "reason"))
        for seat, account in self.accounts.items():
            answer_text = {reason: count for (item, reason), count in notifications.items() if item == account.pk}
            self.course.asked.append(answer_text.get("question", 0))
            answer_text.pop(_TOLD_NOTHING_NEW, None)
            self.course.told.append(answer_text.get(_PLAYED, 0))
            self.course.mails.append(sum(answer_text.values()))
            self.course.playing.append((out.get(SeatNumber(seat), self.now) - self.begin) / DAY)
