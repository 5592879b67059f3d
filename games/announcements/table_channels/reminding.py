"""Reminders in the channels of games, before the time is over for the players with a question.

The time of a reminder depends on public facts: the time of the last public event, and the latest deadline.
"""

import logging
from collections.abc import Sequence
from contextlib import suppress
from datetime import datetime, timedelta
from typing import Final
from uuid import uuid4

from django.db import transaction
from django.db.models import F, QuerySet

from games.announcements.table_channels import status_message
from games.event_log.log_store import UnknownRules
from games.models import Game, TableChannel
from notifications.channels.base import ChatMessage
from notifications.channels.registry import chat_apps
from notifications.outgoing import http_client
from notifications.outgoing.http_client import SIDE_BY_SIDE, Answer, OutgoingRequest

logger = logging.getLogger(__name__)

LEFT: Final = 0.25
"""The part of the time that is left when a reminder goes out."""
SHORTEST: Final = timedelta(hours=4)
"""The shortest time for which there are reminders. In faster games the players watch the game anyway."""


def time_of_reminder(game: Game, now: datetime) -> datetime | None:
    """Return the time of the reminder about the present state of a game, or None without one."""
    if game.state != Game.State.RUNNING or game.due_at is None or game.due_at - now < SHORTEST:
        return None
    return game.due_at - (game.due_at - now) * LEFT


def due(now: datetime) -> QuerySet[TableChannel]:
    """Return the channels with a due reminder whose message is up to date."""
    channels = TableChannel.objects.filter(remind_at__lte=now, told=F("game__public_head"))
    return channels.filter(next_attempt_at__isnull=False).order_by("remind_at")


def remind_due(now: datetime) -> int:
    """Post due reminders, each only once, even if it fails.

    Return the number of channels that were checked, 0 if none is due.
    """
    channels = _take(now)
    _post(channels, [_request(channel, now) for channel in channels])
    return len(channels)


def _take(now: datetime) -> list[TableChannel]:
    with transaction.atomic():
        rows = due(now).select_for_update(skip_locked=True, of=("self",)).select_related("game")
        channels = list(rows[:SIDE_BY_SIDE])
        TableChannel.objects.filter(pk__in=[channel.pk for channel in channels]).update(remind_at=None)
    return channels


def _request(channel: TableChannel, now: datetime) -> OutgoingRequest | None:
    """Return the request that posts the reminder, or None if the time is already over or nothing can be posted."""
    app, secret, game = chat_apps().get(channel.app), channel.readable_secret(), channel.game
    if app is None or secret is None or game.state != Game.State.RUNNING or game.due_at is None or game.due_at <= now:
        return None
    with suppress(UnknownRules):
        text, handle = status_message.write_reminder(channel)
        return app.chat_request(channel.address, secret, ChatMessage(text, str(uuid4()), handle=handle))
    return None


def _post(channels: Sequence[TableChannel], requests: Sequence[OutgoingRequest | None]) -> None:
    outcomes = http_client.post_each(requests)
    for channel, outcome in zip(channels, outcomes, strict=True):
        if outcome is not None and not (isinstance(outcome, Answer) and outcome.is_accepted):
            status = outcome.status if isinstance(outcome, Answer) else outcome
            logger.warning("a reminder in the channel of game %s was not taken: %s", channel.game_id, status)
