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
from collections.abc import Iterable
from pathlib import Path
from typing import Final

from bench.bench_database import bench_database  # first of all: it says where everything is

# isort: split
from django.db import connection
from django.utils import timezone

from bench import emails, game_copies, http_moves, idle_server, limit, moves, notifications, storage, timeouts
from bench.measure import Row
from config.processes import memory

PARTS: Final = ("moves", "doors", "two", "windows", "sweep", "notifications", "emails", "storage", "quiet")
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
    match part:
        case "moves":
            return moves.rows(people, 400 if quick else 1600)
        case "doors":
            return http_moves.rows(people, 200 if quick else 1000)
        case "two":
            return http_moves.rows_of_two(people, 100 if quick else 500)
        case "windows":
            return timeouts.rows_of_windows(people, 1000 if quick else 10_000)
        case "sweep":
            return timeouts.rows_of_sweep(people, 1_000_000 if million else 10_000 if quick else 100_000)
        case "notifications":
            return notifications.rows(people, 1000 if quick else 10_000)
        case "emails":
            return emails.rows(people, 15 if quick else 60)
        case "storage":
            return storage.rows(10 if quick else 40)
    return idle_server.rows(10 if quick else 60)


def main() -> None:
    """Measure what is wanted; every part on a database of its own."""
    asked = arguments()
    signal.signal(signal.SIGTERM, signal.default_int_handler)  # what was started is ended too
    found: list[Row] = []
    for part in asked.parts or PARTS:
        began = time.monotonic()
        with bench_database():
            limit.prepare()
            people = game_copies.cast(400, timezone.now())
            memory.freeze_modules()  # as the processes do whose work it is
            for row in measured(part, people, asked.quick, asked.million):
                found.append(row)
                print(row.told(), flush=True)
            version = connection.pg_version  # type: ignore[attr-defined]  # PostgreSQL's alone
        print(f"  ({part}: {time.monotonic() - began:.0f} s)", file=sys.stderr)
    asked.json.parent.mkdir(parents=True, exist_ok=True)
    where = {"python": platform.python_version(), "postgresql": version, "machine": platform.machine()}
    asked.json.write_text(json.dumps({"on": where, "rows": [row.kept() for row in found]}, indent=1) + "\n")
    print(f"{sum(row.reached for row in found)} of {len(found)} are reached; all of it: {asked.json}")


if __name__ == "__main__":
    main()
