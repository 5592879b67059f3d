"""Moves of people in 1,000 games with bots, while bots think ahead and while none does.

The process in which they think is stopped and goes on by turns. More of them wait than it can serve, so it never rests.
Nobody wants emails here: composing them would cost the same in games without bots.
"""

import os
import signal
import time
from collections.abc import Iterable, Iterator, Sequence
from itertools import islice
from typing import Final
from uuid import UUID

from django.utils import timezone

from bench import game_copies
from bench.bench_database import whole_server
from bench.delays import EVERY, GAMES, WARM_UP, Table, sent
from bench.idle_server import descendants, read_of_process
from bench.load import Line
from bench.measure import TIMES, Row, at_most, percentile
from notifications.models import Preferences

THINKER: Final = "games.play.thinking.thinker"


def rows(people: Sequence[int], moves: int) -> Iterator[Row]:
    """POST to outcome while bots think, against the same while none does."""
    table = Table(game_copies.copies(game_copies.model_with_bots(people, timezone.now()), GAMES, people))
    Preferences.objects.bulk_create(Preferences(account_id=each, mails=False) for each in people)
    times: dict[bool, list[float]] = {False: [], True: []}
    games = iter(table.games)
    with whole_server() as (port, _):
        line = Line(port)
        _measure(line, table, islice(games, WARM_UP))
        thinker = _thinker()
        try:
            for _ in range(TIMES):
                for thinks in (False, True):
                    os.kill(thinker, signal.SIGCONT if thinks else signal.SIGSTOP)
                    times[thinks] += _measure(line, table, islice(games, moves))
        finally:
            os.kill(thinker, signal.SIGCONT)  # else it would never end
    for name, part in (("half", 0.5), ("99 %", 0.99)):
        ours, theirs = percentile(times[True], part), percentile(times[False], part)
        what = f"POST to outcome while bots think, {name} of {len(times[True])}"
        yield at_most(what, "ms", "no bot thinks", (ours, theirs, ours / theirs), 1.25, 1)


def _measure(line: Line, table: Table, games: Iterable[UUID]) -> list[float]:
    """Send a move in each of these games; return the milliseconds until each outcome."""
    found = []
    for game in games:
        _, took = sent(line, table.move(game, 1, table.question, Prefer="wait=10"), "200")
        found.append(took)
        time.sleep(EVERY / 2)
    return found


def _thinker() -> int:
    """Return the process in which bots think, as soon as there is one."""
    end = time.monotonic() + 30
    while time.monotonic() < end:
        for pid in descendants(os.getpid()):
            if THINKER in read_of_process(pid, "cmdline"):
                return pid
        time.sleep(0.2)
    raise SystemExit("no bot thinks")
