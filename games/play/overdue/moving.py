"""Moves all deadlines of many games by the same time."""

from collections.abc import Sequence
from datetime import datetime, timedelta

from django.db.models import F

from games.deadlines import timing
from games.event_log import log_store
from games.event_log.table_events import DeadlinesMoved, EmailOutage
from games.models import Game, OpenQuestion
from games.play.locked_game import SERVER


def move_deadlines(games: Sequence[Game], event: DeadlinesMoved | EmailOutage, later: timedelta, now: datetime) -> None:
    """Move every open deadline of locked games, and then out of the sleep hours of the players.

    ``event`` tells the players the reason.
    """
    log_store.append_to_all(games, event, now, SERVER)
    OpenQuestion.objects.filter(game__in=games).update(
        due_at=F("due_at") + later, remind_at=F("remind_at") + later, planned_at=F("planned_at") + later
    )
    Game.objects.filter(pk__in=[game.pk for game in games]).update(
        due_at=F("due_at") + later, stalled_since=F("stalled_since") + later
    )
    timing.settle(games)
