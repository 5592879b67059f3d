"""Verification of one game: the chain, the seeds and the decisions of its log, and the rows beside it."""

from collections import defaultdict
from collections.abc import Iterator, Sequence
from datetime import datetime, timedelta
from itertools import groupby
from typing import Any
from uuid import UUID

import msgspec

from config.core.clock import whole_second
from games.archive import ratings, time_stamps
from games.archive.player_audit import PlayerAudit
from games.engine import Event, SeatNumber, SeededChance, chain
from games.engine.chain import deal_head
from games.engine.record import IMPOSSIBLE, ReplayedMove, replay_move
from games.event_log import log_store
from games.event_log.log_store import Line, Position, UnknownRules, decode, events_of
from games.event_log.table import Table, fold, seconds_of
from games.event_log.table_events import (
    BeaconAwaited,
    BeaconPublished,
    DealListed,
    Ended,
    GameCancelled,
    GameCreated,
    Joined,
    Left,
    SeedMissing,
    SeedRevealed,
    Started,
    TableEvent,
)
from games.models import Game, Move, Snapshot, commitment_of
from games.play.locked_game import SERVER


def find_faults(game: Game) -> list[str]:
    """Return the faults of a stored game as sentences. Empty if everything follows from the log."""
    sentences: list[str] = []
    try:
        lines = log_store.read(game)
        sentences.extend(_check_log(game, lines))
        sentences.extend(_Replay(game, lines).find_faults())
        sentences.extend(_check_results(game))
    except (UnknownRules, msgspec.DecodeError) as error:
        sentences.append(f"the log cannot be read: {error}")
    except IMPOSSIBLE as error:
        sentences.append(f"the log cannot be played again: {error!r}")
    return sentences


def _check_log(game: Game, lines: Sequence[Line]) -> Iterator[str]:
    if [line.number for line in lines] != list(range(1, len(lines) + 1)):
        yield "the numbers of the log have gaps"
    if len(lines) != game.version:
        yield f"the log holds {len(lines)} events, its row says {game.version}"
    draw_count = sum(len(line.draws) for line in lines)
    if draw_count != game.draws:
        yield f"the log holds {draw_count} draws, its row says {game.draws}"
    commitment = commitment_of(game.id, bytes(game.seed))
    if game.commitment != commitment:
        yield "the seed does not fit the commitment of the row"
    opened = next((line.event for line in lines if isinstance(line.event, GameCreated)), None)
    if opened is not None and opened.commitment != commitment:
        yield "the seed does not fit the commitment of the log"
    agreed = (game.rules, game.rules_version, game.terms)
    if opened is not None and (opened.rules, opened.version, opened.terms) != agreed:
        yield "the rules, their version or the terms are not those of the log"
    options = log_store.rules_of(game).options(**game.options)
    if chain.canonical(options) != chain.canonical(game.options):
        yield "the options of the row are not complete"
    yield from _check_times(game, lines)
    yield from _check_protection(game, lines)
    yield from _chain(game, lines)


def _check_times(game: Game, lines: Sequence[Line]) -> Iterator[str]:
    """Yield the times of the row that differ from those of the log."""
    logged: dict[str, datetime | None] = dict.fromkeys(("created_at", "started_at", "ended_at"))
    for line in lines:
        match line.event:
            case GameCreated():
                logged["created_at"] = line.at
            case Started():
                logged["started_at"] = line.at
            case Ended() | GameCancelled():
                logged["ended_at"] = line.at
    for name, at in logged.items():
        moment = getattr(game, name)
        # Lines of the log have whole seconds. The row's time of creation is exact, because it orders lists of games.
        if at != (whole_second(moment) if name == "created_at" and moment else moment):
            yield f"the time {name} of the row is not that of the log"


