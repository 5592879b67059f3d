"""Search for any game: worlds that a seat may be in, and what comes of each of its moves there.

A world is drawn as likely as what the seat was shown makes it. In each world every move is played and rolled out by a
quick player. The moves that did worse are dropped, and the roll-outs that are left go to the others, so that close
calls get most of them. Once one move is clearly the best, no more is looked at. All moves meet the same worlds, so that
differences have smaller errors than the moves.
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
"""After so many steps a roll-out is broken off."""
LEAST: Final = 4
"""The least number of roll-outs before a move is dropped."""
LOT: Final = 20
"""After each lot of so many worlds the moves that are clearly worse are dropped."""
CLEARLY: Final = 0.05
"""A move is clearly worse by more than this of the game..."""
ERRORS: Final = 4.0
"""... and by more than so many times the error of that. It meets no more worlds; a level with much heat may still draw
it."""


class QuickChance(Chance):
    """Draws that follow from a number, quick, for roll-outs: SplitMix64. Nobody sees them, so none is noted."""

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
    """A move and what came of it."""

    move: Move
    shares: list[float] = msgspec.field(default_factory=list)
    """The part of the game that it left its player, in each world in turn."""

    @property
    def mean(self) -> float:
        """The part of the game that it leaves, on average."""
        return sum(self.shares) / len(self.shares)

    def better_than(self, other: "Weighed") -> tuple[float, float]:
        """Return by how much it is better than another move, and the error of that; both met the same worlds."""
        pairs = [a - b for a, b in zip(self.shares, other.shares, strict=False)]
        mean = sum(pairs) / len(pairs)
        spread = sum((each - mean) ** 2 for each in pairs) / max(1, len(pairs) - 1)
        return mean, sqrt(spread / len(pairs))

    def clearly_better_than(self, other: "Weighed") -> bool:
        """Return whether more roll-outs will hardly make the other move the better one."""
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
    """Return every move with what came of it, those that were looked at the longest first, the best first."""
    quick = QuickChance(chance.choose(range(1 << 62)))
    habits = rules.search.habits(events, question.seat)
    alive = [Weighed(move) for move in moves]
    done: list[Weighed] = []
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
            done = worse + done
            if len(alive) == 1:
                return alive + done
        keep = max(2, (len(alive) + 1) // 2)
        done = alive[keep:] + done
        alive = alive[:keep]
    return alive + done


def _rounds(moves: int, rollouts: int) -> list[int]:
    """Return how many worlds each round looks at, while the moves become half as many after each."""
    rounds = max(1, (moves - 1).bit_length())
    return [max(LEAST, rollouts // rounds // max(2, -(-moves >> each))) for each in range(rounds)]


def roll_out(
    rules: AnyRules,
    state: Any,
    question: Question,
    move: Move,
    chance: Chance,
    habits: Any,
    step: Callable[[Any, Any, Chance, Any], Any] | None = None,
) -> float:
    """Return the share of the game that a seat has some turns after its move; ``step`` plays on, or the game's own."""
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
