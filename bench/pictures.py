"""Boards drawn as PNG for mail: milliseconds of processor time for the first pictures of a process, for new ones once
it has drawn some, and for those drawn before.

``python -m bench.pictures``: medians over boards of random games of every title that has a table in ``bench.engine``.
"""

import os
import statistics
import time
from collections.abc import Callable, Iterator
from functools import partial
from itertools import chain, islice
from typing import Final

import django

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings")
django.setup()

from bench.engine import TABLES, play  # noqa: E402  (what follows translates)
from bench.measure import Row, at_most  # noqa: E402
from games.engine import SeatNumber  # noqa: E402
from games.rules.registry import RULES  # noqa: E402
from games.visibility.picture import CACHED, draw, png  # noqa: E402

BOARDS: Final = CACHED // 4
"""The number of boards of each game: fewer than are kept."""

GAMES: Final = 12
"""The games whose boards are drawn."""

LIMIT: Final = 3
"""The milliseconds a picture may take; the aim is one."""


def boards(name: str, seed: int) -> Iterator[str]:
    """Yield what the first seat sees on the boards of a game of one title, as SVG."""
    rules, (seats, options) = RULES[name], TABLES[name]
    names = {SeatNumber(seat): f"Player {seat}" for seat in range(1, seats + 1)}
    for state in play(rules, seats, options, seed):
        svg = draw(rules, rules.view(state, SeatNumber(1)), names, "en")
        assert svg is not None
        yield svg


def milliseconds(work: Callable[[], object]) -> float:
    """Return the processor time that some work takes."""
    began = time.process_time()
    work()
    return (time.process_time() - began) * 1000


def rows() -> Iterator[Row]:
    """Measure boards of different games: of the first one, and twice of the last one."""
    for name in TABLES:
        games = [list(islice(dict.fromkeys(boards(name, seed)), BOARDS)) for seed in range(GAMES)]
        kinds = {"first of a process": games[0], "new": games[-1], "drawn before": games[-1]}
        for which, found in kinds.items():
            cost = statistics.median(milliseconds(partial(png, svg)) for svg in found)
            what = f"picture of a board of {name}, {which}"
            yield at_most(what, "ms", "the limit", (cost, LIMIT, cost / LIMIT), 1, 1 / LIMIT)
            if found is games[0]:
                for svg in chain.from_iterable(games[1:-1]):
                    png(svg)


def main() -> None:
    """Print the rows."""
    for row in rows():
        print(row.told())


if __name__ == "__main__":
    main()
