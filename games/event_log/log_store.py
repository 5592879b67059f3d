"""The store of the log: its lines, and how they are sealed and chained.

The store of the event log. Only this module and ``games.event_log.archived_logs`` read and write events and snapshots.
Each function handles many games or lines with one statement. The log of a game that ended long ago is read from its
archive.
"""

import json
import logging
import uuid
from collections.abc import Iterable, Iterator, Mapping, Sequence
from datetime import datetime
from functools import cache
from hashlib import sha256
from typing import Any, NamedTuple

import msgspec

from config.core.clock import whole_second
from config.core.database.rows import update
from config.core.database.sql import array, execute, find
from games import queries
from games.engine import EVERYONE, SPECTATOR, AnyRules, Event, Phrase, SeatNumber, Viewer, chain, gettext_noop
from games.engine.record import RESIGNATION, RecordedLine, RecordedMove, contents
from games.engine.validation import MALFORMED, RuleViolation
from games.event_log import archived_logs
from games.event_log.table import Table
from games.event_log.table import fold as fold_table
from games.event_log.table_events import AnyTableEvent, TableEvent
from games.models import Game, Move
from games.rules.registry import find_rules


class ChainedLine(msgspec.Struct, frozen=True):
    """An event and its envelope, in the form of the chain and of a game's record."""

    number: int
    event: Event
    at: datetime
    via: str
    seat: SeatNumber | None = None
    """The seat whose move led to the event."""
    move: uuid.UUID | None = None
    draws: tuple[tuple[int, int], ...] = ()
    """The draws of a decision, on its first line: pairs of the number of options and the chosen index."""


class Line(ChainedLine, frozen=True):
    """A line of a game's log, with counts that are derived from the lines before it."""

    shown: tuple[int, ...] = ()
    """For a spectator and each seat, the number of lines up to this one that they are shown. Empty if nothing is
    hidden.
    """

    def number_for(self, viewer: Viewer) -> int:
        """Return the number of this line among those that a viewer is shown, or of the last one before it."""
        return self.shown[viewer] if self.shown and viewer != EVERYONE else self.number

    def chained(self) -> ChainedLine:
        """Return the line without its counts."""
        *chained, _ = msgspec.structs.astuple(self)
        return ChainedLine(*chained)


def events_of(lines: Iterable[ChainedLine]) -> list[Event]:
    """Return the events of the game itself, without those of its table."""
    return [line.event for line in lines if not isinstance(line.event, TableEvent)]


@cache
def decoder(of: Any) -> Any:
    """Return a JSON decoder for this type. Decoders are cached, because creating one takes longer than decoding."""
    return msgspec.json.Decoder(of)


def encode(answer: Any) -> str:
    """Return a move as JSON, without the id of its question."""
    return msgspec.json.encode(msgspec.structs.replace(answer, question="")).decode()


def decode(move_type: Any, body: str, question: str) -> Any:
    """Decode a game's move from JSON, as the answer to a question. Raises RuleViolation(malformed)."""
    try:
        answer = decoder(move_type).decode(body)
    except (msgspec.DecodeError, UnicodeDecodeError) as error:
        sentence = gettext_noop("This isn’t a move of this game: %(why)s.")
        raise RuleViolation(MALFORMED, Phrase(sentence, {"why": str(error)[:200]})) from error
    if answer.question:
        raise RuleViolation(MALFORMED, Phrase(gettext_noop("Send the question beside the move, not inside it.")))
    return msgspec.structs.replace(answer, question=question)


@cache
def _move_decoder(move_type: Any) -> msgspec.json.Decoder[Any]:
    return msgspec.json.Decoder(move_type)


def seal(rules: AnyRules, game: Game, lines: Sequence[Line], moves: Iterable[Move]) -> list[Line]:
    """Chain and count new lines of a locked game's log, together with the moves that led to them.

    Return the counted lines. The row of the game is changed but not saved. The published head advances only over events
    whose existence is public.
    """
    seed, head = bytes(game.seed), head_of(game)
    counted = []
    for line, content in zip(lines, contents_of(rules, lines, moves), strict=True):
        head = chain.link(head, chain.leaf(seed, line.number, content))
        if is_public(rules, line.event):
            game.public_head = head
        game.shown = count_shown(rules, game.shown, line, game.seat_count)
        counted.append(msgspec.structs.replace(line, shown=tuple(game.shown)))
    game.head = head
    return counted


