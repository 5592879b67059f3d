"""A game held by the lock on its row: the only way to write to one.

Whoever writes (a move, the clock, a house player, the table's host) holds the game, says what happened, and on
leaving all of it is stored in the one transaction: the log, the snapshot, the counts, the open questions and the
orders for letters. An exception leaves everything as it was.
"""

import uuid
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from datetime import datetime, timedelta
from typing import Any, Final

from django.db import connection, transaction

from games import log_store
from games.bells import ring
from games.engine import Chance, Event, Phrase, Question, RuleViolation, Seat, SeededChance, gettext_noop
from games.engine.errors import NOT_ASKED
from games.engine.types import Move as Answer
from games.log_store import Line, Position
from games.models import Game, Move, OpenQuestion
from games.play import announce, ladder, signalling
from games.play.table_events import Abandoned, Ended, Started, Table, TableEvent, players
from notifications import preferences
from notifications.signalling import emit

SERVER: Final = "server"
"""The way of what nobody moved."""
_COUNTS: Final = (
    "version", "draws", "head", "public_head", "shown", "state", "seats", "started_at", "ended_at", "host",
)  # fmt: skip
"""What of a game's row follows from its log."""


@contextmanager
def held(
    game: uuid.UUID, now: datetime, *, skip_locked: bool = False, patience: timedelta | None = None
) -> Iterator["Sitting | None"]:
    """Hold a game until the end of the block, then store what happened, all of it or nothing.

    None where there is no such game, or (``skip_locked``) somebody else holds it. UnknownRules where its rules are
    not on this server. OperationalError where somebody holds it for longer than ``patience``.
    """
    with transaction.atomic():
        if patience is not None:
            _wait_at_most(patience)
        # NO KEY: a door may store a move of the game meanwhile, which looks at the row's key only.
        row = Game.objects.select_for_update(skip_locked=skip_locked, no_key=True).filter(pk=game).first()
        sitting = None if row is None else Sitting(row, now)
        yield sitting
        if sitting is not None:
            sitting.store()


def _wait_at_most(patience: timedelta) -> None:
    """Give up on locks after so long, in this transaction."""
    with connection.cursor() as cursor:
        milliseconds = max(1, int(patience.total_seconds() * 1000))
        cursor.execute("SELECT set_config('lock_timeout', %s, true)", [str(milliseconds)])


