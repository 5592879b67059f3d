"""Moves of people in 1,000 games with bots that think ahead: while bots move at some rates, and while none moves.

There are three bots in each game, so that they move three times while a person moves once. If 1,000 people move three
times a day, bots move once in ten seconds; if thirty of these people are there and move each minute, 1.5 times a
second. ``STEADY`` is three times as much.
The process in which bots think is stopped and goes on by turns, to keep to a rate; without one (``inf``) it never
rests, since more of them wait than it can serve. Nobody wants emails here: composing them would cost the same in games
without bots.
"""

import os
import signal
import statistics
import time
from collections.abc import Iterator, Mapping, Sequence
from itertools import chain, islice
from math import inf
from typing import Final
from uuid import UUID

from django.utils import timezone

from bench import game_copies
from bench.bench_database import whole_server
from bench.delays import EVERY, GAMES, WARM_UP, Table, sent
from bench.idle_server import descendants, read_of_process
from bench.load import Line
from bench.measure import TIMES, Row, at_most, percentile
from games.models import Move
from notifications.models import Preferences

THINKER: Final = "games.play.thinker"
STEADY: Final = 5.0
"""Moves of bots a second."""
STEP: Final = 0.02
"""Seconds between two looks at whether bots have moved too often."""


class Bots:
    """The bots of a server, which move as often as they are let."""

    def __init__(self) -> None:
        """Wait until one thinks."""
        self._process = _thinker()

    def let_move(self, rate: float) -> None:
        """Let them move at this rate from now on: so many times a second."""
        self._rate, self._began, self._before = rate, time.monotonic(), _moves_of_bots()

    def pass_time(self, seconds: float) -> None:
        """Wait for so long, and keep them to their rate meanwhile."""
        end = time.monotonic() + seconds
        while time.monotonic() < end:
            may = self._made() < self._rate * (time.monotonic() - self._began)
            os.kill(self._process, signal.SIGCONT if may else signal.SIGSTOP)
            time.sleep(STEP)

    def _made(self) -> int:
        return _moves_of_bots() - self._before

    def reached(self) -> float:
        """Return how often a second they have moved since they were let."""
        return self._made() / (time.monotonic() - self._began)

    def go_on(self) -> None:
        """Let the process go on: else it would never end."""
        os.kill(self._process, signal.SIGCONT)


def rows(people: Sequence[int], moves: int) -> Iterator[Row]:
    """POST to outcome while bots move at each rate, against the same while none moves."""
    table = Table(game_copies.copies(game_copies.model_with_bots(people, timezone.now()), GAMES, people))
    Preferences.objects.bulk_create(Preferences(account_id=person, mails=False) for person in people)
    times: dict[float, list[list[float]]] = {0: [], STEADY: [], inf: []}
    reached: dict[float, list[float]] = {rate: [] for rate in times}
    games = iter(table.games)
    with whole_server() as (port, _):
        line = Line(port)
        for game in islice(games, WARM_UP):
            _send(line, table, game)
            time.sleep(EVERY)
        bots = Bots()
        try:
            for _ in range(TIMES):
                for rate, each in times.items():
                    bots.let_move(rate)
                    each.append([_measured(line, table, game, bots) for game in islice(games, moves)])
                    reached[rate].append(bots.reached())
        finally:
            bots.go_on()
    for rate in (STEADY, inf):
        for name, part in (("half", 0.5), ("99 %", 0.99)):
            yield _row(rate, reached[rate], name, part, times)


def _row(
    rate: float, reached: Sequence[float], name: str, part: float, times: Mapping[float, list[list[float]]]
) -> Row:
    ours, theirs = (percentile([*chain(*times[each])], part) for each in (rate, 0))
    how = "as often as they can" if rate == inf else "steadily"
    what = f"POST to outcome, {name}, bots moving {how}: {statistics.median(reached):.1f} a second"
    return at_most(what, "ms", "no bot moves", (ours, theirs, ours / theirs), 1.25, 1)


def _measured(line: Line, table: Table, game: UUID, bots: Bots) -> float:
    """The milliseconds until the outcome of a move in this game."""
    bots.pass_time(EVERY / 2)
    return _send(line, table, game)


def _send(line: Line, table: Table, game: UUID) -> float:
    return sent(line, table.move(game, 1, table.question, Prefer="wait=10"), "200")[1]


def _moves_of_bots() -> int:
    return Move.objects.filter(via=Move.Via.BOT).count()


def _thinker() -> int:
    """Return the process in which bots think, as soon as there is one."""
    end = time.monotonic() + 30
    while time.monotonic() < end:
        for pid in descendants(os.getpid()):
            if THINKER in read_of_process(pid, "cmdline"):
                return pid
        time.sleep(0.2)
    raise SystemExit("no bot thinks")
