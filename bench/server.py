"""Measures the speed of the server, compared with that of PostgreSQL itself: ``python -m bench.server``.

Prints a table and writes all results as JSON. ``--quick`` uses smaller numbers and takes a minute or two. ``--million``
searches a million open games for due questions, and needs a few minutes more to create them.
"""

import argparse
import json
import platform
import signal
import sys
import time
from collections.abc import Callable, Iterable, Mapping
from dataclasses import asdict
from pathlib import Path
from typing import Final

from bench.bench_database import bench_database  # must be imported first: it sets the environment of Django

# isort: split
from django.db import connection
from django.utils import timezone

from bench import (
    delays,
    emails,
    game_copies,
    http_moves,
    idle_server,
    limit,
    moves,
    timeouts,
)
from bench.measure import Row
from config.core import processes

Part = Callable[[list[int], int], Iterable[Row]]
PARTS: Final[Mapping[str, tuple[Part, int, int]]] = {
    "moves": (moves.rows, 1600, 400),
    "doors": (http_moves.rows, 1000, 200),
    "sweep": (timeouts.rows_of_sweep, 100_000, 10_000),
    "emails": (emails.rows, 60, 15),
    "delays": (delays.rows, 300, 100),
    "quiet": (lambda _, seconds: idle_server.rows(seconds), 60, 10),
}
"""The parts: a function, the number of games, moves or seconds that it gets, and that number with ``--quick``."""
MILLION: Final = 1_000_000
RESULTS: Final = Path(__file__).parent / "results" / "server.json"


def arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="python -m bench.server", description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("parts", nargs="*", choices=[*PARTS, []], metavar="part", help=" ".join(PARTS))
    parser.add_argument("--quick", action="store_true", help="smaller numbers")
    parser.add_argument("--million", action="store_true", help="a million open games for the sweep, else 100,000")
    parser.add_argument("--json", type=Path, default=RESULTS, help="where the results are written")
    return parser.parse_args()


def measured(part: str, people: list[int], quick: bool, million: bool) -> Iterable[Row]:
    """Return the rows of one part."""
    rows, usual_number, quick_number = PARTS[part]
    return rows(people, MILLION if million and part == "sweep" else quick_number if quick else usual_number)


def main() -> None:
    """Measure the parts that the command line names, each on a new database."""
    options = arguments()
    signal.signal(
        signal.SIGTERM, signal.default_int_handler
    )  # so that ``finally`` ends the processes that were started
    results: list[Row] = []
    for part in options.parts or PARTS:
        began = time.monotonic()
        with bench_database():
            limit.prepare()
            people = game_copies.cast(400, timezone.now())
            processes.freeze_modules()  # as the web server and the workers do when they start
            for row in measured(part, people, options.quick, options.million):
                results.append(row)
                print(row.line(), flush=True)
            version = connection.pg_version  # type: ignore[attr-defined]  # only PostgreSQL's connection has this attribute
        print(f"  ({part}: {time.monotonic() - began:.0f} s)", file=sys.stderr)
    options.json.parent.mkdir(parents=True, exist_ok=True)
    machine = {"python": platform.python_version(), "postgresql": version, "machine": platform.machine()}
    options.json.write_text(json.dumps({"on": machine, "rows": [asdict(row) for row in results]}, indent=1) + "\n")
    print(f"{sum(row.reached for row in results)} of {len(results)} bounds are reached. All results: {options.json}")


if __name__ == "__main__":
    main()