def count_shown(rules: AnyRules, before: Sequence[int], line: Line, seat_count: int) -> list[int]:
    """Return how many lines a spectator and each seat are shown up to this one. ``before`` has the counts before it.

    The counts are empty while nothing is hidden from any viewer. A seat is shown every line that a spectator is shown.
    """
    if is_public(rules, line.event):
        return [count + 1 for count in before]
    before = before or [line.number - 1] * (seat_count + 1)
    return [count + (rules.show(line.event, SeatNumber(viewer)) is not None) for viewer, count in enumerate(before)]


def is_public(rules: AnyRules, event: Event) -> bool:
    """Return whether every viewer may know that this event has happened, even if its content is hidden."""
    return isinstance(event, TableEvent) or rules.show(event, SPECTATOR) is not None


def contents_of(rules: AnyRules, lines: Sequence[Line], moves: Iterable[Move]) -> Iterator[bytes]:
    """Yield the content of the chain's leaf for each line. Raises LookupError if a move is missing."""
    return contents((line.chained() for line in lines), {move.id: recorded(rules, move) for move in moves})


def recorded(rules: AnyRules, move: Move) -> RecordedMove:
    """Return an accepted move in the form of the chain and of records."""
    body, text = None, RESIGNATION
    if move.body is not None:
        body, text = msgspec.json.decode(move.body), rules.text(_move_decoder(rules.move_type).decode(move.body))
    at = msgspec.to_builtins(move.received_at)
    return RecordedMove(str(move.id), move.seat, move.question, body, text, move.via, move.bot_version, at)


def head_of(game: Game) -> bytes:
    """Return the head of a game's chain. Before the first event it follows from the commitment."""
    return bytes(game.head) or chain.start(game.commitment)


logger = logging.getLogger(__name__)


class UnknownRules(Exception):
    """Raised for a game whose rules, or the version of them, are not installed on this server."""

    def __init__(self, name: str, version: int) -> None:
        super().__init__(f"the rules {name!r} in version {version} are not installed")
        self.name = name
        self.version = version


class Position(msgspec.Struct, frozen=True):
    """A position in a game: the state of its table, and the state of its rules once they are set up."""

    version: int = 0
    table: Table | None = None
    state: Any = None


def rules_of(game: Game) -> AnyRules:
    """Return the rules of a game. Raises UnknownRules if this server does not have their version."""
    rules = find_rules(game.rules, game.rules_version)
    if rules is None:
        raise UnknownRules(game.rules, game.rules_version)
    return rules


def fold(rules: AnyRules, position: Position, event: Event) -> Position:
    """Return the position after one more event."""
    version = position.version + 1
    if isinstance(event, TableEvent):
        return Position(version, fold_table(position.table, event), position.state)
    return Position(version, position.table, rules.evolve(position.state, event))


@cache
def _decoder(event_type: Any) -> msgspec.json.Decoder[Event]:
    return msgspec.json.Decoder(event_type | AnyTableEvent)


def append(lines: Mapping[uuid.UUID, Sequence[Line]]) -> None:
    """Add lines to the logs of games. Raises IntegrityError if a line number exists already; nothing is added then."""
    rows = [_row(game, line) for game, added in lines.items() for line in added]
    if rows:
        execute(queries.APPEND_LINES, [msgspec.json.encode(rows).decode()])


def _row(game: uuid.UUID, line: Line) -> dict[str, Any]:
    body, draws = _encode_row(line)
    return {
        "game_id": game,
        "number": line.number,
        "body": body,
        "draws": draws,
        "at": line.at,
        "via": line.via,
        "seat": line.seat,
        "move_id": line.move,
        "shown": line.shown or None,
    }


def _encode_row(line: Line) -> tuple[str, str | None]:
    """Return the event and the draws of a line as texts for its row."""
    return msgspec.json.encode(line.event).decode(), json.dumps(line.draws) if line.draws else None


def append_to_all(games: Sequence[Game], event: TableEvent, at: datetime, via: str) -> None:
    """Add one table event to the log of each of these games, and update their rows, which must be locked."""
    added = {}
    for game in games:
        game.version += 1
        line = Line(game.version, event, whole_second(at), via)
        added[game.id] = seal(rules_of(game), game, [line], ())
    append(added)
    update(games, ("version", "head", "public_head", "shown"))


def read(game: Game, after: int = 0) -> list[Line]:
    """Return the lines of a log after line ``after``. Raises UnknownRules if its rules are not installed here."""
    return _visible_lines(game, read_many([game], {game.id: after})[game.id])


def _visible_lines(game: Game, lines: list[Line]) -> list[Line]:
    """Return the lines up to the version of ``game``, which is an older one if spectators see the game with a delay."""
    return [line for line in lines if line.number <= game.version] if game.is_held_back else lines


