"""Finished games: documents (``games.engine.record``), replay line by line, and archiving of old logs."""

import logging
import uuid
from collections.abc import Collection, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any, Final

import msgspec
from django.conf import settings
from django.db import DataError, IntegrityError, transaction
from django.db.models import Exists, OuterRef, QuerySet

from config.core.logs import describe_error
from games.archive import game_audit, time_stamps
from games.engine import EVERYONE, SPECTATOR, Phrase, SeatNumber, Viewer, gettext_noop
from games.engine.chain import deal_head
from games.engine.record import (
    FORMAT,
    IMPOSSIBLE,
    VERSION,
    Record,
    RecordedLine,
    RecordedMove,
    RecordedSeat,
    RecordedStamp,
    trust_of,
)
from games.engine.record import heads as chain_heads
from games.engine.types import BALANCED, NORMAL
from games.event_log import archived_logs, log_store
from games.event_log.log_store import Line, Position, decode, encode
from games.event_log.table import Table
from games.event_log.table_events import PositionCopied, SeedMissing
from games.models import ArchivedLog, Game, Move, Seat
from games.refusals import Refusal, not_found
from games.terms import GameTerms
from games.visibility.shown_events import ShownEvent, is_of_former_player, show_log, takeovers


def export_record(game: Game) -> Record:
    """Return the record of a game. Raises Refusal(conflict) if it is not over, or is a practice game."""
    require_over(game)
    rules, lines = log_store.rules_of(game), log_store.read(game)
    if any(isinstance(line.event, PositionCopied) for line in lines):
        sentence = gettext_noop("This is a practice game. Its first moves were copied, so it has no record to check.")
        raise Refusal("conflict", Phrase(sentence))
    return Record(
        format=FORMAT,
        version=VERSION,
        game=str(game.id),
        rules=game.rules,
        rules_version=game.rules_version,
        options=game.options,
        seats=tuple(RecordedSeat(seat.number, seat.player, seat.bot, seat.seed) for seat in game.seats.all()),
        terms=msgspec.json.decode(msgspec.json.encode(game.terms)),
        commitment=game.commitment,
        seed=bytes(game.seed).hex(),
        head=bytes(game.head).hex(),
        moves=tuple(log_store.recorded(rules, move) for move in _applied_moves(game, lines)),
        events=msgspec.json.decode(
            msgspec.json.encode([line.chained() for line in lines]), type=tuple[RecordedLine, ...]
        ),
        trust=trust_of(
            {str(line.event.__struct_config__.tag) for line in lines},
            [line.event.seat for line in lines if isinstance(line.event, SeedMissing)],
        ),
        time_stamps=tuple(
            RecordedStamp(head, tuple(path), response.hex()) for head, path, response in time_stamps.stamps_of(game)
        ),
    )


def _applied_moves(game: Game, lines: Sequence[Line]) -> list[Move]:
    """Return the accepted moves in the order of their first events."""
    moves = {move.id: move for move in game.moves.filter(state=Move.State.APPLIED)}
    return [moves[fromkey] for fromkey in dict.fromkeys(line.move for line in lines if line.move)]


def import_record(
    record: Record, heads: Collection[str] = (), commitment: str = "", deal_heads: Collection[str] = ()
) -> Game:
    """Import a record as a finished game without people.

    ``heads``, ``deal_heads`` and ``commitment``, in hexadecimal, were published before the end, and the record must
    contain them. Raises Refusal(malformed) with the first event that does not follow from the seeds and moves,
    Refusal(conflict) if the game exists here already, and UnknownRules if its rules are not on this server.
    """
    game = _build_game(record)
    log_store.rules_of(game)
    with transaction.atomic():
        if Game.objects.filter(pk=game.pk).exists():
            raise Refusal("conflict", Phrase(gettext_noop("This server already has this game.")))
        try:
            _store_game(game, record)
            stored = Game.objects.get(pk=game.pk)
        except (*IMPOSSIBLE, msgspec.MsgspecError, IntegrityError, DataError) as error:
            raise _forged_record(str(error)) from error
        for fault in game_audit.find_faults(stored):
            raise _forged_record(fault)
        if export_record(stored) != record:
            raise _forged_record("it is not what the record of this game would be, or its head is of another log")
        for digest in {*heads, commitment} - {"", record.commitment, *chain_heads(record)}:
            raise _forged_record(f"{digest} is no head of its log, and not its commitment")
        for unknown in {*deal_heads} - {*_deal_heads(stored)}:
            raise _forged_record(f"{unknown} is no head of its list of the deal")
    return game


def _deal_heads(game: Game) -> tuple[str, str]:
    """Return the heads of the list of the deal, without the round of the beacon and with it."""
    table = log_store.position(game).table
    assert table is not None
    before = msgspec.structs.replace(table, beacon_round=None)
    return deal_head(before.deal_list(str(game.pk), game.commitment)), game.deal_head


def _forged_record(why: str) -> Refusal:
    return Refusal("malformed", Phrase(gettext_noop("This record can’t be true: %(why)s."), {"why": why[:200]}))


def _build_game(record: Record) -> Game:
    """Return the unsaved row of a recorded game. Raises Refusal(malformed) for an invalid value."""
    try:
        return Game(
            id=uuid.UUID(record.game),
            rules=record.rules,
            rules_version=record.rules_version,
            options=record.options,
            seat_count=len(record.seats),
            terms=msgspec.convert(record.terms, GameTerms),
            state=Game.State.OVER,
            seed=bytes.fromhex(record.seed),
            commitment=record.commitment,
            **_game_times(record),
        )
    except (ValueError, OverflowError, msgspec.ValidationError) as error:
        raise _forged_record(str(error)) from error


