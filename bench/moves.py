"""Moves resolved: from stored moves to committed events, questions, notifications and signals."""

import os
import time
from collections.abc import Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from pathlib import Path
from typing import Final
from uuid import UUID

from django.db import connection
from django.utils import timezone

from bench import boardgame_io, game_copies, limit
from bench.bench_database import analyze
from bench.measure import Row, alternately, at_least, at_most
from games.models import Move
from games.play.resolve import resolve
from games.tasks import resolve_moves

THREADS: Final = 2
"""The number of tasks at once, as under load: whoever takes the second one leaves it to the first."""
_WORKER: Final = ThreadPoolExecutor(THREADS)
"""Its threads keep their connections, as a worker's do."""
BY_HAND: Final = {20: 350.0, 2000: 56.0}
"""Moves a second of boardgame.io with its PostgreSQL storage, once measured on a quiet machine with two cores."""


class Backlog:
    """Games in which somebody plays, move by move, in all of them at once."""

    def __init__(self, games: Sequence[UUID]) -> None:
        self.games = games
        self._rounds = 0

    def store(self) -> int:
        """A move that waits in each game; how many."""
        seat = self._rounds % game_copies.SEATS + 1
        game_copies.store_moves(
            self.games, seat, game_copies.asked(self.games[0], seat), game_copies.income(), timezone.now()
        )
        self._rounds += 1
        return len(self.games)


def resolved_a_second(backlog: Backlog) -> float:
    """Moves of one process, which takes several tasks as a worker does."""
    stored = backlog.store()
    began = time.perf_counter()
    tasks = [_WORKER.submit(resolve_moves) for _ in range(THREADS)]
    for task in tasks:
        task.result()
    seconds = time.perf_counter() - began
    if Move.objects.filter(state=Move.State.RECEIVED).exists():
        raise SystemExit("a move was left")
    return stored / seconds


def one_by_one(backlog: Backlog) -> tuple[float, float]:
    """Seconds of this process and bytes of the write-ahead log for one move, each game in a transaction of its own."""
    stored, before = backlog.store(), _wal()
    began = time.process_time()
    for game in backlog.games:
        resolve(game, timezone.now())
    return (time.process_time() - began) / stored, (_wal() - before) / stored


def _wal() -> float:
    with connection.cursor() as cursor:
        cursor.execute("SELECT pg_wal_lsn_diff(pg_current_wal_lsn(), '0/0')")
        return float(cursor.fetchone()[0])


def _memory() -> float:
    """This process's peak of resident memory since it was last reset, in MB."""
    status = Path(f"/proc/{os.getpid()}/status").read_text()
    return int(status.partition("VmHWM:")[2].split()[0]) / 1024


def _reset_peak() -> None:
    Path(f"/proc/{os.getpid()}/clear_refs").write_text("5")


def rows(people: Sequence[int], games: int) -> list[Row]:
    """Moves of one worker against the limit, and moves of long games against those of short ones."""
    fresh = Backlog(game_copies.copies(game_copies.model(people, timezone.now()), games, people))
    resolved_a_second(fresh)
    analyze()
    measured = alternately(lambda: resolved_a_second(fresh), limit.rate)
    return [
        at_least("moves resolved a second, one worker process", "a second", "pgbench, 16 clients", measured, 0.35, 0.6),
        *_lengths(people, games // 8),
    ]


def _lengths(people: Sequence[int], games: int) -> list[Row]:
    backlogs = {
        events: Backlog(game_copies.copies(game_copies.model(people, timezone.now(), events), games, people))
        for events in (20, 2000)
    }
    for backlog in backlogs.values():
        one_by_one(backlog)
    analyze()
    time_, wal = ([], [])
    for _ in range(5):
        (short, little), (long, much) = one_by_one(backlogs[20]), one_by_one(backlogs[2000])
        time_.append((long * 1e6, short * 1e6))
        wal.append((much, little))
    return [
        at_most("a move at 2,000 events: processor time", "µs", "at 20", _middle(time_), 1.2, 1.03),
        at_most("a move at 2,000 events: write-ahead log", "bytes", "at 20", _middle(wal), 1.2, 1.03),
        at_most("a move at 2,000 events: peak memory", "MB", "at 20", _peaks(backlogs), 1.2, 1.03),
        *_against_boardgame_io(backlogs),
    ]


def _peaks(backlogs: dict[int, Backlog]) -> tuple[float, float, float]:
    pairs = []
    for _ in range(5):
        peaks = {}
        for events, backlog in backlogs.items():
            _reset_peak()
            one_by_one(backlog)
            peaks[events] = _memory()
        pairs.append((peaks[2000], peaks[20]))
    return _middle(pairs)


def _middle(pairs: Sequence[tuple[float, float]]) -> tuple[float, float, float]:
    """Pairs that were measured one after the other, as ``alternately`` gives them."""
    own_item, theirs = iter([item for item, _ in pairs]), iter([item for _, item in pairs])
    return alternately(lambda: next(own_item), lambda: next(theirs), len(pairs))


def _against_boardgame_io(backlogs: dict[int, Backlog]) -> Iterator[Row]:
    """Moves in games of 20 and 2,000 events beside its moves in matches of as many moves."""
    with boardgame_io.moves_a_second() as theirs:
        against = "boardgame.io" if theirs else "boardgame.io, by hand"
        for (events, backlog), bounds in zip(backlogs.items(), ((3, 10), (15, 50)), strict=True):
            measured = alternately(partial(resolved_a_second, backlog), partial(theirs or BY_HAND.__getitem__, events))
            title = f"moves resolved a second at {events:,} events{'' if theirs else ' (not run beside it)'}"
            yield at_least(title, "a second", against, measured, *bounds)
