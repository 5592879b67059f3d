"""Lets time pass in a game of the sandbox by moving its deadlines. The times in the log do not change."""

import uuid
from datetime import datetime, timedelta

from django.db import transaction
from django.db.models import F

from games.engine import Phrase, gettext_noop
from games.event_log.enqueue import enqueue
from games.event_log.table_events import Paused
from games.models import Game, OpenQuestion
from games.play.locked_game import lock_game
from games.refusals import Refusal


def pass_time(game: uuid.UUID, by: timedelta, now: datetime) -> None:
    """Let time pass in a game. Raises Refusal(conflict) if it is over."""
    with transaction.atomic():
        rows = Game.objects.select_for_update(no_key=True).filter(pk=game).exclude(state__in=_ENDED)
        if rows.first() is None:
            raise Refusal("conflict", Phrase(gettext_noop("No time passes in a game that is over.")))
        OpenQuestion.objects.filter(game=game).update(
            due_at=F("due_at") - by, remind_at=F("remind_at") - by, planned_at=F("planned_at") - by
        )
        Game.objects.filter(pk=game).update(due_at=F("due_at") - by, start_check_at=F("start_check_at") - by)
        _shorten_pause(game, by, now)
        enqueue("games.tasks.resolve_moves")


def _shorten_pause(game: uuid.UUID, by: timedelta, now: datetime) -> None:
    """Let a pause end earlier. The log decides when it ends, so the change is an event."""
    with lock_game(game, now) as locked:
        pause = locked and locked.position.table and locked.position.table.pause
        if locked and pause and pause.on:
            locked.add_table_event(Paused(seconds=pause.seconds, until=pause.ends_at - by))


_ENDED = (Game.State.OVER, Game.State.CANCELLED)
