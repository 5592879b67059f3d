"""The record of a game, and its verification: each move is decided again, and each bot is asked again.

A finished game as one JSON document, which can be stored, verified and replayed. The format has a name and a version;
``docs/record.schema.json`` is its JSON Schema, and ``docs/fairness.md`` explains its verification. The document
contains the seeds, every event and every accepted move.
"""

from collections.abc import Container, Iterable, Iterator, Mapping, Sequence
from itertools import groupby
from typing import Annotated, Any, Final, Literal

import msgspec

from games.engine import chain
from games.engine.chance import SeededChance, bot_chance
from games.engine.phrases import Phrase, gettext_noop
from games.engine.rules import AnyRules, know, replay
from games.engine.search import answer
from games.engine.types import BALANCED, NORMAL, Event, SeatNumber
from games.engine.validation import MALFORMED, RuleViolation

FORMAT: Final = "darbar-record"
VERSION: Final = 1
RESIGNATION: Final = "resign yes"
"""The notation of a resignation, in every game."""
TABLE: Final = "table."
"""The beginning of the types of events that concern the table and not the rules."""
JOINED: Final = "table.joined"
"""The type of the event by which a player or a bot sits down. A bot's event names its level and style."""
TIMEOUT: Final = "timeout"
"""The ``via`` of a move that was made because time was over."""
IMPOSSIBLE: Final = (
    RuleViolation,
    ArithmeticError,
    LookupError,
    AssertionError,
    AttributeError,
    TypeError,
    ValueError,
)
"""The errors that rules raise for a log or a move that is not possible."""


_Digits = Annotated[str, msgspec.Meta(pattern="^[0-9a-f]{64}$")]
_SeatNumber = Annotated[int, msgspec.Meta(ge=1, le=100)]
_Way = Annotated[str, msgspec.Meta(pattern="^[a-z-]{1,10}$")]
_Time = Annotated[str, msgspec.Meta(pattern=r"^2[0-9]{3}-[0-9T:.-]{5,25}Z$")]
"""RFC 3339 in UTC, from the year 2000 on."""


TRUSTS_OPERATOR: Final = "This game trusts the operator of the server: nothing kept them from choosing the cards."
PROMISED: Final = (
    "Promised seeds are mixed into the cards. A player whose own program has kept the head of the list of the deal can "
    "prove that nobody chose them."
)
BEACON: Final = (
    "The public beacon is mixed into the cards. Whoever has kept the head of the list of the deal from before its "
    "round can prove that nobody chose them."
)
MISSING: Final = (
    "The promised seeds of these seats were not revealed: %s. So this game trusts the operator of the server."
)


def trust_of(kinds: Container[str], missing: Sequence[SeatNumber]) -> str:
    """Return a sentence on the protection of a game's deal.

    ``kinds`` are the types of the events of its log. ``missing`` are the seats whose promised seeds were not revealed.
    """
    if missing:
        return MISSING % ", ".join(map(str, missing))
    if "table.beacon-published" in kinds:
        return BEACON
    return PROMISED if "table.seed-revealed" in kinds else TRUSTS_OPERATOR


