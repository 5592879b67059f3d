"""The periodic task that advances all tournaments that are due."""

import logging
from collections.abc import Iterable
from datetime import datetime
from typing import Any
from uuid import UUID

from django.db import transaction
from django.db.models import Q, QuerySet

from config.core.logs import describe_error
from games.lobby.beacon_client import fetch_signature
from games.models import Game, Pairing, Tournament
from games.tournaments import rounds

logger = logging.getLogger(__name__)


def waiting(now: datetime) -> Iterable[QuerySet[Any]]:
    """Return the tournaments that are due, and the tables whose games are over."""
    return [_due(now), _to_settle()]


def sweep(now: datetime) -> None:
    """Advance every tournament that is due. An error in one tournament does not affect the others."""
    tournaments = set(_due(now).values_list("pk", flat=True))
    tournaments |= set(_to_settle().values_list("round__tournament", flat=True))
    for tournament in sorted(tournaments):
        try:
            _advance(tournament, now)
        except Exception as error:
            logger.error("tournament %s was passed by: %s", tournament, describe_error(error))


def _due(now: datetime) -> QuerySet[Tournament]:
    return Tournament.objects.filter(look_at__lte=now).order_by("look_at")


def _to_settle() -> QuerySet[Pairing]:
    """Return the pairings of running rounds that have no place yet, although their game is over."""
    over = Q(game__counted=True) | Q(game__state=Game.State.CANCELLED)
    rows = Pairing.objects.filter(over, kind=Pairing.Kind.TABLE, place=None, round__tournament__state=Tournament.State.RUNNING)
    return rows.order_by("game")


def _advance(tournament: UUID, now: datetime) -> None:
    """Take the next step of one tournament, unless another process is doing that."""
    starting = Tournament.objects.filter(state=Tournament.State.STARTING).values_list("beacon_round", flat=True)
    beacon_round = starting.filter(pk=tournament).first()
    signature = None if beacon_round is None else fetch_signature(beacon_round)
    with transaction.atomic():
        rows = Tournament.objects.select_for_update(no_key=True, skip_locked=True)
        row = rows.filter(pk=tournament).first()
        if row is None:
            return
        is_due = row.look_at is not None and row.look_at <= now
        if row.state == Tournament.State.OPEN and is_due:
            rounds.close_entries(row, now)
        elif row.state == Tournament.State.STARTING and row.beacon_round == beacon_round:
            rounds.begin(row, signature, now)
        elif row.state == Tournament.State.RUNNING:
            rounds.advance(row, now)
