"""Boards drawn as PNG for mail: milliseconds of processor time for a new picture, and for one drawn before.

``python -m bench.pictures``: medians over boards of random games of every title that has a table in ``bench.engine``.
"""

import os
import statistics
import time
from collections.abc import Callable, Iterator
from functools import partial
from itertools import islice
from typing import Final

import django

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings")
django.setup()

from bench.engine import TABLES, play  # noqa: E402  (what follows translates)
from bench.measure import Row, at_most  # noqa: E402
from games.engine import SeatNumber  # noqa: E402
from games.rules.registry import RULES  # noqa: E402
from games.visibility.picture import KEPT, drawn, png  # noqa: E402

BOARDS: Final = KEPT // 4
"""The number of boards of each title: fewer than are kept."""

LIMIT: Final = 3
"""The milliseconds a picture may take; the aim is one."""


def boards(name: str) -> Iterator[str]:
    """Yield what the first seat sees on different boards of one title, as SVG."""
    rules, (seats, options) = RULES[name], TABLES[name]
    names = {SeatNumber(seat): f"Player {seat}" for seat in range(1, seats + 1)}
    for state in play(rules, seats, options, 1):
        svg = drawn(rules, rules.view(state, SeatNumber(1)), names, "en")
        assert svg is not None
        yield svg


def milliseconds(work: Callable[[], object]) -> float:
    """Return the processor time that some work takes."""
    began = time.process_time()
    work()
    return (time.process_time() - began) * 1000


def rows() -> Iterator[Row]:
    """Measure each board twice: first drawn, then found."""
    for name in TABLES:
        found = list(islice(dict.fromkeys(boards(name)), BOARDS))
        for which in ("new", "drawn before"):
            cost = statistics.median(milliseconds(partial(png, svg)) for svg in found)
            what = f"picture of a board of {name}, {which}"
            yield at_most(what, "ms", "the limit", (cost, LIMIT, cost / LIMIT), 1, 1 / LIMIT)


def main() -> None:
    """Print the rows."""
    for row in rows():
        print(row.told())


if __name__ == "__main__":
    main()