def read_shown(game: Game, viewer: Viewer, after: int) -> list[Line]:
    """Return the lines of a log from the first one that ``viewer`` is shown after their line ``after``, to the end.

    The result begins with the first line of the decision that this line belongs to. A game that is shown with a delay
    ends at the version of ``game``.
    """
    index = None if viewer == EVERYONE else viewer + 1
    decoder = _decoder(rules_of(game).event_type)
    rows = find(queries.READ_SHOWN_LINES, {"game": game.id, "viewer": index, "after": after})
    lines = [_line(decoder, *row) for _, *row in rows]
    if lines or not _may_be_archived(game):
        return _visible_lines(game, lines)
    return _shown_behind(
        [_line(decoder, *row) for row in archived_logs.find([game.id]).get(game.id, ())], viewer, after
    )


def young_lines(until: Mapping[uuid.UUID, datetime]) -> dict[uuid.UUID, tuple[int, list[Event]]]:
    """Return, for each running game, the number of its first line after this time and the table events since."""
    decode = _decoder(AnyTableEvent).decode
    rows = find(queries.YOUNG_LINES, [array(until), list(until.values())])
    return {game: (first, [decode(body) for body in bodies or ()]) for game, first, bodies in rows}


def _may_be_archived(game: Game) -> bool:
    """Return whether the lines of a game without a log may be in an archive."""
    return game.state == Game.State.OVER


def _shown_behind(lines: Sequence[Line], viewer: Viewer, after: int) -> list[Line]:
    """Return the lines that ``queries.READ_SHOWN_LINES`` finds, from the lines of a whole log."""
    first = next((line for line in lines if line.number_for(viewer) > after), None)
    if first is None:
        return []
    decision = (line.number for line in lines if line.move is not None and line.move == first.move)
    return list(lines[min(decision, default=first.number) - 1 :])


def answered(lines: Sequence[Line]) -> set[SeatNumber]:
    """Return the seats that have already answered in the window that is open after these lines."""
    seats = set()
    for line in reversed(lines):
        if line.event.in_open_window and line.seat is not None:
            seats.add(line.seat)
        elif not isinstance(line.event, TableEvent):
            break
    return seats


def read_many(games: Sequence[Game], after: Mapping[uuid.UUID, int]) -> dict[uuid.UUID, list[Line]]:
    """Return the lines of the logs of many games, for each game those after a number (0 by default)."""
    decoders = {game.id: _decoder(rules_of(game).event_type) for game in games}
    lines: dict[uuid.UUID, list[Line]] = {game.id: [] for game in games}
    for game, *row in find(queries.READ_LINES, [array(decoders), [after.get(game, 0) for game in decoders]]):
        lines[game].append(_line(decoders[game], *row))
    for game, archived in archived_logs.find([game.id for game in games if _is_missing(game, lines, after)]).items():
        lines[game] = [_line(decoders[game], *row) for row in archived if row.number > after.get(game, 0)]
    return lines


def _is_missing(game: Game, lines: Mapping[uuid.UUID, Sequence[Line]], after: Mapping[uuid.UUID, int]) -> bool:
    """Return whether lines of a game must be read from its archive."""
    return _may_be_archived(game) and not lines[game.id] and game.version > after.get(game.id, 0)


def _line(
    decoder: msgspec.json.Decoder[Event],
    number: int,
    body: str,
    draws: str | None,
    at: Any,
    via: Any,
    seat: Any,
    move: Any,
    shown_counts: list[int] | None,
) -> Line:
    pairs = tuple((bound, index) for bound, index in json.loads(draws)) if draws else ()
    return Line(number, decoder.decode(body), at, via, seat, move, pairs, tuple(shown_counts or ()))


def line_of(game: Game, recorded: RecordedLine) -> Line:
    """Return a line of a record as a line of a log. Raises msgspec.ValidationError if the rules have no such event."""
    rest = msgspec.convert(msgspec.structs.asdict(recorded), _Envelope)
    event = _decoder(rules_of(game).event_type).decode(msgspec.json.encode(recorded.event))
    return Line(recorded.number, event, rest.at, rest.via, rest.seat, rest.move, recorded.draws)


class _Envelope(msgspec.Struct):
    """The fields of a recorded line without its event."""

    at: datetime
    via: str
    seat: SeatNumber | None
    move: uuid.UUID | None


def rewritten(game: Game) -> list[int]:
    """Return the numbers of lines with correct content that are not encoded as ``append`` encodes them."""
    decoder = _decoder(rules_of(game).event_type)
    rows = [archived_logs.StoredLine(*row) for _, *row in find(queries.READ_LINES, [array([game.id]), [0]])]
    rows = rows or archived_logs.find([game.id]).get(game.id, [])
    return [row.number for row in rows if _encode_row(_line(decoder, *row)) != (row.body, row.draws)]


