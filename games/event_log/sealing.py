"""Seal new log lines: chain them, and count them for each viewer. This module stores nothing."""

from collections.abc import Iterable, Iterator, Sequence
from functools import cache
from typing import Any

import msgspec

from games.engine import SPECTATOR, AnyRules, Event, SeatNumber, chain
from games.engine.record import RESIGNATION, RecordedMove, contents
from games.event_log.lines import Line
from games.event_log.table_events import TableEvent
from games.models import Game, Move


@cache
def _decoder(move_type: Any) -> msgspec.json.Decoder[Any]:
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
        body, text = msgspec.json.decode(move.body), rules.text(_decoder(rules.move_type).decode(move.body))
    at = msgspec.to_builtins(move.received_at)
    return RecordedMove(str(move.id), move.seat, move.question, body, text, move.via, move.bot_version, at)


def head_of(game: Game) -> bytes:
    """Return the head of a game's chain. Before the first event it follows from the commitment."""
    return bytes(game.head) or chain.start(game.commitment)
