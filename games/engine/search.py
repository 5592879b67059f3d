"""Bots that think ahead: possible worlds for a seat, the result of each of its moves in them, and levels and styles.

A world is drawn with the probability that follows from the events shown to the seat. In each world every move is
played, and a quick player rolls the game out. The moves with bad results are dropped, and the remaining roll-outs go to
the others, so that close decisions get most of them. The search ends early when one move is clearly the best. All moves
meet the same worlds, which makes the errors of differences smaller.
"""

from collections.abc import Mapping, Sequence
from itertools import islice
from math import exp, sqrt
from typing import Any, Final

import msgspec

from games.engine.chance import Chance
from games.engine.forms import any_answer, fillable
from games.engine.rules import AnyRules, play, same_world
from games.engine.types import BALANCED, NORMAL, Event, Knowledge, Move, Question

MASK: Final = (1 << 64) - 1
ENDLESS: Final = 2000
"""The number of steps after which a roll-out is stopped."""
LEAST: Final = 4
"""The lowest number of roll-outs before a move is dropped."""
LOT: Final = 20
"""The number of worlds between two checks for clearly worse moves."""
CLEARLY: Final = 0.05
"""A move is clearly worse by more than this share of the game..."""
ERRORS: Final = 4.0
"""... and by more than this multiple of its error. It is not tried in further worlds, but a level with much
randomness may still choose it."""


class QuickChance(Chance):
    """Fast draws from a number for roll-outs, by SplitMix64. They are not recorded."""

    def __init__(self, seed: int) -> None:
        super().__init__()
        self._at = seed & MASK

    def choose(self, options: Sequence[Any]) -> Any:
        return options[self._index(options)]

    def take(self, options: Sequence[Any], count: int) -> tuple[Any, ...]:
        rest = [*options]
        return tuple([rest.pop(self._index(rest)) for _ in range(count)])

    def _index(self, options: Sequence[object]) -> int:
        self._at = at = (self._at + 0x9E3779B97F4A7C15) & MASK
        at = ((at ^ (at >> 30)) * 0xBF58476D1CE4E5B9) & MASK
        at = ((at ^ (at >> 27)) * 0x94D049BB133111EB) & MASK
        return ((at ^ (at >> 31)) * len(options)) >> 64


class Weighed(msgspec.Struct):
    """A move and its results."""

    move: Move
    shares: list[float] = msgspec.field(default_factory=list)
    """The share of the game after the move, in each world in order."""

    @property
    def mean(self) -> float:
        """Return the average share of the game."""
        return sum(self.shares) / len(self.shares)

    def better_than(self, other: "Weighed") -> tuple[float, float]:
        """Return the advantage over another move, with its error. Both met the same worlds."""
        pairs = [a - b for a, b in zip(self.shares, other.shares, strict=False)]
        mean = sum(pairs) / len(pairs)
        spread = sum((pair - mean) ** 2 for pair in pairs) / max(1, len(pairs) - 1)
        return mean, sqrt(spread / len(pairs))

    def clearly_better_than(self, other: "Weighed") -> bool:
        """Return whether more roll-outs are unlikely to make the other move better."""
        gain, error = self.better_than(other)
        return len(self.shares) >= LOT and gain > max(CLEARLY, ERRORS * error)


def weigh(
    rules: AnyRules,
    events: Sequence[Event],
    question: Question,
    moves: Sequence[Move],
    chance: Chance,
    rollouts: int,
) -> list[Weighed]:
    """Return every move with its results: first the moves with the most roll-outs, the best first."""
    quick = QuickChance(chance.choose(range(1 << 62)))
    habits = rules.search.habits(events, question.seat)
    alive = [Weighed(move) for move in moves]
    dropped: list[Weighed] = []
    sizes = _rounds(len(moves), rollouts)
    worlds = iter(rules.search.worlds(rules, events, question.seat, quick, sum(sizes)))
    for size in sizes:
        for lot in [*[LOT] * (size // LOT), size % LOT]:
            for world in islice(worlds, lot):
                luck = quick.choose(range(1 << 62))
                for weighed in alive:
                    weighed.shares.append(roll_out(rules, world, question, weighed.move, QuickChance(luck), habits))
            alive.sort(key=lambda weighed: -weighed.mean)
            worse = [weighed for weighed in alive if alive[0].clearly_better_than(weighed)]
            alive = [weighed for weighed in alive if weighed not in worse]
            dropped = worse + dropped
            if len(alive) == 1:
                return alive + dropped
        keep = max(2, (len(alive) + 1) // 2)
        dropped = alive[keep:] + dropped
        alive = alive[:keep]
    return alive + dropped


def _rounds(moves: int, rollouts: int) -> list[int]:
    """Return the number of worlds in each round. Half of the moves are dropped after each round."""
    rounds = max(1, (moves - 1).bit_length())
    return [max(LEAST, rollouts // rounds // max(2, -(-moves >> number))) for number in range(rounds)]


def roll_out(
    rules: AnyRules,
    state: Any,
    question: Question,
    move: Move,
    chance: Chance,
    habits: Any,
    further: int = 1,
) -> float:
    """Return a seat's share of the game some turns after its move. ``further`` multiplies their number."""
    seat, turns, search = question.seat, 0, rules.search
    horizon = further * search.horizon(state)
    _, state = play(rules, state, seat, move, chance)
    for _ in range(ENDLESS):
        outcome = rules.outcome(state)
        if outcome is not None:
            return (seat in outcome.winners) / max(1, len(outcome.winners))
        if horizon and rules.questions(state)[0].kind == "turn":
            turns += 1
            if turns > horizon:
                break
        state = search.step(rules, state, chance, habits)
    return search.share(state, seat) if search.share is not None else 0.0


def state_at_next_turn(rules: AnyRules, state: Any, question: Question, move: Move, chance: Chance, habits: Any) -> Any:
    """Return the state when it is the seat's turn again, or at the end of the game."""
    _, state = play(rules, state, question.seat, move, chance)
    for _ in range(ENDLESS):
        if rules.outcome(state) is not None:
            break
        next_question = rules.questions(state)[0]
        if next_question.kind == "turn" and next_question.seat == question.seat:
            break
        state = rules.search.step(rules, state, chance, habits)
    return state


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
    "strong": Level(rollouts=300, heat=0.035),
    "master": Level(rollouts=1000, heat=0.004),
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