def positions(games: Sequence[Game]) -> dict[uuid.UUID, Position]:
    """Return the current position of each of these games: its snapshot and the log lines after it.

    A snapshot that does not follow from the log is not used. The whole log is folded instead.
    """
    rules = {game.id: rules_of(game) for game in games}
    stored = {game: _Snapshot(*row) for game, *row in find(queries.SNAPSHOTS, [array(rules)])}
    by_game = {game.id: _opened(game, rules[game.id], stored.get(game.id)) for game in games}
    behind = [game for game in games if by_game[game.id].version != game.version]
    tails = _tails(behind, stored, by_game) if behind else {}
    for game in behind:
        for line in _visible_lines(game, tails[game.id]):
            by_game[game.id] = fold(rules[game.id], by_game[game.id], line.event)
    return by_game


def _tails(
    games: Sequence[Game], stored: Mapping[uuid.UUID, "_Snapshot"], by_game: dict[uuid.UUID, Position]
) -> dict[uuid.UUID, list[Line]]:
    """Return the lines after the positions found so far. A position whose chain does not match the log starts again."""
    tails = read_many(games, {game.id: by_game[game.id].version for game in games})
    wrong = []
    for game in games:
        if by_game[game.id].version and not _leads_to_head(game, stored[game.id].head, tails[game.id]):
            _warn(game)
            by_game[game.id] = Position()
            wrong.append(game)
    return tails | read_many(wrong, {}) if wrong else tails


def _leads_to_head(game: Game, head: bytes, lines: Sequence[Line]) -> bool:
    """Return whether these last lines of a log lead from ``head`` to the present head of its chain."""
    ids = {line.move for line in lines if line.move is not None}
    moves = Move.objects.filter(pk__in=ids) if ids else ()
    try:
        for line, content in zip(lines, contents_of(rules_of(game), lines, moves), strict=True):
            head = chain.link(head, chain.leaf(bytes(game.seed), line.number, content))
    except LookupError:
        return False
    return head == head_of(game)


def position(game: Game) -> Position:
    """Return the current position of a game."""
    return positions([game])[game.id]


class _Snapshot(NamedTuple):
    """The columns of a stored snapshot."""

    version: int
    head: bytes
    law: bytes
    table: bytes
    state: bytes | None


def _opened(game: Game, rules: AnyRules, stored: _Snapshot | None) -> Position:
    """Decode a stored snapshot. Return the start of the log if there is none, or if it cannot belong to this game.

    A snapshot of the last line contains the head of the log's chain. Earlier ones are checked with the lines after
    them.
    """
    if stored is None:
        return Position()
    is_last = stored.version == game.version
    if stored.version > game.version or stored.law != law_of(game) or (is_last and stored.head != head_of(game)):
        _warn(game)
        return Position()
    try:
        return Position(
            stored.version,
            msgspec.msgpack.decode(stored.table, type=Table),
            None if stored.state is None else msgspec.msgpack.decode(stored.state, type=rules.state_type),
        )
    except msgspec.DecodeError:
        return Position()


def _warn(game: Game) -> None:
    """Log that a snapshot is not used, unless a newer version of the game was stored after its row had been read."""
    if Game.objects.filter(pk=game.pk, version__gt=game.version).exists():
        return
    logger.warning("the snapshot of game %s does not follow from its log, which is folded from its start", game.id)


def law_of(game: Game) -> bytes:
    """Return a digest of the rules of a game, their version and its options. Snapshots of other rules are not used."""
    law = (game.rules, game.rules_version, game.options)
    return sha256(msgspec.json.encode(law, order="deterministic")).digest()


_encode = msgspec.msgpack.Encoder(order="deterministic").encode


def closed(position: Position) -> tuple[bytes, bytes | None]:
    """Return the two parts of a position as bytes for a snapshot. Equal positions give equal bytes."""
    return _encode(position.table), None if position.state is None else _encode(position.state)


def keep(positions: Iterable[tuple[Game, Position]]) -> None:
    """Store snapshots in place of the former ones. The rows of the games must have the heads of these positions."""
    rows = [
        {
            "game": game.id,
            "version": position.version,
            "head": head_of(game),
            "law": law_of(game),
            **dict(zip(("table", "state"), closed(position), strict=True)),
        }
        for game, position in positions
    ]
    execute(queries.KEEP_SNAPSHOTS, [msgspec.json.encode(rows).decode()])
