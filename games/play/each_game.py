"""Runs work on many games, one after the other. An error in one game does not stop the others."""

import logging
import uuid
from collections.abc import Callable, Collection
from typing import Any, Final

from django.db.models import Min, Q, QuerySet

from config.core.logs import describe_error
from config.core.tasks import app
from games.rules.registry import every_version

logger = logging.getLogger(__name__)

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
    rows = rows.filter(playable(), game__stalled_since=None).exclude(game__in=exclude)
    return list(rows.values_list("game", flat=True).annotate(first=Min(moment)).order_by("first")[:BATCH])
