"""Measures the days that games of Coup by mail take, depending on the share of players who plan ahead.

``python -m bench.pace [--games N] [--uptake 0 20 60 95] [--processes P] [--players 3 5 8] [--minutes M]
[--keep]``. With ``--keep`` the figures are written to ``docs/pace.json`` and the tables to ``docs/pace.md``.
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
FAST_SETTINGS: Final = ("fsync=off", "full_page_writes=off", "synchronous_commit=off", "max_connections=40")
DOCS: Final = Path(__file__).parent.parent.parent / "docs"
BEGIN: Final = "<!-- written by python -m bench.pace --keep -->\n"
END: Final = "<!-- to here -->\n"


class Job(NamedTuple):
    """A game to play. Games of the same number have the same players and hours in all protocols."""

    protocol: str
    seats: int
    number: int


def jobs(games: int, players: Sequence[int], uptake: Collection[int] = tuple(UPTAKE)) -> list[Job]:
    """Return the games to play, the same number for the naive protocol and for each uptake."""
    names = [NAIVE.name, *(UPTAKE[percent].name for percent in uptake)]
    every_job = [Job(name, seats, number) for name in names for seats in players for number in range(games)]
    return sorted(every_job, key=lambda job: (job.number, -job.seats))


def play(part: int, queue: Any, results: Any) -> None:
    """Play the games of a queue in this process, on a separate database, until the queue yields None."""
    signal.signal(signal.SIGTERM, signal.SIG_DFL)
    connections["default"].settings_dict["NAME"] = database(part)
    server, protocols = VirtualServer(), {protocol.name: protocol for protocol in PROTOCOLS}
    for job in iter(queue.get, None):
        luck = Random(f"{job.seats}/{job.number}")
        results.put(Match(server, protocols[job.protocol], job.seats, luck).play())
    server.close()


def database(part: int) -> str:
    return f"pace_{part}"


def courses(processes: int, games: Sequence[Job], until: float) -> Iterator[Course]:
    """Play games in several processes, and yield those that end before ``until`` (``time.monotonic``).

    Raises RuntimeError if a process fails. It has written its traceback.
    """
    context = multiprocessing.get_context("fork")
    queue, results = context.Queue(), context.Queue()
    for job in (*games, *[None] * processes):
        queue.put(job)
    children = [context.Process(target=play, args=(part, queue, results)) for part in range(processes)]
    for child in children:
        child.start()
    try:
        for _ in games:
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


def play_all(processes: int, games: Sequence[Job], minutes: float) -> list[Course]:
    """Play games on a new database server until the time is over."""
    paths, finished, began = settings.EMBEDDED_DATABASE, [], time.monotonic()
    with Server(paths, *FAST_SETTINGS):
        prepare_database()
        with paths.administer() as admin:
            for part in range(processes):
                admin.execute(f"CREATE DATABASE {database(part)} OWNER {DATABASE} TEMPLATE {DATABASE}")
        for course in courses(processes, games, began + 60 * minutes):
            finished.append(course)
            if len(finished) % max(1, len(games) // 20) == 0:
                left = (time.monotonic() - began) * (len(games) / len(finished) - 1)
                print(f"{len(finished)} of {len(games)} games, about {left / 60:.0f} minutes left", file=sys.stderr)
    return finished


def keep(results: dict[str, Any]) -> None:
    """Write the figures into the documents."""
    (DOCS / "pace.json").write_text(json.dumps(results, indent=1) + "\n")
    before, _, rest = (DOCS / "pace.md").read_text().partition(BEGIN)
    text = f"\n{tables(results)}\n"
    (DOCS / "pace.md").write_text(before + BEGIN + text + END + rest.partition(END)[2])


def main() -> int:
    """Play, and print the figures."""
    parser = argparse.ArgumentParser(prog="python -m bench.pace", description=__doc__.partition("\n")[0])
    parser.add_argument("--games", type=int, default=200, help="the number of games for each protocol")
    parser.add_argument("--uptake", type=int, nargs="+", default=tuple(UPTAKE), choices=UPTAKE, help="percentages")
    parser.add_argument("--processes", type=int, default=os.cpu_count() or 1)
    parser.add_argument("--players", type=int, nargs="+", default=PLAYERS)
    parser.add_argument("--minutes", type=float, default=float("inf"), help="the time limit")
    parser.add_argument("--keep", action="store_true", help="write docs/pace.*")
    options = parser.parse_args()
    began = time.monotonic()
    signal.signal(signal.SIGTERM, signal.default_int_handler)
    try:
        finished = play_all(options.processes, jobs(options.games, options.players, options.uptake), options.minutes)
    finally:
        shutil.rmtree(settings.DATA_DIR, ignore_errors=True)
    results = all_figures(finished)
    if not results:
        parser.error("too few games ended in this time to compare protocols")
    if options.keep:
        keep(results)
    minutes = (time.monotonic() - began) / 60
    print(outcome(results))
    print(f"{len(finished)} games in {minutes:.0f} minutes. {summary(results)}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
