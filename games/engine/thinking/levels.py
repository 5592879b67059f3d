"""Levels and styles of bots: parameters that are chosen for each seat.

A bot of a lower level answers with the game's ``bot_move``. A bot of a higher level searches. The answer follows from
the events that its seat was shown, its view, its level and style, and its own chance.
"""

from collections.abc import Mapping, Sequence
from math import exp
from typing import Any, Final

import msgspec

from games.engine.answers.forms import any_answer, fillable
from games.engine.chance import Chance
from games.engine.rules import AnyRules, same_world
from games.engine.thinking.names import BALANCED, NORMAL
from games.engine.thinking.search import Weighed, weigh
from games.engine.types import Event, Knowledge, Move, Question

FINE: Final = 10_000
"""The number of parts into which probabilities are divided."""
MARGIN: Final = 0.05
"""The advantage that a bot without search assumes for its move, so that its style can outweigh it."""
HEAT: Final = 0.01
"""The heat of that choice."""


class Level(msgspec.Struct, frozen=True):
    """The strength of a bot."""

    slips: int = 0
    """The number of answers in a hundred that are random legal moves."""
    rollouts: int = 0
    """The approximate number of roll-outs for an answer. 0 for a bot without search."""
    heat: float = 0.0
    """A move that is worse by this share of the game is drawn e times less often, so that the bot
    is not predictable."""


LEVELS: Final[Mapping[str, Level]] = {
    "easy": Level(slips=15),
    NORMAL: Level(),
    "strong": Level(rollouts=120, heat=0.035),
    "master": Level(rollouts=600, heat=0.004),
}
"""The levels by name, the weakest first. Who changes one raises the ``bot_version`` of each game."""


def answer(
    rules: AnyRules,
    knowledge: Knowledge[Any, Event],
    question: Question,
    moves: Sequence[Move],
    chance: Chance,
    level: str = NORMAL,
    style: str = BALANCED,
) -> Move:
    """Return the answer of a bot of this level and style: one of ``moves``, or a filled-in form.

    A question with forms is always answered by the game's own bot, because only it knows which answers are worth
    trying.
    """
    forms = fillable(rules.forms(knowledge.view, question))
    if len(moves) == 1 and not forms:
        return moves[0]
    setting = LEVELS[level]
    if setting.slips and chance.choose(range(100)) < setting.slips:
        return any_answer(moves, forms, question, chance)
    if forms:
        return rules.bot_move(knowledge, question, moves, chance)  # type: ignore[no-any-return]
    if searches(rules, question, level):
        rollouts = round(setting.rollouts * rules.search.effort)
        weighed = weigh(rules, knowledge.events(), question, moves, chance, rollouts)
        return pick(rules, knowledge, weighed, chance, setting.heat * rules.search.heat(knowledge.view), style)
    choice: Move = rules.bot_move(knowledge, question, moves, chance)
    if style == BALANCED:
        return choice
    weighed = [Weighed(move, [0.0 if move == choice else -MARGIN]) for move in moves]
    return pick(rules, knowledge, weighed, chance, HEAT, style)


def searches(rules: AnyRules, question: Question, level: str) -> bool:
    """Return whether a bot of this level thinks ahead about such a question, which may take seconds."""
    return bool(LEVELS[level].rollouts) and rules.worlds is not same_world and question.kind not in rules.search.leaves


def pick(
    rules: AnyRules,
    knowledge: Knowledge[Any, Event],
    weighed: Sequence[Weighed],
    chance: Chance,
    heat: float,
    style: str,
) -> Move:
    """Draw one of the moves with the most roll-outs. Better moves are likelier."""
    finalists = [candidate for candidate in weighed if len(candidate.shares) == len(weighed[0].shares)]
    worth = [finalist.mean + rules.search.fondness(style, knowledge, finalist.move) for finalist in finalists]
    weights = [exp((value - max(worth)) / heat) for value in worth]
    spot = chance.choose(range(FINE)) / FINE * sum(weights)
    for member, weight in zip(finalists, weights, strict=True):
        spot -= weight
        if spot < 0:
            return member.move
    return finalists[0].move
