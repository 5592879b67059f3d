"""The sweep: takes every tournament on that has something to do."""

import logging
from collections.abc import Iterable
from datetime import datetime
from typing import Any
from uuid import UUID

from django.db import transaction
from django.db.models import Q, QuerySet

from config.failures import describe_error
from games.lobby.beacon_client import fetch_signature
from games.models import Game, Pairing, Tournament
from games.tournaments import rounds

logger = logging.getLogger(__name__)
State = Tournament.State


def waiting(now: datetime) -> Iterable[QuerySet[Any]]:
    """The tournaments whose time has come, and the tables whose games are over."""
    return [_due(now), _to_settle()]


def sweep(now: datetime) -> None:
    """Take every such tournament one step on; one that goes wrong stops no other."""
    found = set(_due(now).values_list("pk", flat=True))
    found |= set(_to_settle().values_list("round__tournament", flat=True))
    for tournament in sorted(found):
        try:
            _go_on(tournament, now)
        except Exception as error:
            logger.error("tournament %s was passed by: %s", tournament, describe_error(error))


def _due(now: datetime) -> QuerySet[Tournament]:
    return Tournament.objects.filter(look_at__lte=now).order_by("look_at")


def _to_settle() -> QuerySet[Pairing]:
    """The parts in running rounds that have no place, though their game is over."""
    over = Q(game__counted=True) | Q(game__state=Game.State.CANCELLED)
    rows = Pairing.objects.filter(over, kind=Pairing.Kind.TABLE, place=None, round__tournament__state=State.RUNNING)
    return rows.order_by("game")


def _go_on(tournament: UUID, now: datetime) -> None:
    """Take the next step of one tournament, unless another process is doing that."""
    round = Tournament.objects.filter(state=State.STARTING).values_list("beacon_round", flat=True)
    asked = round.filter(pk=tournament).first()
    signature = None if asked is None else fetch_signature(asked)
    with transaction.atomic():
        rows = Tournament.objects.select_for_update(no_key=True, skip_locked=True)
        found = rows.filter(pk=tournament).first()
        if found is None:
            return
        is_due = found.look_at is not None and found.look_at <= now
        if found.state == State.OPEN and is_due:
            rounds.close_entries(found, now)
        elif found.state == State.STARTING and found.beacon_round == asked:
            rounds.begin(found, signature, now)
        elif found.state == State.RUNNING:
            rounds.go_on(found, now)
