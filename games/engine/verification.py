"""Verification of a record: each move is decided again, and each bot is asked again with its seat's knowledge."""

from collections.abc import Iterator, Mapping, Sequence
from itertools import groupby
from typing import Any

import msgspec

from games.engine import chain
from games.engine.chance import bot_chance
from games.engine.record import (
    IMPOSSIBLE,
    JOINED,
    TABLE,
    Record,
    RecordedMove,
    chance_of,
    load,
    replay_move,
    replayed_move,
)
from games.engine.rules import AnyRules, know, replay
from games.engine.search import answer
from games.engine.types import BALANCED, NORMAL, Event, SeatNumber

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
