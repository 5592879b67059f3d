"""Answers by plan that were to wait, given when their moment has come.

The moments are met to a few hundredths of a second, as answers by hand are that are resolved when they come in: else
the beat of the clock would tell which answers waited for it.
"""

import uuid
from collections.abc import Iterable
from datetime import datetime, timedelta

from django.db.models import QuerySet

from games.deadlines.answer_times import AHEAD
from games.models import OpenQuestion
from games.play import absence, resolve, rows
from games.play.batch import work_on
from games.play.each_game import attempt
from games.play.locked_game import TOGETHER, LockedGame, lock_game


def sweep(now: datetime) -> None:
    """Let plans answer wherever their moment has come, many games in a transaction."""
    passed: set[uuid.UUID] = set()
    while games := rows.planned(TOGETHER, now, passed):
        work_on(games, now, _answer, lambda game: attempt(lambda each: answer(each, now), game))
        passed.update(games)


def answer(game: uuid.UUID, now: datetime) -> bool:
    """Let plans answer in one game, once every move that has come in is resolved: what came by hand comes first.

    False where somebody else holds it, or a move is left that cannot be resolved yet.
    """
    resolve.resolve(game, now)
    with lock_game(game, now, skip_locked=True) as locked:
        if locked is None or locked.waiting:
            return False
        absence.settle(locked)
    return True


def _answer(locked: LockedGame) -> None:
    if not resolve.resolve_locked(locked):
        absence.settle(locked)


def waiting(now: datetime) -> Iterable[QuerySet[OpenQuestion]]:
    """The questions that plans answer before the next tick."""
    return [OpenQuestion.objects.filter(planned_at__lte=now + AHEAD).order_by("planned_at")]


def seconds_to_next(now: datetime) -> float | None:
    """Return in how many seconds a plan answers next; None where none does before the next tick."""
    asked = OpenQuestion.objects.filter(planned_at__gt=now, planned_at__lte=now + AHEAD)
    at = asked.order_by("planned_at").values_list("planned_at", flat=True).first()
    return None if at is None else (at - now) / timedelta(seconds=1)
