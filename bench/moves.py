"""Moves resolved: from stored moves to committed events, questions, notifications and stream events."""

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

# Parallel tasks, as under load. The second one finds the lock of the first one taken and ends.
THREADS: Final = 2
# A pool, because its threads keep their database connections, as those of a worker do.
_WORKER: Final = ThreadPoolExecutor(THREADS)


class Backlog:
    """Games that all get the same move in each round."""

    def __init__(self, games: Sequence[UUID]) -> None:
        self.games = games
        self._rounds = 0

    def store(self) -> int:
        """Store a move for each game. Return the number of moves."""
        seat = self._rounds % game_copies.SEATS + 1
        game_copies.store_moves(
            self.games, seat, game_copies.open_question(self.games[0], seat), game_copies.income(), timezone.now()
        )
        self._rounds += 1
        return len(self.games)


def resolved_a_second(backlog: Backlog) -> float:
    """Return the moves a second of one process that runs several tasks, as a worker does."""
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
    """Return the processor seconds and the bytes of write-ahead log for a move, with one transaction for each game."""
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
    """Return the peak of this process's resident memory since the last reset, in MB."""
    status = Path(f"/proc/{os.getpid()}/status").read_text()
    return int(status.partition("VmHWM:")[2].split()[0]) / 1024


def _reset_peak() -> None:
    Path(f"/proc/{os.getpid()}/clear_refs").write_text("5")


def rows(people: Sequence[int], games: int) -> list[Row]:
    """Compare the moves of one worker with the limit, and moves of long games with moves of short games."""
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
    """Return the medians of pairs of measurements in the form of ``alternately``."""
    ours, theirs = iter([our_time for our_time, _ in pairs]), iter([their_time for _, their_time in pairs])
    return alternately(lambda: next(ours), lambda: next(theirs), len(pairs))


def _against_boardgame_io(backlogs: dict[int, Backlog]) -> Iterator[Row]:
    """Compare moves in games of 20 and 2,000 events with those of boardgame.io in matches of as many moves."""
    with boardgame_io.moves_a_second() as theirs:
        if theirs is None:  # the registry of npm is out of reach
            return
        for (events, backlog), bounds in zip(backlogs.items(), ((3, 10), (15, 50)), strict=True):
            measured = alternately(partial(resolved_a_second, backlog), partial(theirs, events))
            title = f"moves resolved a second at {events:,} events"
            yield at_least(title, "a second", "boardgame.io", measured, *bounds)
