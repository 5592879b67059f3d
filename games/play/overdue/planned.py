"""Answers of plans that wait for a certain moment.

They are played within a few hundredths of a second, like answers by hand. If they were played at the next tick, their
times would show that a plan gave them.
"""

import uuid
from collections.abc import Iterable
from datetime import datetime, timedelta

from django.db.models import QuerySet

from games.deadlines.answer_times import AHEAD
from games.models import OpenQuestion
from games.play import absence, resolve, rows
from games.play.batch import run_batch
from games.play.each_game import attempt
from games.play.locked_game import MAX_GAMES, LockedGame, lock_game


def answer_all(now: datetime) -> None:
    """Play all planned answers that are due, many games in a transaction."""
    passed: set[uuid.UUID] = set()
    while games := rows.games_with_planned_answers(MAX_GAMES, now, passed):
        run_batch(games, now, _answer_locked, lambda game: attempt(lambda id: answer_game(id, now), game))
        passed.update(games)


def answer_game(game: uuid.UUID, now: datetime) -> bool:
    """Play the planned answers of a game after its received moves, because answers by hand come first.

    Return False if the game is locked elsewhere, or if a move could not be resolved yet.
    """
    resolve.resolve(game, now)
    with lock_game(game, now, skip_locked=True) as locked:
        if locked is None or locked.received_moves:
            return False
        absence.settle(locked)
    return True


def _answer_locked(locked: LockedGame) -> None:
    if not resolve.resolve_locked(locked):
        absence.settle(locked)


def questions_due(now: datetime) -> Iterable[QuerySet[OpenQuestion]]:
    """Return the questions that plans answer before the next tick."""
    return [OpenQuestion.objects.filter(planned_at__lte=now + AHEAD).order_by("planned_at")]


def seconds_to_next_answer(now: datetime) -> float | None:
    """Return the seconds to the next planned answer, or None if there is none before the next tick."""
    questions = OpenQuestion.objects.filter(planned_at__gt=now, planned_at__lte=now + AHEAD)
    moment = questions.order_by("planned_at").values_list("planned_at", flat=True).first()
    return None if moment is None else (moment - now) / timedelta(seconds=1)
