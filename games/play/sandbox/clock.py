"""Lets time pass in a game of the sandbox: everything that is due comes nearer. The log and its times stay."""

import uuid
from datetime import timedelta

from django.db import transaction
from django.db.models import F

from games.engine import Phrase, gettext_noop
from games.event_log.enqueue import enqueue
from games.models import Game, OpenQuestion
from games.refusals import Refusal


def forward(game: uuid.UUID, by: timedelta) -> None:
    """Let so much time pass in a game that is on. Refusal ``conflict`` for another."""
    with transaction.atomic():
        held = Game.objects.select_for_update(no_key=True).filter(pk=game).exclude(state__in=_ENDED)
        if held.first() is None:
            raise Refusal("conflict", Phrase(gettext_noop("No time passes in a game that is over.")))
        OpenQuestion.objects.filter(game=game).update(
            due_at=F("due_at") - by, remind_at=F("remind_at") - by, planned_at=F("planned_at") - by
        )
        Game.objects.filter(pk=game).update(
            due_at=F("due_at") - by, paused_until=F("paused_until") - by, start_check_at=F("start_check_at") - by
        )
        enqueue("games.tasks.resolve_moves")


_ENDED = (Game.State.OVER, Game.State.CANCELLED)
