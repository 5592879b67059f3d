"""Random games to the end on one core: how many decisions a second of processor time the engine makes.

``python -m bench.engine [--games N]``: for each game of the registry the median of five runs.
"""

import argparse
import json
import statistics
import sys
import time
from collections.abc import Sequence
from random import Random
from typing import Any

from games.engine import AnyRules, Chance
from games.rules.registry import RULES

TABLES: dict[str, tuple[int, dict[str, Any]]] = {
    "coup": (6, {"inquisitor": True, "reformation": True, "anarchist": True}),
    "sedlec": (3, {}),
}
"""For each game the seats and the options that are benched: everything on."""


class QuickChance(Chance):
    """Draws from Python's own generator: quick, and good enough to measure with."""

    def __init__(self, seed: int) -> None:
        super().__init__()
        self._random = Random(seed)

    def _index(self, options: Sequence[object]) -> int:
        return int(self._random.random() * len(options))


def play(rules: AnyRules, seats: int, options: dict[str, Any], seed: int) -> int:
    """One random game to its end; gives the number of decisions."""
    chance = QuickChance(seed)
    state: Any = None
    decisions = 0
    for event in rules.setup(rules.options(**options), seats, chance):
        state = rules.evolve(state, event)
    while rules.outcome(state) is None:
        question = chance.choose(rules.questions(state))
        move = chance.choose(rules.legal_moves(state, question))
        for event in rules.decide(state, question.seat, move, chance):
            state = rules.evolve(state, event)
        decisions += 1
    return decisions


def measure(name: str, games: int) -> float:
    """Decisions a second over so many games."""
    seats, options = TABLES[name]
    began = time.process_time()
    decisions = sum(play(RULES[name], seats, options, seed) for seed in range(games))
    return decisions / (time.process_time() - began)


def main() -> int:
    """Print one line of JSON with the medians."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--games", type=int, default=200)
    chosen = parser.parse_args()
    results = {
        name: round(statistics.median(measure(name, chosen.games) for _ in range(5)))
        for name in RULES
        if name in TABLES
    }
    sys.stdout.write(json.dumps({"decisions a second": results}) + "\n")
    return 0


if __name__ == "__main__":
    sys.exit(main())
