"""Timeouts by the thousand, and looking for the few that are due among very many."""

import statistics
import time
from collections.abc import Iterator, Sequence
from datetime import timedelta
from typing import Final
from uuid import UUID

from django.db import connection, transaction
from django.utils import timezone

from bench import game_copies
from bench.measure import Row, alternately, at_least, at_most
from config.core.database.checks import GRACE
from games.models import OpenQuestion
from games.play import rows, timeouts

_FLOOR: Final = """
    WITH due AS (
        SELECT game.id, game.version, snapshot.state, snapshot."table", seat.account_id, question.question
        FROM games_openquestion AS question JOIN games_game AS game ON game.id = question.game_id
        JOIN games_snapshot AS snapshot ON snapshot.game_id = game.id
        JOIN games_seat AS seat ON seat.game_id = game.id AND seat.number = question.seat
        WHERE game.id = ANY(%(games)s) FOR NO KEY UPDATE OF game
    ), closed AS (
        DELETE FROM games_openquestion AS question USING due WHERE question.game_id = due.id RETURNING question.*
    ), asked AS (
        INSERT INTO games_openquestion
            (game_id, question, seat, kind, reason, asked_at, due_at, aimed, bot, remind_at, why)
        SELECT game_id, question || '0', seat, kind, reason, %(now)s, %(now)s, aimed, bot, %(now)s, why FROM closed
    ), told AS (
        INSERT INTO games_event (game_id, number, body, at, via)
        SELECT due.id, due.version + n, repeat('e', 200), %(now)s, 'timeout'
        FROM due CROSS JOIN generate_series(1, 3) AS n
    ), kept AS (
        UPDATE games_snapshot AS snapshot SET version = due.version + 3, state = due.state, "table" = due."table"
        FROM due WHERE snapshot.game_id = due.id
    ), moved AS (
        INSERT INTO games_move (id, game_id, seat, question, body, via, received_at, state, code, attempts)
        SELECT gen_random_uuid(), game_id, seat, question, 'a move', 'timeout', %(now)s, 'applied', '', 0 FROM closed
    ), noted AS (
        INSERT INTO notifications_notification
            (id, key, account_id, address, channel, reason, topic, question, state, attempts, next_attempt_at,
             created_at, standing_by, held)
        SELECT gen_random_uuid(), concat('question:', id, ':', question, ':', account_id), account_id, '', 'mail',
            'question', concat('game:', id), question, 'scheduled', 0, %(now)s, %(now)s, false, false
        FROM due
    )
    UPDATE games_game AS game SET version = due.version + 3, due_at = %(now)s FROM due WHERE game.id = due.id
"""
BATCH: Final = 100


def _make_due(games: Sequence[UUID]) -> None:
    OpenQuestion.objects.filter(game__in=games).update(due_at=timezone.now() - timedelta(minutes=1), remind_at=None)


def closed_a_second(games: Sequence[UUID]) -> float:
    """Windows closed by the sweep, with all that follows from it: defaults, notifications, signals."""
    _make_due(games)
    began = time.perf_counter()
    timeouts.sweep(timezone.now())
    seconds = time.perf_counter() - began
    if rows.games_overdue(1, timezone.now() - GRACE):
        raise SystemExit("the sweep has left something")
    return len(games) / seconds


def floor_a_second(games: Sequence[UUID]) -> float:
    """The same rows in the same tables by SQL alone, a hundred games a statement, without anybody thinking.

    All is undone once what a commit checks was checked.
    """
    began = time.perf_counter()
    with transaction.atomic(), connection.cursor() as cursor:
        for first in range(0, len(games), BATCH):
            cursor.execute(_FLOOR, {"games": list(games[first : first + BATCH]), "now": timezone.now()})
        cursor.execute("SET CONSTRAINTS ALL IMMEDIATE")
        seconds = time.perf_counter() - began
        transaction.set_rollback(True)
    return len(games) / seconds


def rows_of_windows(people: Sequence[int], games: int) -> Iterator[Row]:
    """Windows that close in one minute, against SQL alone."""
    due = game_copies.copies(game_copies.model(people, timezone.now()), games, people)
    spare = game_copies.copies(game_copies.model(people, timezone.now()), games, people)
    OpenQuestion.objects.filter(game__in=spare).update(due_at=timezone.now() + timedelta(days=300), remind_at=None)
    measured = alternately(lambda: closed_a_second(due), lambda: floor_a_second(spare))
    what = f"due windows closed a second, {games:,} due"
    yield at_least(what, "a second", "SQL alone, the same rows", measured, 0.25, 0.5)


def rows_of_sweep(people: Sequence[int], games: int) -> Iterator[Row]:
    """Finding and closing 100 due games among very many."""
    model = game_copies.model(people, timezone.now())
    OpenQuestion.objects.update(remind_at=None)
    game_copies.copies(model, games - BATCH, people, bare=True)
    due = game_copies.copies(model, BATCH, people)
    _make_due(due)
    with connection.cursor() as cursor:
        cursor.execute("VACUUM ANALYZE games_openquestion")
    looked = statistics.median(_looking() for _ in range(5))
    began = time.perf_counter()
    timeouts.sweep(timezone.now())
    whole = (time.perf_counter() - began) * 1000
    what = f"the sweep finds 100 due of {games:,} open games"
    row = at_most(what, "ms", "the bound", (looked, 20.0, looked / 20), 1, 0.25)
    yield Row(**{**row.kept(), "more": {"with playing for them, ms": whole}})


def _looking() -> float:
    """Milliseconds for all that a sweep asks before it knows that nothing else is to be done."""
    now, began = timezone.now(), time.perf_counter()
    timeouts.record_heartbeat(now)
    rows.games_with_moves(BATCH, now - timeouts.LOST_TASK_AGE)
    found = rows.games_overdue(BATCH, now - GRACE)
    list(OpenQuestion.objects.filter(remind_at__lte=now).order_by("remind_at")[:BATCH])
    if len(found) != BATCH:
        raise SystemExit(f"found {len(found)} of {BATCH}")
    return (time.perf_counter() - began) * 1000
