"""The time in which the sweep finds the few due questions among very many."""

import statistics
import time
from collections.abc import Iterator, Sequence
from dataclasses import replace
from datetime import timedelta
from typing import Final
from uuid import UUID

from django.db import connection
from django.utils import timezone

from bench import game_copies
from bench.measure import Row, at_most
from config.core.database.checks import GRACE
from games.models import OpenQuestion
from games.play import resolve, timeouts

BATCH: Final = 100


def _make_due(games: Sequence[UUID]) -> None:
    OpenQuestion.objects.filter(game__in=games).update(due_at=timezone.now() - timedelta(minutes=1), remind_at=None)


def rows_of_sweep(people: Sequence[int], games: int) -> Iterator[Row]:
    """Measure the search for 100 due games among very many, and their closing."""
    model = game_copies.model(people, timezone.now())
    OpenQuestion.objects.update(remind_at=None)
    game_copies.copies(model, games - BATCH, people, bare=True)
    due = game_copies.copies(model, BATCH, people)
    _make_due(due)
    with connection.cursor() as cursor:
        cursor.execute("VACUUM ANALYZE games_openquestion")
    search = statistics.median(_search() for _ in range(5))
    began = time.perf_counter()
    timeouts.sweep(timezone.now())
    whole_sweep = (time.perf_counter() - began) * 1000
    title = f"the sweep finds 100 due of {games:,} open games"
    row = at_most(title, "ms", "the bound", (search, 20.0, search / 20), 1, 0.25)
    yield replace(row, more={"with playing for them, ms": whole_sweep})


def _search() -> float:
    """Return the milliseconds of the queries of a sweep that has nothing else to do."""
    now, began = timezone.now(), time.perf_counter()
    timeouts.record_heartbeat(now)
    resolve.games_with_moves(BATCH, now - timeouts.LOST_TASK_AGE)
    overdue_games = resolve.games_overdue(BATCH, now - GRACE)
    list(OpenQuestion.objects.filter(remind_at__lte=now).order_by("remind_at")[:BATCH])
    if len(overdue_games) != BATCH:
        raise SystemExit(f"found {len(overdue_games)} of {BATCH}")
    return (time.perf_counter() - began) * 1000
