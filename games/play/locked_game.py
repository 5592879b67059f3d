"""A game held by the lock on its row: the only way to write to one.

Whoever writes holds the game. On leaving, all that happened is stored in one transaction: log, snapshot,
moves, questions, orders for emails. An exception changes nothing. Many can be held and stored at once.
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
from config.core.database.rows import pipeline, update
from games.announcements import notify, stream_events
from games.announcements.emails import topic_of
from games.deadlines import pauses, timing
from games.engine import Chance, Event, Phrase, Question, RuleViolation, SeatNumber, SeededChance, gettext_noop
from games.engine.types import Move as Answer
from games.engine.validation import NOT_ASKED
from games.event_log import log_store, sealing
from games.event_log.enqueue import enqueue
from games.event_log.lines import Line, events_of
from games.event_log.table import Table
from games.event_log.table_events import DueLater, Ended, Returned, Started, TableEvent, TimeBankChanged
from games.models import Game, Move, OpenQuestion, Plan, Seat
from games.play import misses, rows
from games.play.held_questions import HeldQuestions
from notifications.delivery import outbox

SERVER: Final = "server"
"""The way of what nobody moved."""
TOGETHER: Final = 128
"""The most games that are stored in one transaction."""
_COUNTS: Final = (
    "version", "draws", "head", "public_head", "shown", "state", "seat_count", "started_at", "ended_at", "host",
    "paused_until", "due_at", "beacon_round", "deal_list", "start_check_at",
)  # fmt: skip
"""The columns of a game's row that change with its log."""


