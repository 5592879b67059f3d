"""Search for any game: possible worlds for a seat, and the result of each of its moves in them.

A world is drawn with the probability that follows from the events shown to the seat. In each world every move is
played, and a quick player rolls the game out. The moves with bad results are dropped, and the remaining roll-outs go to
the others, so that close decisions get most of them. The search ends early when one move is clearly the best. All moves
meet the same worlds, which makes the errors of differences smaller.
"""

from collections.abc import Callable, Sequence
from itertools import islice
from math import sqrt
from typing import Any, Final

import msgspec

from games.engine.chance import Chance
from games.engine.rules import AnyRules, play
from games.engine.types import Event, Move, Question

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
    step: Callable[[Any, Any, Chance, Any], Any] | None = None,
) -> float:
    """Return a seat's share of the game some turns after its move. ``step`` continues the game."""
    seat, turns, search = question.seat, 0, rules.search
    step = step or search.step
    _, state = play(rules, state, seat, move, chance)
    for _ in range(ENDLESS):
        outcome = rules.outcome(state)
        if outcome is not None:
            return (seat in outcome.winners) / max(1, len(outcome.winners))
        if search.share is not None and rules.questions(state)[0].kind == "turn":
            turns += 1
            if turns > search.horizon:
                break
        state = step(rules, state, chance, habits)
    return search.share(state, seat) if search.share is not None else 0.0