def _check_protection(game: Game, lines: Sequence[Line]) -> Iterator[str]:
    """Yield the faults of revealed seeds, of the list of the deal and of the beacon."""
    table, awaited = Table(seat_count=0, bot_count=0), None
    for line in lines:
        if not isinstance(line.event, TableEvent):
            continue
        before, table = table, fold(table, line.event)
        yield from _check_list(game, before, table, line.event)
        match line.event:
            case SeedRevealed(seat=seat, seed=seed):
                if chain.seed_commitment(seed) != before.seed_commitments[seat - 1]:
                    yield f"the seed of seat {seat} is not the one that its player committed to"
            case BeaconAwaited() as event:
                if awaited is not None or event.round != chain.round_for(line.at.timestamp()):
                    yield "the round of the beacon is not the one that follows from the time at which it was fixed"
                awaited = event
            case BeaconPublished(round=round, signature=signature):
                if awaited is None or round != awaited.round:
                    yield "the round of the beacon is not the one that was awaited"
                elif not chain.is_signed(round, signature, awaited.key):
                    yield f"the beacon did not sign round {round} so"


def _check_list(game: Game, before: Table, after: Table, event: TableEvent) -> Iterator[str]:
    """Yield a fault for each event that changes the list of the deal or contradicts it."""
    if before.listed_players and isinstance(event, Joined | Left | DealListed):
        yield "the list of the deal was not fixed once, after the last seat was taken"
    if not before.listed_players and isinstance(event, SeedRevealed | SeedMissing | BeaconAwaited):
        yield "a seed was revealed or a beacon was awaited before the list of the deal was fixed"
    head = deal_head(after.deal_list(str(game.pk), game.commitment))
    if isinstance(event, DealListed | BeaconAwaited) and event.head != head:
        yield "the list of the deal is not the one whose head was published"


def _chain(game: Game, lines: Sequence[Line]) -> Iterator[str]:
    """Yield the faults in the heads of the log, and in the form of its lines."""
    rules, moves = log_store.rules_of(game), game.moves.filter(state=Move.State.APPLIED)
    try:
        heads = chain.heads(bytes(game.seed), game.commitment, log_store.contents_of(rules, lines, moves))
    except LookupError as error:
        yield f"a move is missing: {error}"
        return
    if bytes(game.head) != heads[-1]:
        yield "the log is not the one that its head was made of"
    public = [head for head, line in zip(heads, lines, strict=True) if log_store.is_public(rules, line.event)]
    if bytes(game.public_head) != public[-1]:
        yield "the published head is not that of the last event that everybody knows of"
    yield from time_stamps.faults_of_game(game, public)
    yield from _check_counts(game, lines)
    for number in log_store.rewritten(game):
        yield f"event {number} is not written as this server writes it"


def _check_counts(game: Game, lines: Sequence[Line]) -> Iterator[str]:
    """Yield the first line with wrong counts of shown lines per viewer. The row must have the last counts."""
    rules, counts = log_store.rules_of(game), list[int]()
    for line in lines:
        counts = log_store.count_shown(rules, counts, line, game.seat_count)
        if list(line.shown) != counts:
            yield f"event {line.number} does not count the lines that each viewer is shown"
            return
    if game.shown != counts:
        yield "the row does not count the lines that each viewer is shown"


def _check_results(game: Game) -> Iterator[str]:
    """Yield a fault if the stored results differ from those of the log."""
    if game.counted and game.state != Game.State.OVER:
        yield "the results are counted of a game that is not over"
        return
    values = ("seat", "account_id", "bot", "won", "place", "team", "score", "asked", "in_time", "bluffs")
    counted = ratings.results_with_bluffs(game) if game.counted else ()
    stored = game.results.order_by("seat").values_list(*values)
    if [tuple(getattr(claim, name) for name in values) for claim in counted] != list(stored):
        yield "the results are not those of the log"


