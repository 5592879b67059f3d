"""Measures how fast the server is, beside the limits of what it stands on: ``python -m bench.server``.

Prints a table and writes everything as JSON. ``--quick`` takes smaller numbers and a minute or two; ``--million`` looks
for what is due among a million open games, which takes a few minutes more to set up.
"""

import argparse
import json
import platform
import signal
import sys
import time
from collections.abc import Callable, Iterable, Mapping
from pathlib import Path
from typing import Final

from bench.bench_database import bench_database  # first of all: it says where everything is

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
"""Each part with how many games, moves or seconds it takes, and how many with ``--quick``."""
MILLION: Final = 1_000_000
RESULTS: Final = Path(__file__).parent / "results" / "server.json"


def arguments() -> argparse.Namespace:
    """Return what the command line says."""
    parser = argparse.ArgumentParser(prog="python -m bench.server", description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("parts", nargs="*", choices=[*PARTS, []], metavar="part", help=" ".join(PARTS))
    parser.add_argument("--quick", action="store_true", help="smaller numbers")
    parser.add_argument("--million", action="store_true", help="a million open games for the sweep, else 100,000")
    parser.add_argument("--json", type=Path, default=RESULTS, help="where the results are written")
    return parser.parse_args()


def measured(part: str, people: list[int], quick: bool, million: bool) -> Iterable[Row]:
    """The rows of one part."""
    rows, many, few = PARTS[part]
    return rows(people, MILLION if million and part == "sweep" else few if quick else many)


def main() -> None:
    """Measure what is wanted; every part on a database of its own."""
    options = arguments()
    signal.signal(signal.SIGTERM, signal.default_int_handler)  # what was started is ended too
    results: list[Row] = []
    for part in options.parts or PARTS:
        began = time.monotonic()
        with bench_database():
            limit.prepare()
            people = game_copies.cast(400, timezone.now())
            processes.freeze_modules()  # as the processes do whose work it is
            for row in measured(part, people, options.quick, options.million):
                results.append(row)
                print(row.told(), flush=True)
            version = connection.pg_version  # type: ignore[attr-defined]  # PostgreSQL's alone
        print(f"  ({part}: {time.monotonic() - began:.0f} s)", file=sys.stderr)
    options.json.parent.mkdir(parents=True, exist_ok=True)
    where = {"python": platform.python_version(), "postgresql": version, "machine": platform.machine()}
    options.json.write_text(json.dumps({"on": where, "rows": [row.kept() for row in results]}, indent=1) + "\n")
    print(f"{sum(row.reached for row in results)} of {len(results)} are reached; all of it: {options.json}")


if __name__ == "__main__":
    main()