class Sitting:
    """One game while it is held."""

    def __init__(self, game: Game, now: datetime) -> None:
        self.game = game
        self.now = now
        self.rules = log_store.rules_of(game)
        self.position: Position = log_store.position(game)
        self.places = {Seat(each.number): each for each in game.places.select_related("account__preferences")}
        """Who sits where. Whoever changes a seat saves its row, and changes it here."""
        self.open = {each.question: each for each in game.open_questions.all()}
        self._stored = {each: _terms(row) for each, row in self.open.items()}
        self._lines: list[Line] = []
        self._moves: list[Move] = []

    @property
    def state(self) -> Any:
        """The game's own state; None before it begins."""
        return self.position.state

    @property
    def table(self) -> Table:
        """The table; only of one that was opened."""
        assert self.position.table is not None
        return self.position.table

    def names(self) -> dict[Seat, str]:
        """What the players are called."""
        return {seat: place.player for seat, place in self.places.items()}

    def chance(self) -> SeededChance:
        """The game's chance, at the next draw that it has not made yet."""
        seeds = players(self.table.seeds)
        return SeededChance(bytes(self.game.seed), str(self.game.id), seeds, self.game.draws)

    def tell(self, event: TableEvent, via: str = SERVER, seat: Seat | None = None) -> None:
        """Something happened at the table."""
        self._add((event,), via, seat, None, ())

    def happen(self, events: Sequence[Event], chance: Chance, move: Move | None = None) -> None:
        """Something happened in the game, as the rules decided it; ``chance`` is what they drew from."""
        draws = tuple(chance.draws)
        if move is None:
            self._add(events, SERVER, None, None, draws)
        else:
            move.first_event = self.position.version + 1
            self._add(events, move.via, Seat(move.seat), move.id, draws)
            move.last_event = self.position.version
            self._moves.append(move)
        self.game.draws += len(draws)
        self._ask()

    def _add(
        self,
        events: Sequence[Event],
        via: str,
        seat: Seat | None,
        move: uuid.UUID | None,
        draws: tuple[tuple[int, int], ...],
    ) -> None:
        for event in events:
            self.position = log_store.fold(self.rules, self.position, event)
            self._lines.append(Line(self.position.version, event, self.now, via, seat, move, draws))
            draws = ()

    def question(self, seat: Seat, question: str) -> Question:
        """The open question of this id to this seat.

        RuleViolation ``not-asked`` or ``question-closed``, as the rules tell the two apart.
        """
        for each in self.rules.questions(self.state):
            if (each.seat, each.id) == (seat, question):
                return each
        self.rules.decide(self.state, seat, Answer(question=question), self.chance())
        raise RuleViolation(NOT_ASKED, Phrase(gettext_noop("You are not asked this question.")))

    def _ask(self) -> None:
        """Have the open questions be those that the game asks now; end the game where it has come to its end."""
        asked = {each.id: each for each in self.rules.questions(self.state)}
        self.open = {each: row for each, row in self.open.items() if each in asked}
        for each in asked.values():
            if each.id not in self.open:
                self.open[each.id] = self._asked(each)
        self._time_the_house()
        outcome = self.rules.outcome(self.state)
        if outcome is not None and self.game.state == Game.State.RUNNING:
            self.game.state = Game.State.OVER
            self.game.ended_at = self.now
            self.tell(Ended(winners=outcome.winners))

    def _asked(self, question: Question) -> OpenQuestion:
        length = self.game.turn_length if question.kind == "turn" else self.game.window_length
        place = self.places[question.seat]
        due_at = self.now + length
        steps = ladder.steps_of(None if place.account is None else preferences.of(place.account))
        return OpenQuestion(
            game=self.game,
            question=question.id,
            seat=question.seat,
            kind=question.kind,
            reason=question.reason,
            asked_at=self.now,
            due_at=due_at,
            house=place.house,
            remind_at=None if place.house else ladder.next_step(steps, self.now, due_at, self.now),
        )

    def _time_the_house(self) -> None:
        """A house player answers at once, but where people are asked too, only after them: when they have
        answered or their time is over. So it wins no race, and when it answers says nothing of its hand."""
        people = [row.due_at for row in self.open.values() if not row.house]
        for row in self.open.values():
            if row.house:
                row.due_at = max(people, default=row.asked_at)

    def answer_by_house(self, seat: Seat) -> None:
        """Have what this seat is asked answered by the house player who sits there now."""
        for row in self.open.values():
            if row.seat == seat:
                row.house, row.remind_at = True, None
        self.game.open_questions.filter(seat=seat).update(house=True)
        self._time_the_house()

    def postpone(self, by: timedelta) -> None:
        """Move every open deadline back."""
        for row in self.open.values():
            row.due_at += by
            if row.remind_at:
                row.remind_at += by

    def store(self) -> None:
        """Write what happened; only while the lock is held."""
        asked = self._store_questions()
        if not self._lines:
            return
        shown = signalling.count(self.rules, self.game, self.game.version, self._lines, len(self.places))
        self.game.version = self.position.version
        self.game.shown = [self.game.version, *shown]
        log_store.seal(self.game, self._lines, self._moves)
        log_store.append({self.game.id: self._lines})
        log_store.keep({self.game.id: self.position})
        self.game.save(update_fields=_COUNTS)
        announce.after([self._news(asked)], self.now)
        emit(tuple(signalling.news(self._change(asked))), self.now)
        if any(row.house and row.due_at <= self.now for row in self.open.values()):
            ring("games.tasks.play_house", str(self.game.id))

    def _news(self, asked: Sequence[OpenQuestion]) -> announce.News:
        return announce.News(
            self.game.id,
            asked=[row for row in asked if not row.house],
            closed=self._stored.keys() - self.open.keys(),
            started=any(isinstance(line.event, Started) for line in self._lines),
            ended=any(isinstance(line.event, Ended) for line in self._lines),
        )

    def _change(self, asked: Sequence[OpenQuestion]) -> signalling.Change:
        became = {Started: Game.State.RUNNING, Ended: Game.State.OVER, Abandoned: Game.State.ABANDONED}
        return signalling.Change(
            self.game.id,
            seated={seat: place.account_id for seat, place in self.places.items() if place.account_id is not None},
            numbers=signalling.numbers(self.rules, self.game, self._lines, self.game.shown[1:]),
            asked=asked,
            closed=self._stored.keys() - self.open.keys(),
            state=next((became[type(line.event)] for line in self._lines if type(line.event) in became), ""),
        )

    def _store_questions(self) -> list[OpenQuestion]:
        """Bring the rows of the open questions up to date; gives those that are new."""
        gone = self._stored.keys() - self.open.keys()
        new = [row for each, row in self.open.items() if each not in self._stored]
        changed = [row for each, row in self.open.items() if each in self._stored and _terms(row) != self._stored[each]]
        if gone:
            self.game.open_questions.filter(question__in=gone).delete()
        for row in changed:
            self.game.open_questions.filter(question=row.question).update(due_at=row.due_at, remind_at=row.remind_at)
        OpenQuestion.objects.bulk_create(new)
        return new


def _terms(row: OpenQuestion) -> tuple[datetime, datetime | None]:
    return row.due_at, row.remind_at
