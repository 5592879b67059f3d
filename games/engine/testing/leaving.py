"""Checks without players: default moves, bots, and resignations at every point."""

from collections.abc import Iterator
from typing import Any

from games.engine.answers.forms import is_legal
from games.engine.chance import SeededChance
from games.engine.errors import NOT_ASKED, RuleViolation
from games.engine.rules import know, replay
from games.engine.testing.playing import Decision, RandomGame
from games.engine.types import SeatNumber


def timed_out(game: RandomGame, decision: Decision) -> Iterator[str]:
    """Yield the default moves and bot moves that are not legal."""
    rules, state = game.rules, decision.after
    seed = len(game.history).to_bytes(32, "big")
    for question in rules.questions(state):
        moves = rules.legal_moves(state, question)
        default = rules.default_move(state, question, SeededChance(seed))
        if not is_legal(rules, state, question, default):
            yield f"The default move {default!r} is none of the legal answers to {question.id} (`{question.kind}`)."
        knowledge = know(rules, state, question.seat, game.log)
        answer, again = (rules.bot_move(knowledge, question, moves, SeededChance(seed)) for _ in range(2))
        if not is_legal(rules, state, question, answer):
            yield f"The bot answers {question.id} (`{question.kind}`) with {answer!r}, which is not legal."
        if answer != again:
            yield f"The bot answers {question.id} (`{question.kind}`) otherwise when it is asked again."


def resigned(game: RandomGame, decision: Decision) -> Iterator[str]:
    """Yield the faults after a resignation in this state, with any open questions."""
    if game.rules.outcome(decision.after) is not None:
        yield from _refused(game, decision.after, SeatNumber(1), "after the end")
        return
    yield from _refused(game, decision.after, SeatNumber(game.seats + 1), "of a seat that there is not")
    seat = SeatNumber(1 + len(game.history) % game.seats)
    has_resigned = any(past.move is None and past.seat == seat for past in game.history)
    try:
        events = game.rules.resign(decision.after, seat, SeededChance(bytes(32)))
    except RuleViolation as violation:
        if violation.code != NOT_ASKED:
            yield f"`resign` is refused as `{violation.code}`, and should be as `{NOT_ASKED}`."
        if any(question.seat == seat for question in game.rules.questions(decision.after)):
            yield f"Seat {seat} is asked something and may not resign."
        return
    if has_resigned:
        yield f"Seat {seat} may resign twice."
    yield from _after(game, replay(game.rules, events, decision.after), seat)


def _after(game: RandomGame, state: Any, seat: SeatNumber) -> Iterator[str]:
    questions = game.rules.questions(state)
    if game.rules.outcome(state) is None and not questions:
        yield f"After seat {seat} resigned the game is not over and waits for nobody."
    if any(question.seat == seat for question in questions):
        yield f"Seat {seat} has resigned and is still asked something."
    yield from _refused(game, state, seat, "a second time")


def _refused(game: RandomGame, state: Any, seat: SeatNumber, when: str) -> Iterator[str]:
    try:
        game.rules.resign(state, seat, SeededChance(bytes(32)))
    except RuleViolation as violation:
        if violation.code != NOT_ASKED:
            yield f"A resignation {when} is refused as `{violation.code}`, and should be as `{NOT_ASKED}`."
    else:
        yield f"A resignation {when} is accepted; it should be refused as `{NOT_ASKED}`."