@contextmanager
def lock_game(
    game: uuid.UUID, now: datetime, *, skip_locked: bool = False, patience: timedelta | None = None
) -> Iterator["LockedGame | None"]:
    """Hold a game until the end of the block, then store what happened, all of it or nothing.

    None where there is no such game, or (``skip_locked``) somebody else holds it. UnknownRules where its rules are
    not on this server. OperationalError where somebody holds it for longer than ``patience``.
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
    most: int = TOGETHER,
) -> Iterator[list["LockedGame"]]:
    """Hold those of these games that exist and nobody else holds, ``most`` at most, as ``lock_game`` holds one.

    Those that are still in the list at the end of the block are stored. Whoever does not skip what others hold holds
    one game only, lest two wait for each other.
    """
    with traces.span("change games", games=len(games)), transaction.atomic():
        locked_games: list[LockedGame] = []
        with pipeline():
            locked = rows.lock(games, skip_locked=skip_locked, patience=patience, most=most)
            if locked:
                read = rows.Rows(locked)
                locked_games += [LockedGame(game, read, now) for game in locked]
        yield locked_games
        store(locked_games, now)


class LockedGame(HeldQuestions):
    """One game while it is held."""

    def __init__(self, game: Game, read: rows.Rows, now: datetime) -> None:
        super().__init__(game, read, now)
        self.waiting: list[Move] = read.moves[game.id]
        """The moves that wait to be resolved, in the order in which they are."""
        self.plans: list[Plan] | None = None
        """The plans, once somebody has asked for them."""
        self.acted: dict[uuid.UUID, Plan] = {}
        """Those that answered, lapsed or wait no more: their rows are stored with what happened."""
        self.resolved: list[Move] = []
        """The moves whose rows are to be stored with what happened."""
        self._seated = [(seat, _counts(seat)) for seat in read.seats[game.id]]
        self._lines: list[Line] = []

    @property
    def table(self) -> Table:
        """The table; only of one that was opened."""
        assert self.position.table is not None
        return self.position.table

    def seat_of(self, account: Account) -> SeatNumber | None:
        """Return where this account sits, if it does."""
        return next((seat for seat, seat_row in self.seats.items() if seat_row.account_id == account.pk), None)

    def names(self) -> dict[SeatNumber, str]:
        """The names of the players."""
        return {seat: seat_row.player for seat, seat_row in self.seats.items()}

    def chance(self) -> SeededChance:
        """The game's chance, at the next draw that it has not made yet."""
        return SeededChance(bytes(self.game.seed), str(self.game.id), self.table.mixed_in, self.game.draws)

    def tell(self, event: TableEvent, via: str = SERVER, seat: SeatNumber | None = None) -> None:
        """Something happened at the table."""
        self._add((event,), via, seat, None, ())

    def happen(
        self, events: Sequence[Event], chance: Chance, move: Move | None = None, *, has_waited: bool = False
    ) -> None:
        """Something happened in the game, as the rules decided it; ``chance`` is what they drew from.

        ``has_waited``: a plan gave the move, and nobody is to tell it from a move by hand.
        """
        draws = tuple(chance.draws)
        if move is None:
            self._add(events, SERVER, None, None, draws)
        else:
            move.received_at = whole_second(move.received_at)  # its order among the others is settled
            move.first_event = self.position.version + 1
            self._add(events, move.via, SeatNumber(move.seat), move.id, draws)
            move.last_event = self.position.version
            self.resolved.append(move)
        self.game.draws += len(draws)
        if move is not None:
            seat_row = self.seats[SeatNumber(move.seat)]
            asked = self.open.get(move.question)
            aimed = asked is None or asked.aimed
            seat_row.returning |= misses.count(seat_row, move, aimed=aimed, has_waited=has_waited)
        self._ask(self.now if move is None else self.received_at(move))

    def _add(
        self,
        events: Sequence[Event],
        via: str,
        seat: SeatNumber | None,
        move: uuid.UUID | None,
        draws: tuple[tuple[int, int], ...],
    ) -> None:
        for event in events:
            self.position = log_store.fold(self.rules, self.position, event)
            self._lines.append(Line(self.position.version, event, self.now, via, seat, move, draws))
            draws = ()

    def question(self, seat: SeatNumber, question: str) -> Question:
        """The open question of this id to this seat.

        RuleViolation ``not-asked`` or ``question-closed``, as the rules tell the two apart.
        """
        for each in self.rules.questions(self.state):
            if (each.seat, each.id) == (seat, question):
                return each
        self.rules.decide(self.state, seat, Answer(question=question), self.chance())
        raise RuleViolation(
            NOT_ASKED, Phrase(gettext_noop("This question is not for you. Your own are on the list of questions."))
        )

    def _ask(self, answered_at: datetime) -> None:
        """Open the questions that the game asks now; end the game where it has come to its end."""
        asked = {question.id: question for question in self.rules.questions(self.state)}
        if not self._windows() & asked.keys():
            self._tell_returns()
        for row in [row for each, row in self.open.items() if each not in asked]:
            if row.why:
                self._charge(row, pauses.running_from(self.position.table, answered_at))
            del self.open[row.question]
        for each in asked.values():
            if each.id not in self.open:
                self.open[each.id] = self._asked(each, alone=len(asked) == 1)
        self._time_bots()
        outcome = self.rules.outcome(self.state)
        if outcome is not None and self.game.state == Game.State.RUNNING:
            self.game.state = Game.State.OVER
            self.game.ended_at = self.now
            self.tell(Ended(winners=outcome.winners))

    def _charge(self, row: OpenQuestion, ran_until: datetime) -> None:
        left = timing.charge(row, self.game, self.seats[SeatNumber(row.seat)], ran_until)
        if left is not None:
            self.tell(TimeBankChanged(seat=SeatNumber(row.seat), seconds=int(left.total_seconds())))

    def welcome_back(self, seat: SeatNumber) -> None:
        """Let a player answer again for whom a bot sat in, with all the time for what they are asked.

        While a window is open nobody else is told: it would say who has answered in it.
        """
        self.seats[seat].returning = True
        self.answer_by_player(seat)
        if not self.is_window_open:
            self._tell_returns()

    def _tell_returns(self) -> None:
        """Tell of the players who are back since the window was opened that is closed now."""
        for seat, seat_row in self.seats.items():
            if seat_row.returning:
                seat_row.away = seat_row.returning = False
                self.tell(Returned(seat=seat))

    def electors(self) -> frozenset[SeatNumber]:
        """Return who has a say about pauses."""
        return pauses.electors(self.rules, self.state, self.seats)

    def settle_pause(self) -> None:
        """Begin a pause, or end it, where everybody has agreed who has a say, or its time is over."""
        pause = None if self.position.table is None else self.position.table.pause
        followed = pause and pauses.outcome(pause, self.electors, self.now)
        if followed:
            event, by = followed
            self.tell(event)
            self.postpone(by)
            if by < timedelta():
                outbox.bring_forward(topic_of(self.game.id), -by, self.now)

    def reconsider(self, seat: SeatNumber) -> None:
        """Set the deadline of this seat's question by its player's calendar, where that is later."""
        seat_row = self.seats[seat]
        for row in self.open.values():
            pace = timing.pace_of(self.rules, row.kind)
            if row.seat == seat and not row.bot and timing.reconsider(row, self.game, seat_row, pace):
                row.reminders = []  # there is another deadline to remind of
                self._set_next_reminder(row, row.asked_at, self.now)
        answered = timing.had_it_not_answered(self.open.values(), self.game, seat_row)
        latest = timing.latest(self.open.values(), [answered])
        if latest and self.game.due_at and latest > self.game.due_at:
            self.tell(DueLater(seconds=math.ceil((latest - self.game.due_at).total_seconds())))
            self.game.due_at = latest
        self._time_bots()

    @property
    def lines(self) -> Sequence[Line]:
        """The lines that were added since the game is locked."""
        return self._lines

    @cached_property
    def _stored_lines(self) -> list[Line]:
        return log_store.read(self.game)

    def events(self) -> list[Event]:
        """Return all events of the game itself so far; the stored ones are read once."""
        return events_of([*self._stored_lines, *self._lines])

    def seal(self) -> None:
        """Bring the game's row up to date with what happened: its counts, and the heads of its chain."""
        self.game.version = self.position.version
        pause = self.table.pause
        self.game.paused_until = pause.ends_at if pause is not None and pause.on else None
        # While somebody has not answered yet, those who have count too: the latest moment must not tell who did.
        before = [self.game.due_at] if self.open.keys() & self._stored.keys() else []
        self.game.due_at = timing.latest(self.open.values(), before)
        moves = [move for move in self.resolved if move.last_event]
        self._lines = sealing.seal(self.rules, self.game, self._lines, moves)

    def counted(self) -> list[Seat]:
        """The seats whose counts are others than they were."""
        return [seat for seat, before in self._seated if _counts(seat) != before]

    def _stand_ins(self) -> dict[SeatNumber, int]:
        """Return who may answer for whom: most tables have none, and need no query."""
        named = {seat: seat_row.stand_in for seat, seat_row in self.seats.items() if seat_row.stand_in_id}
        return {seat: each.account_id for seat, each in named.items() if each.account_id is not None}

    def game_update(self, asked: Sequence[OpenQuestion]) -> notify.GameUpdate:
        """Return what its people may have to be told by letter."""
        return notify.GameUpdate(
            self.game.id,
            [*self.seats.values()],
            questions=self._put_to_players(asked),
            stand_in_questions=self._put_to_stand_ins(asked),
            closed=self._stored.keys() - self.open.keys(),
            started=any(isinstance(line.event, Started) for line in self._lines),
            ended=any(isinstance(line.event, Ended) for line in self._lines),
            paused=pauses.told((line.number, line.at, line.event) for line in self._lines),
            has_stand_ins=any(seat.stand_in_id for seat in self.seats.values()),
            done=[plan for plan in self.acted.values() if plan.done_at == self.now],
        )

    def change(self, asked: Sequence[OpenQuestion]) -> stream_events.Change:
        """Return what the programs of its people are told."""
        return stream_events.Change(
            self.rules,
            self.game,
            self._lines,
            seated={seat: row.account_id for seat, row in self.seats.items() if row.account_id is not None},
            stand_ins=self._stand_ins(),
            questions=self._put_to_players(asked),
            stand_in_questions=self._put_to_stand_ins(asked),
            closed=self._stored.keys() - self.open.keys(),
        )