class RecordedSeat(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A seat of a recorded game."""

    seat: _SeatNumber
    name: Annotated[str, msgspec.Meta(max_length=40, pattern=r"^[^\x00]*$")]
    """The player's name at the time of the export. Blank for a deleted account."""
    bot: bool
    seed: Annotated[str, msgspec.Meta(pattern="^([0-9a-f]{64})?$")]
    """The player's part of the game's chance, in hexadecimal. Blank for a bot, and for a seed that was not revealed."""


class RecordedMove(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """An accepted move."""

    id: str
    seat: _SeatNumber
    question: Annotated[str, msgspec.Meta(max_length=20, pattern=r"^[^\x00]*$")]
    """The id of the answered question. Blank for a resignation without a question."""
    move: dict[str, Any] | None
    """The move without its question. Null for a resignation."""
    text: str
    """The move in canonical notation."""
    via: _Way
    """The channel: api, mail, page, bot or timeout. The answer of a plan has the channel of the plan."""
    bot_version: int | None
    """The version of the bot. Null for a move of a person."""
    received_at: _Time
    """The time at which the move had arrived completely (RFC 3339, UTC)."""


class RecordedLine(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A line of the log: an open event and its envelope."""

    number: int
    """Counted from 1 without gaps."""
    event: dict[str, Any]
    at: _Time
    via: _Way
    seat: _SeatNumber | None
    """The seat whose move led to it."""
    move: str | None
    """The id of the move that led to it."""
    draws: tuple[tuple[int, int], ...]
    """On the first line of a decision: its draws of chance as (number of options, chosen index)."""


class RecordedStamp(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A head of the log that an authority outside has stamped with a time (RFC 3161), together with others."""

    head: _Digits
    path: tuple[Annotated[str, msgspec.Meta(pattern="^(left|right) [0-9a-f]{64}$")], ...]
    """The path from the head's leaf to the stamped root (``games.archive.time_stamps``)."""
    response: Annotated[str, msgspec.Meta(pattern="^([0-9a-f]{2})+$")]
    """The response of the authority, in hexadecimal."""


class Record(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A whole game."""

    format: Literal["darbar-record"]
    version: Literal[1]
    game: str
    """The game's id."""
    rules: str
    rules_version: int
    options: dict[str, Any]
    """The chosen options, complete with defaults. The deck is in the event ``set-up``."""
    seats: tuple[RecordedSeat, ...]
    """In seat order, from 1."""
    terms: dict[str, Any]
    """The terms of the players before the game started: limits (ISO 8601 durations), schedule, and the rest."""
    commitment: _Digits
    """The commitment published when the table opened: SHA-256 of ``darbar-2|game|seed``."""
    seed: _Digits
    """The server's seed, in hexadecimal."""
    head: _Digits
    """The head of the log's chain after its last line, in hexadecimal."""
    moves: tuple[RecordedMove, ...]
    """In the order in which they were applied."""
    events: tuple[RecordedLine, ...]
    trust: str
    """A sentence that says whether the players must trust the server's deal."""
    time_stamps: tuple[RecordedStamp, ...]
    """Sorted by time. Empty if the server asks no authority."""


class ReplayedMove(msgspec.Struct, frozen=True):
    """An accepted move in the types of the rules."""

    seat: SeatNumber
    question: str
    move: Any
    """The move as JSON, or None for a resignation."""
    timed_out: bool
    """True for the default move of a question that timed out. Its choice may have used draws."""


def load(document: bytes) -> Record:
    """Return a record from JSON. Raises RuleViolation(malformed) with the reason if it is not a valid record."""
    try:
        record = msgspec.json.decode(document, type=Record)
        if msgspec.json.format(document, indent=-1) != msgspec.json.encode(msgspec.json.decode(document)):
            raise msgspec.DecodeError("a member occurs twice, or a value is written in an unusual form")
        return record
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError) as error:
        sentence = gettext_noop("This isn’t the record of a game: %(why)s.")
        raise RuleViolation(MALFORMED, Phrase(sentence, {"why": str(error)[:200]})) from error


def dump(record: Record) -> bytes:
    """Return a record as readable JSON. The same record always gives the same bytes."""
    return msgspec.json.format(msgspec.json.encode(record), indent=1) + b"\n"


def contents(lines: Iterable[Any], moves: Mapping[Any, RecordedMove]) -> Iterator[bytes]:
    """Yield the content of each line's leaf: the line, followed by its move if it is the first line of a move."""
    recorded = set()
    for line in lines:
        move = moves[line.move] if line.move is not None and line.move not in recorded else None
        recorded.add(line.move)
        yield chain.canonical(line) + (b"" if move is None else chain.canonical(move))


def heads(record: Record) -> list[str]:
    """Return the head after each line of a record, in hexadecimal."""
    moves = {move.id: move for move in record.moves}
    digests = chain.heads(bytes.fromhex(record.seed), record.commitment, contents(record.events, moves))
    return [head.hex() for head in digests]


def state_after(rules: AnyRules, record: Record, number: int) -> Any:
    """Return the state of the rules after line ``number``, or None before the set-up. Nothing is drawn."""
    lines = record.events[:number]
    events = [line.event for line in lines if not line.event["type"].startswith(TABLE)]
    return replay(rules, (msgspec.convert(event, rules.event_type) for event in events))


def replayed_move(rules: AnyRules, move: RecordedMove) -> ReplayedMove:
    """Return a recorded move in the types of the rules. Raises ValueError if its text and its JSON differ."""
    plain = None if move.move is None else msgspec.convert({**move.move, "question": ""}, rules.move_type)
    text = RESIGNATION if plain is None else rules.text(plain)
    if (chain.canonical(plain), text) != (chain.canonical(move.move), move.text):
        raise ValueError(f"the move {move.id} is not what its text says")
    answer = None if plain is None else msgspec.structs.replace(plain, question=move.question)
    return ReplayedMove(SeatNumber(move.seat), move.question, answer, move.via == TIMEOUT)


def replay_move(
    rules: AnyRules, options: Mapping[str, Any], seats: int, state: Any, move: ReplayedMove | None, chance: SeededChance
) -> Sequence[Event]:
    """Return the events of a move, or of the set-up if ``move`` is None. Raises one of IMPOSSIBLE for an impossible
    move.
    """
    if move is None:
        return rules.setup(msgspec.convert(options, rules.option_type), seats, chance)
    if move.move is None:
        return rules.resign(state, move.seat, chance)
    if move.timed_out:
        open_question = next((candidate for candidate in rules.questions(state) if candidate.id == move.question), None)
        if open_question is None:
            raise LookupError(f"the question {move.question} was not open")
        rules.default_move(state, open_question, chance)
    return rules.decide(state, move.seat, move.move, chance)


def chance_of(record: Record, draw_count: int) -> SeededChance:
    """Return the chance of a recorded game after this number of draws."""
    mixed = [bytes.fromhex(seat.seed) for seat in record.seats if seat.seed]
    published = (line.event["signature"] for line in record.events if line.event["type"] == "table.beacon-published")
    mixed += [chain.randomness(signature) for signature in published]
    return SeededChance(bytes.fromhex(record.seed), record.game, mixed, draw_count)


__all__ = ["load", "undecided"]


def undecided(rules: AnyRules, record: Record) -> Iterator[str]:
    """Yield the faults of a record as sentences: events that do not follow from its moves."""
    moves = {move.id: move for move in record.moves}
    bots = {line.event["seat"]: line.event for line in record.events if line.event["type"] == JOINED}
    state, draw_count = None, 0
    log: list[Event] = []
    lines = (line for line in record.events if not line.event["type"].startswith(TABLE))
    for move, group in groupby(lines, key=lambda line: line.move):
        decision = list(group)
        where = f"events {decision[0].number} to {decision[-1].number}"
        chance = chance_of(record, draw_count)
        try:
            answer = None if move is None else replayed_move(rules, moves[move])
            if move is not None and not _follows_from_view(rules, record, state, moves[move], log, bots):
                yield f"the bot that decided {where} did not do so by what its seat could see"
            events = replay_move(rules, record.options, len(record.seats), state, answer, chance)
        except IMPOSSIBLE as error:
            yield f"{where} cannot be decided again: {error!r}"
            return
        if chain.canonical(events) != chain.canonical([line.event for line in decision]):
            yield f"{where} are not what the rules decide"
            return
        if [tuple(chance.draws), *[()] * (len(decision) - 1)] != [line.draws for line in decision]:
            yield f"the draws of {where} are not those that the rules make"
        state = replay(rules, events, state)
        log += events
        draw_count += len(chance.draws)
    outcome = None if state is None else rules.outcome(state)
    if outcome is None or chain.canonical(outcome.winners) != chain.canonical(record.events[-1].event.get("winners")):
        yield "the game has not come to its end, or not to this one"


def _follows_from_view(
    rules: AnyRules,
    record: Record,
    state: Any,
    move: RecordedMove,
    log: Sequence[Event],
    bots: Mapping[int, Mapping[str, Any]],
) -> bool:
    """Return whether a bot decides the same again. True for moves of people and of bots of another version."""
    if move.bot_version != rules.bot_version:
        return True
    questions = {(question.seat, question.id): question for question in rules.questions(state)}
    question = questions[SeatNumber(move.seat), move.question]
    knowledge, moves = know(rules, state, question.seat, lambda: log), rules.legal_moves(state, question)
    chance = bot_chance(bytes.fromhex(record.seed), record.game, question.id)
    joined = bots.get(move.seat, {})
    level, style = joined.get("level") or NORMAL, joined.get("style") or BALANCED
    answer_now = answer(rules, knowledge, question, moves, chance, level, style)
    return chain.canonical(msgspec.structs.replace(answer_now, question="")) == chain.canonical(move.move)
