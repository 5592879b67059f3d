"""Runs work on many games, in one transaction or one after the other. An error in one game does not stop the others."""

import logging
import uuid
from collections.abc import Callable, Collection, Sequence
from datetime import datetime
from typing import Any, Final

from django.db import DatabaseError, InterfaceError, OperationalError
from django.db.models import Min, Q, QuerySet

from config.core.logs import describe_error, repeated
from config.core.tasks import app
from games.models import Move, OpenQuestion
from games.play.locked_game import LockedGame, lock_games
from games.rules.registry import every_version

logger = logging.getLogger(__name__)


class _GameError(Exception):
    """The work on one of the games failed."""

    def __init__(self, game: uuid.UUID) -> None:
        super().__init__(game)
        self.game = game


def run_batch(
    games: Sequence[uuid.UUID],
    now: datetime,
    work: Callable[[LockedGame], object],
    alone: Callable[[uuid.UUID], object],
) -> tuple[list[uuid.UUID], list[uuid.UUID]]:
    """Run ``work`` on the games that are not locked elsewhere. Run ``alone`` for a game in which it failed.

    An error in one game rolls back the whole transaction, since the game may have been changed in part. The other
    games are then worked on again. Return the games that were worked on together, and those that were worked on alone.
    Games beyond the limit of one transaction are in neither list. Raises OperationalError if the database fails;
    nothing has changed then.
    """
    remaining, failed = list(games), list[uuid.UUID]()
    while True:
        together = list(remaining)
        try:
            with lock_games(remaining, now) as locked_games:
                together = [locked.game.id for locked in locked_games]
                for locked in locked_games:
                    _run(work, locked)
            break
        except _GameError as error:
            remaining.remove(error.game)
            failed.append(error.game)
        except (OperationalError, InterfaceError):
            raise
        except Exception as error:
            kind = describe_error(error)
            logger.error(
                "%d games could not be stored together, each is tried alone: %s",
                len(together),
                kind,
                extra=repeated("together", kind),
            )
            failed += together
            together = []
            break
    for game in failed:
        alone(game)
    return together, failed


def _run(work: Callable[[LockedGame], object], locked: LockedGame) -> None:
    try:
        work(locked)
    except DatabaseError:
        raise
    except Exception as error:
        logger.error("game %s is worked on apart from others: %s", locked.game.id, describe_error(error))
        raise _GameError(locked.game.id) from None


BATCH: Final = 200
"""The number of games that are found by one query."""


def each_game(find: Callable[[Collection[uuid.UUID]], list[uuid.UUID]], work: Callable[[uuid.UUID], object]) -> None:
    """Do ``work`` once for each game that ``find`` returns. An error in one game does not stop the others.

    ``find`` gets the games that were worked on and must leave them out: if the work changed nothing, the game waits
    for the next sweep and holds up no other. A worker that has been told to end leaves the other games to the next
    sweep, too.
    """
    passed: set[uuid.UUID] = set()
    while games := [game for game in find(passed) if game not in passed]:
        for game in games:
            if app.is_ending:
                return
            passed.add(game)
            attempt(work, game)


def attempt(work: Callable[[uuid.UUID], object], game: uuid.UUID) -> None:
    """Run ``work`` for one game. Errors are logged by type only, because a message could contain a hidden card."""
    try:
        work(game)
    except Exception as error:
        logger.error("game %s was passed by: %s", game, describe_error(error))


def playable(game: str = "game__") -> Q:
    """Return a condition for rows of games whose rules are installed here.

    ``game`` is the prefix of the lookup from the row to its game. It is empty for games themselves.
    """
    condition = Q(pk__in=[])
    for rules in every_version():
        condition |= Q(**{f"{game}rules": rules.name, f"{game}rules_version": rules.version})
    return condition


def games_with_rows(rows: QuerySet[Any], moment: str, exclude: Collection[uuid.UUID]) -> list[uuid.UUID]:
    """Return the games of these rows, ordered by the earliest ``moment``. Skips stalled games and ``exclude``."""
    games = _playable_rows(rows, exclude).values_list("game", flat=True)
    return list(games.annotate(first=Min(moment)).order_by("first")[:BATCH])


def games_with_moves(limit: int, until: datetime, exclude: Collection[uuid.UUID] = ()) -> list[uuid.UUID]:
    """Return up to ``limit`` games with unresolved moves that were received by ``until``, the oldest move first.

    Skips stalled games, games in ``exclude``, and games whose rules are not installed here.
    """
    moves = Move.objects.filter(state=Move.State.RECEIVED, received_at__lte=until)
    return _first_games(moves.order_by("received_at"), exclude, limit)


def games_overdue(limit: int, until: datetime, exclude: Collection[uuid.UUID] = ()) -> list[uuid.UUID]:
    """Return up to ``limit`` games with a deadline before ``until``. Skips games as ``games_with_moves`` does."""
    questions = OpenQuestion.objects.filter(bot=False, due_at__lte=until)
    return _first_games(questions.order_by("due_at"), exclude, limit)


def games_with_planned_answers(limit: int, until: datetime, exclude: Collection[uuid.UUID] = ()) -> list[uuid.UUID]:
    """Return up to ``limit`` games in which a plan answers by ``until``. Skips games as ``games_with_moves`` does."""
    questions = OpenQuestion.objects.filter(planned_at__lte=until)
    return _first_games(questions.order_by("planned_at"), exclude, limit)


def _first_games(rows: QuerySet[Any], exclude: Collection[uuid.UUID], limit: int) -> list[uuid.UUID]:
    """Return the games of the first rows. A limit on rows needs only the first part of an index."""
    return list(dict.fromkeys(_playable_rows(rows, exclude).values_list("game", flat=True)[:limit]))


def _playable_rows(rows: QuerySet[Any], exclude: Collection[uuid.UUID]) -> QuerySet[Any]:
    return rows.filter(playable(), game__stalled_since=None).exclude(game__any=exclude)
