"""Games of Coup by post with people who take up more or less of what the server offers: how many days they take.

``python -m bench.pace [--games N] [--uptake 0 20 60 95] [--processes P] [--players 3 5 8] [--minutes M]
[--keep]``. With ``--keep`` the figures go into ``docs/pace.json`` and the tables of ``docs/pace.md``.
"""

import argparse
import json
import multiprocessing
import os
import shutil
import signal
import sys
import time
from collections.abc import Collection, Iterator, Sequence
from pathlib import Path
from random import Random
from typing import Any, Final, NamedTuple

from django.conf import settings
from django.db import connections

from bench.pace.course import Course
from bench.pace.figures import all_figures, outcome, summary, tables
from bench.pace.match import Match
from bench.pace.protocols import NAIVE, PROTOCOLS, UPTAKE
from bench.pace.server import VirtualServer
from config.server.postgres import DATABASE, Server
from config.server.prepare import prepare_database

PLAYERS: Final = (3, 5, 8)
HASTY: Final = ("fsync=off", "full_page_writes=off", "synchronous_commit=off", "max_connections=40")
"""Nothing in these databases needs to outlive anything."""
DOCS: Final = Path(__file__).parent.parent.parent / "docs"
BEGIN: Final = "<!-- written by python -m bench.pace --keep -->\n"
END: Final = "<!-- to here -->\n"


class Job(NamedTuple):
    """A game that is to be played. The same number has the same people at the same hours in every protocol."""

    protocol: str
    seats: int
    number: int


def jobs(games: int, players: Sequence[int], uptake: Collection[int] = tuple(UPTAKE)) -> list[Job]:
    """Return the games to play: as many of the naive way as of each uptake."""
    protocols = (NAIVE, *(UPTAKE[percent] for percent in uptake))
    expected = [
        Job(protocol.name, seats, number) for protocol in protocols for seats in players for number in range(games)
    ]
    return sorted(expected, key=lambda job: (job.number, -job.seats))


def play(part: int, expected: Any, results: Any) -> None:
    """Play one game after another in this process, on a database of its own, until None is met."""
    signal.signal(signal.SIGTERM, signal.SIG_DFL)
    connections["default"].settings_dict["NAME"] = database(part)
    server, protocols = VirtualServer(), {protocol.name: protocol for protocol in PROTOCOLS}
    for job in iter(expected.get, None):
        luck = Random(f"{job.seats}/{job.number}")
        results.put(Match(server, protocols[job.protocol], job.seats, luck).play())
    server.close()


def database(part: int) -> str:
    """The database of a process."""
    return f"pace_{part}"


def courses(processes: int, expected: Sequence[Job], until: float) -> Iterator[Course]:
    """The games as they come to their ends, as many as do until a moment of ``time.monotonic``.

    RuntimeError where a process has failed: its traceback was written.
    """
    context = multiprocessing.get_context("fork")
    waiting, results = context.Queue(), context.Queue()
    for job in (*expected, *[None] * processes):
        waiting.put(job)
    children = [context.Process(target=play, args=(part, waiting, results)) for part in range(processes)]
    for child in children:
        child.start()
    try:
        for _ in expected:
            while results.empty():
                if any(child.exitcode for child in children):
                    raise RuntimeError("a process of the bench has failed")
                if time.monotonic() > until:
                    return
                time.sleep(0.1)
            yield results.get()
    finally:
        for child in children:
            child.terminate()
            child.join()


def played(processes: int, expected: Sequence[Job], minutes: float) -> list[Course]:
    """Play the games, on an embedded server of their own, as far as the time allows."""
    seat, finished, began = settings.EMBEDDED_DATABASE, [], time.monotonic()
    with Server(seat, *HASTY):
        prepare_database()
        with seat.administer() as admin:
            for part in range(processes):
                admin.execute(f"CREATE DATABASE {database(part)} OWNER {DATABASE} TEMPLATE {DATABASE}")
        for course in courses(processes, expected, began + 60 * minutes):
            finished.append(course)
            if len(finished) % max(1, len(expected) // 20) == 0:
                left = (time.monotonic() - began) * (len(expected) / len(finished) - 1)
                print(f"{len(finished)} of {len(expected)} games, about {left / 60:.0f} minutes left", file=sys.stderr)
    return finished


def keep(results: dict[str, Any]) -> None:
    """Write the figures down where they are read."""
    (DOCS / "pace.json").write_text(json.dumps(results, indent=1) + "\n")
    before, _, rest = (DOCS / "pace.md").read_text().partition(BEGIN)
    text = f"\n{tables(results)}\n"
    (DOCS / "pace.md").write_text(before + BEGIN + text + END + rest.partition(END)[2])


def main() -> int:
    """Play, and print one line."""
    parser = argparse.ArgumentParser(prog="python -m bench.pace", description=__doc__.partition("\n")[0])
    parser.add_argument("--games", type=int, default=200, help="of the naive way and of each uptake")
    parser.add_argument("--uptake", type=int, nargs="+", default=tuple(UPTAKE), choices=UPTAKE, help="of 100 people")
    parser.add_argument("--processes", type=int, default=os.cpu_count() or 1)
    parser.add_argument("--players", type=int, nargs="+", default=PLAYERS)
    parser.add_argument("--minutes", type=float, default=float("inf"), help="what has been played by then counts")
    parser.add_argument("--keep", action="store_true", help="write docs/pace.*")
    options = parser.parse_args()
    began = time.monotonic()
    signal.signal(signal.SIGTERM, signal.default_int_handler)
    try:
        finished = played(options.processes, jobs(options.games, options.players, options.uptake), options.minutes)
    finally:
        shutil.rmtree(settings.DATA_DIR, ignore_errors=True)
    results = all_figures(finished)
    if not results:
        parser.error("in this time no two games could be compared")
    if options.keep:
        keep(results)
    minutes = (time.monotonic() - began) / 60
    print(outcome(results))
    print(f"{len(finished)} games in {minutes:.0f} minutes. {summary(results)}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
