"""Archiving of old games. An archived log takes a fraction of the space."""

import logging
import uuid
from datetime import datetime
from typing import Final

from django.conf import settings
from django.db import transaction
from django.db.models import Exists, OuterRef, QuerySet

from config.core.logs import describe_error
from games.event_log import archived_logs
from games.models import ArchivedLog, Game

logger = logging.getLogger(__name__)

AT_ONCE: Final = 2000
"""The number of games that are archived in an hour. They take about a minute."""


def archive_all(now: datetime) -> int:
    """Archive the logs of games that are due for it, the oldest first. Return the number of games."""
    return sum(_archive_safely(game) for game in _due(now).order_by("ended_at").values_list("pk", flat=True)[:AT_ONCE])


def _due(now: datetime) -> QuerySet[Game]:
    archived = ArchivedLog.objects.filter(game=OuterRef("pk"))
    over = Game.objects.filter(state=Game.State.OVER, ended_at__lt=now - settings.ARCHIVE_GAMES_AFTER)
    return over.exclude(Exists(archived))


def _archive_safely(game: uuid.UUID) -> bool:
    """Archive the log of one game, and return whether that was done. An error does not stop the archiving of other
    games.
    """
    try:
        with transaction.atomic():
            Game.objects.select_for_update(no_key=True).get(pk=game)
            if ArchivedLog.objects.filter(pk=game).exists():
                return False
            archived_logs.archive(game)
    except Exception as error:
        logger.error("the log of game %s could not be archived: %s", game, describe_error(error))
        return False
    return True
