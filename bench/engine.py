"""Random games on one core: decisions and parsed moves for a second of processor time, and the cost of a view.

``python -m bench.engine [--games N]`` prints the medians of five runs for each game in ``TABLES``, and writes them as
JSON.
"""

import argparse
import json
import platform
import statistics
import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import asdict
from functools import partial
from pathlib import Path
from random import Random
from typing import Any, Final

from bench.measure import TIMES, Row, at_least, at_most
from config.core import processes
from games.engine import AnyRules, Chance, SeatNumber, replay
from games.engine import play as advance
from games.rules.registry import RULES

TABLES: Final[dict[str, tuple[int, dict[str, Any]]]] = {
    "coup": (6, {"inquisitor": True, "reformation": True, "anarchist": True}),
    "sedlec": (3, {}),
}
"""The number of seats and the options of each game: all expansions are on."""

DECISIONS: Final = (60_000, 250_000)
"""The decisions a second that must be reached, and those aimed at."""

PARSED: Final = (75_000, 150_000)
"""The moves a second that must be parsed and written, and those aimed at."""

NAMES: Final = {name: SeatNumber(seat) for seat, name in enumerate(["maryam", "sepideh", "bahareh", "kaveh"], 1)}
"""The folded names of the players, which the parser of moves needs."""

VIEW: Final = (30, 10)
"""The maximum number of microseconds for a view, and the number aimed at."""

RESULTS: Final = Path(__file__).parent / "results" / "engine.json"


class QuickChance(Chance):
    """A source of chance with little overhead, so that mainly the engine is measured."""

    def __init__(self, luck: Callable[[], float]) -> None:
        super().__init__()
        self._luck = luck

    def _index(self, options: Sequence[object]) -> int:
        return int(self._luck() * len(options))


def play(rules: AnyRules, seats: int, options: dict[str, Any], seed: int) -> Iterator[Any]:
    """Play a random game to its end, and yield the state before each decision."""
    luck = Random(seed).random
    chance = QuickChance(luck)
    state = replay(rules, rules.setup(rules.options(**options), seats, chance))
    while questions := rules.questions(state):
        yield state
        question = questions[int(luck() * len(questions))]
        moves = rules.legal_moves(state, question)
        move = moves[int(luck() * len(moves))]
        _, state = advance(rules, state, question.seat, move, chance)


def decisions_a_second(name: str, seeds: range) -> float:
    """Return the decisions a second in whole games."""
    rules, (seats, options) = RULES[name], TABLES[name]
    began = time.process_time()
    decisions = sum(1 for seed in seeds for _ in play(rules, seats, options, seed))
    return decisions / (time.process_time() - began)


def moves_parsed_a_second(name: str, seeds: range) -> float:
    """Return the moves a second that are parsed from their canonical text and written again."""
    rules, (seats, options) = RULES[name], TABLES[name]
    luck = Random(seeds.start)
    cases = []
    for seed in seeds:
        for state in play(rules, seats, options, seed):
            question = luck.choice(rules.questions(state))
            cases.append((state, question, rules.text(luck.choice(rules.legal_moves(state, question)))))
    began = time.process_time()
    for state, question, text in cases:
        rules.text(rules.parse(state, question, text, NAMES))
    return len(cases) / (time.process_time() - began)


def microseconds_a_view(name: str, seeds: range) -> float:
    """Return the mean time that the first seat's view of a state takes, over the states of random games."""
    rules, (seats, options) = RULES[name], TABLES[name]
    states = [state for seed in seeds for state in play(rules, seats, options, seed)]
    began = time.process_time()
    for state in states:
        rules.view(state, SeatNumber(1))
    return (time.process_time() - began) / len(states) * 1_000_000


def against(limit: float, measured: Callable[[range], float], games: int) -> tuple[float, float, float]:
    """Return the median of several runs, the limit, and their ratio. Every run plays other games."""
    median = statistics.median(measured(range(games * run, games * (run + 1))) for run in range(TIMES))
    return median, limit, median / limit


def rows(games: int = 200) -> list[Row]:
    """Return the rows of all measurements."""
    least, better = DECISIONS
    most, fewer = VIEW
    rows = []
    for name, (seats, _) in TABLES.items():
        title = f"decisions in random games of {name}, {seats} seats, one core"
        speed = against(least, partial(decisions_a_second, name), games)
        rows.append(at_least(title, "a second", "the limit", speed, 1, better / least))
    least, better = PARSED
    for name in TABLES:
        speed = against(least, partial(moves_parsed_a_second, name), games // 10)
        rows.append(at_least(f"parse and text of a move of {name}", "a second", "the limit", speed, 1, better / least))
    title = f"one seat's view of coup, {TABLES['coup'][0]} seats"
    cost = against(most, partial(microseconds_a_view, "coup"), games // 10)
    return [*rows, at_most(title, "µs", "the limit", cost, 1, fewer / most)]


def main() -> None:
    """Print the rows and write them as JSON."""
    parser = argparse.ArgumentParser(prog="python -m bench.engine", description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--games", type=int, default=200, help="the number of games in a run")
    parser.add_argument("--json", type=Path, default=RESULTS, help="where the results are written")
    options = parser.parse_args()
    processes.freeze_modules()  # as the web server and the workers do when they start
    results = rows(options.games)
    for row in results:
        print(row.line())
    options.json.parent.mkdir(parents=True, exist_ok=True)
    machine = {"python": platform.python_version(), "machine": platform.machine()}
    options.json.write_text(json.dumps({"on": machine, "rows": [asdict(row) for row in results]}, indent=1) + "\n")


if __name__ == "__main__":
    main()