def store(locked_games: Sequence[LockedGame], now: datetime) -> None:
    """Write what happened in these games; only while they are locked."""
    for locked in locked_games:
        if locked.lines:
            locked.settle_pause()
    questions = {locked.game.id: locked.questions() for locked in locked_games}
    with pipeline():
        rows.write_moves([move for locked in locked_games for move in locked.resolved])
        rows.write_counts([seat for locked in locked_games for seat in locked.counted()])
        rows.write_plans([plan for locked in locked_games for plan in locked.acted.values()])
        rows.write_questions(questions)
        if any(locked.answers_soon() for locked in locked_games):
            enqueue("games.tasks.answer_planned")
        changed = [locked for locked in locked_games if locked.lines or locked.handed_back or locked.unplanned]
        if changed:
            _store_changes(changed, questions, now)


def _store_changes(changed: Sequence[LockedGame], questions: Mapping[uuid.UUID, rows.Questions], now: datetime) -> None:
    """Write what was added to the logs of these games, and what follows from it."""
    for locked in changed:
        locked.seal()
    log_store.append({locked.game.id: locked.lines for locked in changed})
    log_store.keep((locked.game, locked.position) for locked in changed)
    update([locked.game for locked in changed], _COUNTS)
    changes = [locked.change(questions[locked.game.id].asked) for locked in changed]
    listeners = stream_events.listeners(changes, now)
    notify.notify_players([locked.game_update(questions[locked.game.id].asked) for locked in changed], now)
    stream_events.emit_changes(changes, listeners, now)
    for locked in changed:
        if locked.bots_due():
            enqueue("games.tasks.play_bots", str(locked.game.id))


def _counts(seat: Seat) -> tuple[Any, ...]:
    return seat.missed, seat.spared, seat.time_bank, seat.away, seat.returning
