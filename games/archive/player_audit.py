"""Comparison of the rows about people with a replayed log: seats, moves, and missed questions."""

from collections.abc import Iterator
from datetime import datetime, timedelta
from typing import Any, Final

import msgspec

from games.engine import AnyRules, Event
from games.engine.plans import first_answer
from games.event_log.log_store import Position, decode
from games.event_log.table import Table
from games.event_log.table_events import (
    BotTakeover,
    Forfeited,
    PlayerTakeover,
    Returned,
    SeatOffered,
    TemporaryTakeover,
)
from games.models import Game, Move, Seat, StandIn, player_ids
from games.play import rows

_SOON: Final = timedelta(seconds=1)
# The answers of these come from no account.
_MACHINES: Final = {Move.Via.BOT, Move.Via.TIMEOUT}
# After these a question may have been put again, at a time that the log need not name.
_ASKED_ANEW: Final = BotTakeover | TemporaryTakeover | SeatOffered | PlayerTakeover | Returned


class PlayerAudit:
    """The people of one game, followed through its log."""

    def __init__(self, game: Game, rules: AnyRules) -> None:
        self._game = game
        self._rules = rules
        self._counts: dict[int, Seat] = {}
        self._opened: dict[str, datetime] = {}
        self._asked_anew: set[int] = set()
        self._dated: list[tuple[Move, datetime]] = []
        self._stand_ins: list[StandIn] = list(game.stand_ins.all())

    def check_move(self, move: Move, position: Position) -> Iterator[str]:
        """Yield the faults of an accepted move, compared with the position before it."""
        table = position.table or Table(seat_count=0, bot_count=0)
        question = next((row for row in self._rules.questions(position.state) if row.id == move.question), None)
        if not self._may_move(move, table):
            yield f"the move {move.id} is not from the account that sat there or stood in"
        is_by_hand = move.account_id is not None and move.plan is None and question is not None
        if is_by_hand and move.via not in _MACHINES and move.asked_at is None:
            yield f"the move {move.id} does not say when its question was put"
        if move.asked_at is not None and question is not None and question.id in self._opened:
            self._dated.append((move, self._opened[question.id]))
        if move.plan is not None and (question is None or not self._is_planned(move, position.state, question)):
            yield f"the move {move.id} is not what its plan answers"
        plan_rules = self._rules.plans
        view = None if question is None else self._rules.view(position.state, question.seat)
        aimed = question is None or plan_rules is None or plan_rules.is_aimed(view, question)
        counts = self._counts.setdefault(move.seat, Seat(number=move.seat))
        counts.bot, counts.away = move.seat in table.bot_seats, move.seat in table.away
        rows.count_answer(counts, move, aimed=aimed, has_waited=move.asked_at is not None)

    def _may_move(self, move: Move, table: Table) -> bool:
        if move.account_id is None:
            return True
        if move.via in _MACHINES:
            return False
        if table.players[move.seat - 1] in player_ids(self._game.pk, move.account_id):
            return True
        return any((row.seat, row.account_id) == (move.seat, move.account_id) for row in self._stand_ins)

    def _is_planned(self, move: Move, state: Any, question: Any) -> bool:
        plan_rules = self._rules.plans
        if plan_rules is None or move.plan is None or move.body is None:
            return False
        plan = msgspec.json.decode(move.plan, type=plan_rules.plan_type)
        answer = first_answer(self._rules, state, question, [plan]).answer
        return bool(answer == decode(self._rules.move_type, move.body, question.id))

    def note_questions(self, state: Any, at: datetime) -> None:
        """Note the open questions after a decision."""
        for question in () if state is None else self._rules.questions(state):
            self._opened.setdefault(question.id, at)

    def follow(self, event: Event) -> None:
        """Apply one event to the counts."""
        if isinstance(event, _ASKED_ANEW):
            self._asked_anew.add(event.seat)
        if (
            isinstance(event, TemporaryTakeover | SeatOffered | Forfeited | PlayerTakeover)
            and event.seat in self._counts
        ):
            self._counts[event.seat].missed = 0
        if isinstance(event, PlayerTakeover) and event.seat in self._counts:
            self._counts[event.seat].spared = False

    def check_rows(self, table: Table) -> Iterator[str]:
        """Yield the faults of the rows, compared with the whole log."""
        for move, opened in self._dated:
            assert move.asked_at is not None
            latest = move.received_at if move.seat in self._asked_anew else opened
            if not opened - _SOON < move.asked_at < max(latest, opened) + _SOON:
                yield f"the question of the move {move.id} was not put when its row says"
        for seat in self._game.seats.all():
            player = table.players[seat.number - 1] if seat.number <= len(table.players) else ""
            if seat.account_id is not None and player not in player_ids(self._game.pk, seat.account_id):
                yield f"the account on seat {seat.number} is not the one that the log names"
            yield from self._check_counts(seat, self._counts.get(seat.number, Seat(number=seat.number)))
        by_bot = {seat.number: seat.by_bot for seat in self._game.seats.all()}
        for row in self._game.open_questions.all():
            opened = self._opened.get(row.question, row.asked_at)
            is_anew = row.seat in self._asked_anew and row.asked_at >= opened
            if not is_anew and abs(row.asked_at - opened) >= _SOON:
                yield f"the open question {row.question} was not put when its row says"
            if row.bot != by_bot.get(row.seat):
                yield f"the open question {row.question} is not put to the player who answers for its seat"

    def _check_counts(self, seat: Seat, counts: Seat) -> Iterator[str]:
        # The count starts again at zero when a player reports that they are here. The log does not contain that.
        # An imported record has no accounts and no counts.
        is_known = seat.account_id is not None
        if is_known and (seat.missed > counts.missed or seat.spared != counts.spared):
            yield f"the questions that seat {seat.number} has missed are not those of the log"
        if seat.returning and not seat.away:
            yield f"the player of seat {seat.number} is coming back and was not away"