def _game_times(record: Record) -> dict[str, datetime]:
    """Return when the table opened and when the game began and ended, from the log."""
    at = {line.event.get("type"): datetime.fromisoformat(line.at) for line in record.events}
    names = {"table.created": "created_at", "table.started": "started_at", "table.ended": "ended_at"}
    return {names[kind]: moment for kind, moment in at.items() if kind in names}


def _store_game(game: Game, record: Record) -> None:
    """Store the rows of a recorded game. The chain of its log is computed again."""
    rules, lines, position = log_store.rules_of(game), list[Line](), Position()
    for event in record.events:
        line = log_store.line_of(game, event)
        position = log_store.fold(rules, position, line.event)
        lines.append(line)
    game.version = len(lines)
    game.draws = sum(len(line.draws) for line in lines)
    if position.table is not None:
        game.bot_count = position.table.bot_count
        game.arena = position.table.arena
        seconds = position.table.spectator_delay
        game.spectator_delay = None if seconds is None else timedelta(seconds=seconds)
        game.chosen_bots = [{"level": level, "style": style} for _, level, style in position.table.bots]
        game.beacon_round = position.table.round
        game.deal_list = position.table.deal_list(str(game.pk), game.commitment)
    moves = [_build_move(game, move, lines) for move in record.moves]
    lines = log_store.seal(rules, game, lines, moves)
    game.save(force_insert=True)
    table = position.table or Table(seat_count=0, bot_count=0)
    bots = {seat: kind for seat, *kind in table.bots}
    for recorded, commitment in zip(record.seats, table.seed_commitments, strict=True):
        level, style = bots.get(SeatNumber(recorded.seat), (NORMAL, BALANCED))
        seat = Seat(game=game, number=recorded.seat, name=recorded.name[:40], bot=recorded.bot)
        seat.level, seat.style = level, style
        seat.seed, seat.seed_commitment = recorded.seed, commitment
        seat.save(force_insert=True)
    Move.objects.bulk_create(moves)
    log_store.append({game.id: lines})
    log_store.keep([(game, position)])
    for stamped in record.time_stamps:
        time_stamps.keep(game, stamped.head, stamped.path, bytes.fromhex(stamped.response))


def _build_move(game: Game, recorded: RecordedMove, lines: Sequence[Line]) -> Move:
    body, id = None, uuid.UUID(recorded.id)
    led_to = [line.number for line in lines if line.move == id]
    if recorded.move is not None:
        text = msgspec.json.encode(recorded.move).decode()
        body = encode(decode(log_store.rules_of(game).move_type, text, recorded.question))
    return Move(
        id=id,
        game=game,
        seat=SeatNumber(recorded.seat),
        question=recorded.question,
        body=body,
        via=recorded.via,
        bot_version=recorded.bot_version,
        received_at=datetime.fromisoformat(recorded.received_at),
        state=Move.State.APPLIED,
        first_event=led_to[0],
        last_event=led_to[-1],
    )


@dataclass(frozen=True)
class Step:
    """The game after one line of its log, for one viewer."""

    number: int
    """The number of the line in the whole log, from 1."""
    last: int
    """The number of the last line."""
    line: ShownEvent | None
    """The line as this viewer was shown it, or None if they were not."""
    former: bool
    """True if the line is about a seat that has another player now."""
    state: Any
    """The state of the rules, or None before the deal. It must not be shown: ``view`` is for the viewer."""
    view: Any
    """The viewer's view at that time. None before the deal."""


def require_over(game: Game) -> None:
    """Raise Refusal(conflict) if a game is not over. The functions of this module show everything to all viewers of
    the game.
    """
    if game.state != Game.State.OVER:
        raise Refusal("conflict", Phrase(gettext_noop("This game isn’t over yet.")))


def step(game: Game, number: int, viewer: Viewer = EVERYONE) -> Step:
    """Return the game after line ``number``. Raises Refusal(not-found) for an unknown line or seat."""
    require_over(game)
    if not 1 <= number <= game.version or not (viewer in (EVERYONE, SPECTATOR) or 1 <= viewer <= game.seat_count):
        raise not_found()
    rules = log_store.rules_of(game)
    whole = log_store.read(game)
    lines = whole[:number]
    position = Position()
    for line in lines:
        position = log_store.fold(rules, position, line.event)
    visible = show_log(rules, lines, viewer)
    before = len(show_log(rules, lines[:-1], viewer))
    last = visible[-1] if len(visible) > before else None
    former = last is not None and is_of_former_player(last, takeovers(show_log(rules, whole, viewer)))
    view = None if position.state is None else rules.view(position.state, viewer)
    return Step(number, game.version, last, former, position.state, view)


logger = logging.getLogger(__name__)

AT_ONCE: Final = 2000
"""The number of games that are archived in an hour. They take about a minute."""


def archive_all(now: datetime) -> int:
    """Archive the logs of games that are due for it, the oldest first. Return the number of games."""
    return sum(_archive_safely(game) for game in _due(now).order_by("ended_at").values_list("pk", flat=True)[:AT_ONCE])


def _due(now: datetime) -> QuerySet[Game]:
    archived = ArchivedLog.objects.filter(game=OuterRef("pk"))
    over = Game.objects.filter(state=Game.State.OVER, ended_at__lt=now - settings.ARCHIVE_GAMES_AFTER)
    return over.exclude(Exists(archived))


def _archive_safely(game: uuid.UUID) -> bool:
    """Archive the log of one game, and return whether that was done. An error does not stop the archiving of other
    games.
    """
    try:
        with transaction.atomic():
            Game.objects.select_for_update(no_key=True).get(pk=game)
            if ArchivedLog.objects.filter(pk=game).exists():
                return False
            archived_logs.archive(game)
    except Exception as error:
        logger.error("the log of game %s could not be archived: %s", game, describe_error(error))
        return False
    return True