class _Replay:
    """The replay of one game."""

    def __init__(self, game: Game, lines: Sequence[Line]) -> None:
        self.game = game
        self.lines = lines
        self.rules = log_store.rules_of(game)
        self.moves = {move.id: move for move in game.moves.filter(state=Move.State.APPLIED)}
        self.position = Position()
        self.drawn = 0
        self.snapshot = Snapshot.objects.filter(game=game).first()
        self.players = PlayerAudit(game, self.rules)

    def find_faults(self) -> Iterator[str]:
        """Yield everything that does not follow from the log, up to the first wrong decision."""
        is_snapshot_found, true = self.snapshot is None, True
        if is_snapshot_found:
            yield "there is no snapshot"
        for _, group in groupby(self.lines, key=lambda line: (line.move, isinstance(line.event, TableEvent))):
            decision = list(group)
            if true and not isinstance(decision[0].event, TableEvent):
                wrong = list(self._check_decision(decision))
                yield from wrong
                true = not wrong
            move = self.moves.get(decision[0].move) if decision[0].move else None
            if true and move is not None:
                yield from self.players.check_move(move, self.position)
            for line in decision:
                self.position = log_store.fold(self.rules, self.position, line.event)
                self.players.follow(line.event)
                self.drawn += len(line.draws)
                is_snapshot_found = is_snapshot_found or self._is_snapshot()
            if true:
                self.players.note_questions(self.position.state, decision[-1].at)
        if not is_snapshot_found:
            yield "the snapshot is not what the log makes"
        yield from self._check_rows()
        if true and self.position.table is not None:
            yield from self.players.check_rows(self.position.table)

    def _is_snapshot(self) -> bool:
        stored = self.snapshot
        if stored is None or stored.version != self.position.version:
            return False
        if bytes(stored.law) != log_store.law_of(self.game):
            return False
        state = None if stored.state is None else bytes(stored.state)
        return (bytes(stored.table), state) == log_store.closed(self.position)

    def _check_decision(self, lines: Sequence[Line]) -> Iterator[str]:
        """Decide again with the same seed, and compare the events and the draws with the log."""
        if lines[0].move is None and self.position.table and self.position.table.practice_of:
            yield from self._check_copy(lines, self.position.table)
            return
        mixed = self.position.table.mixed_in if self.position.table else ()
        chance = SeededChance(bytes(self.game.seed), str(self.game.id), mixed, self.drawn)
        where = f"events {lines[0].number} to {lines[-1].number}"
        try:
            events = self._decide_again(lines[0], chance)
        except IMPOSSIBLE as error:
            yield f"{where} cannot be decided again: {error}"
            return
        if list(events) != [line.event for line in lines]:
            yield f"{where} are not what the rules decide"
        if [tuple(chance.draws), *[()] * (len(lines) - 1)] != [line.draws for line in lines]:
            yield f"the draws of {where} do not follow from the seed"
        move = self.moves.get(lines[0].move) if lines[0].move else None
        mover = (SERVER, None) if move is None else (move.via, move.seat)
        if any((line.via, line.seat) != mover for line in lines):
            yield f"{where} do not say who moved, and how"

    def _check_copy(self, lines: Sequence[Line], table: Table) -> Iterator[str]:
        """Compare the copied events of a practice game with the finished game, if that is still on this server."""
        source = Game.objects.filter(pk=table.practice_of).first()
        if source is not None:
            copied = events_of(log_store.read(source)[: table.practice_line])
            if copied != [line.event for line in lines]:
                yield f"events {lines[0].number} to {lines[-1].number} are not those of the game {source.pk}"

    def _decide_again(self, line: Line, chance: SeededChance) -> Sequence[Event]:
        move = None if line.move is None else self._stored_move(line.move)
        return replay_move(self.rules, self.game.options, self.game.seat_count, self.position.state, move, chance)

    def _stored_move(self, id: UUID) -> ReplayedMove:
        move = self.moves.get(id)
        if move is None:
            raise LookupError(f"the move {id} is missing")
        answer = None if move.body is None else decode(self.rules.move_type, move.body, move.question)
        return ReplayedMove(SeatNumber(move.seat), move.question, answer, move.via == Move.Via.TIMEOUT)

    def _check_rows(self) -> Iterator[str]:
        """Compare the rows beside the log."""
        table = self.position.table
        if table is None:
            yield "the log does not open a table"
            return
        if table.phase != self.game.state:
            yield f"the log says that the game is {table.phase}, its row {self.game.state}"
        yield from self._check_winners(table)
        stored = {seat.number: (seat.bot, seat.seed, seat.seed_commitment) for seat in self.game.seats.all()}
        seeds = enumerate(zip(table.seeds, table.seed_commitments, strict=True), start=1)
        if stored != {seat: (seat in table.bot_seats, *seeding) for seat, seeding in seeds}:
            yield "the seats that are taken are not those of the log"
        yield from self._check_choices(table)
        bots = {seat.number: (seat.level, seat.style) for seat in self.game.seats.all() if seat.bot}
        if any(bots.get(seat, (*kind,)) != (*kind,) for seat, *kind in table.bots):
            yield "the levels of the bots are not those of the log"
        yield from self._check_absences(table)
        if (table.seat_count, table.bot_count) != (self.game.seat_count, self.game.bot_count):
            yield "the seats of the table are not those of the log"
        yield from self._check_deal(table)
        yield from self._check_moves()
        if self._asked_questions() != self._stored_questions():
            yield "the open questions are not those that the game asks"

    def _check_deal(self, table: Table) -> Iterator[str]:
        """Compare the row with the log: the list of the deal, the beacon and pauses."""
        if self.game.beacon_round != table.round:
            yield "the round of the beacon is not that of the log"
        if self.game.deal_list != table.deal_list(str(self.game.pk), self.game.commitment):
            yield "the list of the deal is not that of the log"
        if (self.game.start_check_at is not None) != (table.phase == "starting"):
            yield "the row has a time at which the deal is looked after, or has none, against the log"
        if self.game.paused_until != (table.pause.ends_at if table.pause and table.pause.on else None):
            yield "the pause is not that of the log"

    def _check_winners(self, table: Table) -> Iterator[str]:
        outcome = None if self.position.state is None else self.rules.outcome(self.position.state)
        if table.winners != (() if outcome is None else outcome.winners):
            yield "the winners are not those of the game"

    def _check_choices(self, table: Table) -> Iterator[str]:
        """Compare the host's choices in the row and in the log."""
        # An imported record has no people, and is public.
        has_people = self.game.host_id is not None or any(seat.account_id for seat in self.game.seats.all())
        if self.game.private != table.private and (has_people or self.game.private):
            yield "the row says otherwise than the log whether the game is private"
        if (seconds_of(self.game.spectator_delay), self.game.arena) != (table.spectator_delay, table.arena):
            yield "the delay of spectators or the arena is not that of the log"
        bots = [(bot.level, bot.style) for bot in self.game.bots]
        if table.phase in ("starting", "running", "over") and bots != [(*kind,) for _, *kind in table.bots]:
            yield "the bots that were chosen are not those of the log"

    def _check_absences(self, table: Table) -> Iterator[str]:
        """Compare bots that sit in, stand-ins and time banks with the log, while the game is running."""
        seats = list(self.game.seats.all()) if table.phase == "running" else []
        away = tuple(seat_row.number for seat_row in seats if seat_row.away)
        stand_in_seats = tuple(seat_row.number for seat_row in seats if seat_row.stand_in_id)
        if seats and (away, stand_in_seats) != (table.away, table.stand_in_seats):
            yield "who answers for whom is not what the log says"
        left = {seat_row.number: seat_row.time_bank for seat_row in seats if seat_row.time_bank is not None}
        logged = {
            seat: timedelta(seconds=seconds)
            for seat, seconds in enumerate(table.time_banks, start=1)
            if seconds is not None
        }
        if seats and left != logged:
            yield "what is left in the time banks is not what the log says"

    def _check_moves(self) -> Iterator[str]:
        """Yield the moves whose rows name other events than the log."""
        numbers: dict[UUID, list[int]] = defaultdict(list)
        for line in self.lines:
            if line.move:
                numbers[line.move].append(line.number)
        for move in self.moves.values():
            if [move.first_event, move.last_event] != numbers[move.id][:1] + numbers[move.id][-1:]:
                yield f"the move {move.id} did not lead to the events that its row names"

    def _asked_questions(self) -> set[tuple[Any, ...]]:
        state = self.position.state
        questions = () if state is None else self.rules.questions(state)
        return {(question.id, question.seat, question.kind, question.reason) for question in questions}

    def _stored_questions(self) -> set[tuple[Any, ...]]:
        return set(self.game.open_questions.values_list("question", "seat", "kind", "reason"))
