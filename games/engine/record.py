"""A finished game as one JSON document: to be kept, checked by others, played again and forked.

The format has a name and a version; ``docs/record.schema.json`` is its JSON Schema and ``docs/fairness.md`` says how
it is checked. All of it is open: the seeds, every event and every accepted move.
"""

from collections.abc import Iterable, Iterator, Mapping
from typing import Any, Final, Literal

import msgspec

from games.engine import chain
from games.engine.chance import SeededChance
from games.engine.errors import MALFORMED, RuleViolation
from games.engine.phrases import Phrase, gettext_noop
from games.engine.rules import AnyRules, replay

FORMAT: Final = "darbar-record"
VERSION: Final = 1
RESIGNATION: Final = "resign yes"
"""The notation of giving up, in every game."""
TABLE: Final = "table."
"""What the types of events begin with that the table folds and the game does not know of."""


class RecordedSeat(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Who sat where."""

    seat: int
    name: str
    """What the player was called when the record was made; blank for one who deleted their account."""
    house: bool
    seed: str
    """What they added to the game's chance, in hexadecimal; blank for a house player."""


class RecordedMove(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """An accepted move."""

    id: str
    seat: int
    question: str
    """The id of the question it answers; a resignation may answer none."""
    move: dict[str, Any] | None
    """The move as the game read it, without its question; null for a resignation."""
    text: str
    """The move in its one canonical notation."""
    via: str
    """How it came: api, mail, page, house, clock or order."""
    received_at: str
    """When the whole of it had come in (RFC 3339, UTC)."""


class RecordedLine(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A line of the log: an event, open to everybody, and its envelope."""

    number: int
    """Counted from 1 without gaps."""
    event: dict[str, Any]
    at: str
    via: str
    seat: int | None
    """Whose move led to it."""
    move: str | None
    """The id of the move that led to it."""
    draws: tuple[tuple[int, int], ...]
    """On the first line of a decision: its draws of chance, each (of how many, which)."""


class Record(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A whole game."""

    format: Literal["darbar-record"]
    version: Literal[1]
    game: str
    """The game's id."""
    rules: str
    rules_version: int
    options: dict[str, Any]
    """As chosen, complete with defaults. The deck stands in the event ``set-up``."""
    seats: tuple[RecordedSeat, ...]
    """In seat order, from 1."""
    turn: int
    """The time for a turn, in seconds."""
    window: int
    """The time for any other answer, in seconds."""
    commitment: str
    """What was published when the table opened: SHA-256 of ``darbar-1|game|seed``."""
    seed: str
    """The server's seed, in hexadecimal."""
    head: str
    """The head of the log's chain after its last line, in hexadecimal."""
    moves: tuple[RecordedMove, ...]
    """In the order in which they were applied."""
    events: tuple[RecordedLine, ...]


def load(written: bytes) -> Record:
    """A record from JSON. RuleViolation ``malformed`` says what is wrong with one that is none."""
    try:
        return msgspec.json.decode(written, type=Record)
    except (msgspec.DecodeError, UnicodeDecodeError) as error:
        sentence = gettext_noop("This is no record of a game: %(why)s.")
        raise RuleViolation(MALFORMED, Phrase(sentence, {"why": str(error)[:200]})) from error


def dump(record: Record) -> bytes:
    """A record as JSON: the same bytes for the same record, and lines that people can read."""
    return msgspec.json.format(msgspec.json.encode(record), indent=1) + b"\n"


def contents(lines: Iterable[Any], moves: Mapping[Any, RecordedMove]) -> Iterator[bytes]:
    """What the leaf of each line of a log is made of: the line, and with the first that a move led to, that move."""
    told = set()
    for line in lines:
        move = moves[line.move] if line.move is not None and line.move not in told else None
        told.add(line.move)
        yield chain.canonical(line) + (b"" if move is None else chain.canonical(move))


def head(record: Record) -> str:
    """The head that the lines and moves of a record make, in hexadecimal."""
    moves = {move.id: move for move in record.moves}
    made = chain.heads(bytes.fromhex(record.seed), record.commitment, contents(record.events, moves))
    return made[-1].hex()


def state_after(rules: AnyRules, record: Record, number: int) -> Any:
    """The game's own state after line ``number``; None until it is set up. It is replayed, nothing is drawn."""
    lines = record.events[:number]
    events = [line.event for line in lines if not line.event["type"].startswith(TABLE)]
    return replay(rules, (msgspec.convert(event, rules.event_type) for event in events))


def fork(rules: AnyRules, record: Record, number: int, seed: bytes = b"") -> tuple[Any, SeededChance]:
    """What if: the state after line ``number``, and a chance to go on from there with ``decide``.

    Without a ``seed`` the cards fall as they would have fallen in the game itself.
    """
    drawn = sum(len(line.draws) for line in record.events[:number])
    players = [bytes.fromhex(place.seed) for place in record.seats if place.seed]
    chance = SeededChance(seed or bytes.fromhex(record.seed), record.game, players, drawn)
    return state_after(rules, record, number), chance
