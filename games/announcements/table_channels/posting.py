"""Posting how games stand to their channels, some seconds after it has changed."""

import json
import logging
from collections.abc import Iterable, Sequence
from contextlib import suppress
from datetime import datetime, timedelta
from hashlib import sha256
from typing import Final
from uuid import uuid4

from django.db import transaction
from django.db.models import F, QuerySet

from games.announcements.table_channels import reminding, status_message
from games.event_log.log_store import UnknownRules
from games.models import TableChannel
from notifications.channels.base import GONE, REFUSED, ChatApp, ChatMessage
from notifications.channels.registry import chat_apps
from notifications.outgoing.http_client import SIDE_BY_SIDE, Answer, Outcome, OutgoingRequest, post_all

logger = logging.getLogger(__name__)

LEASE: Final = timedelta(minutes=2)
"""For how long whoever posts has a channel alone; longer than that can take."""
APART: Final = timedelta(seconds=15)
"""The least time between two changes of one message."""
NEW_ONES_APART: Final = timedelta(hours=1)
"""The least time between two messages where an app cannot edit."""
TRIES: Final = 8
"""The number of failures in a row that end a channel."""
BACK_OFF: Final = timedelta(minutes=1)
"""The pause after the first failure; each further one doubles it."""


def waiting(now: datetime) -> Iterable[QuerySet[TableChannel]]:
    """The channels whose message does not tell how the game stands, and those in which is to be reminded of it."""
    return [_due(now), reminding.due(now)]


def post_and_remind(now: datetime) -> None:
    """Post how games stand, and then the reminders that are due."""
    post_due(now)
    reminding.remind_due(now)


def post_due(now: datetime) -> int:
    """Post what is due; return how many channels were looked at."""
    tried = 0
    while channels := _take(now):
        _post(channels, now)
        tried += len(channels)
    return tried


def _due(now: datetime) -> QuerySet[TableChannel]:
    changed = TableChannel.objects.exclude(told=F("game__public_head"))
    return changed.filter(next_attempt_at__lte=now).order_by("next_attempt_at")


def _take(now: datetime) -> list[TableChannel]:
    with transaction.atomic():
        rows = _due(now).select_for_update(skip_locked=True, of=("self",)).select_related("game")
        channels = list(rows[:SIDE_BY_SIDE])
        TableChannel.objects.filter(pk__in=[each.pk for each in channels]).update(next_attempt_at=now + LEASE)
    return channels


def _post(channels: Sequence[TableChannel], now: datetime) -> None:
    requests = [_request(channel) for channel in channels]
    outcomes = post_all([[request] if request else [] for request in requests])
    for channel, row in zip(channels, outcomes, strict=True):
        _settle(channel, row[0] if row else None, now)


def _request(channel: TableChannel) -> OutgoingRequest | None:
    """Return what is to be posted, and note of the channel what it will tell; None where nothing new is to be said."""
    app, secret = chat_apps().get(channel.app), channel.readable_secret()
    channel.told = channel.game.public_head
    if app is None or secret is None:
        return None
    with suppress(UnknownRules):
        text = status_message.write(channel)
        digest = sha256(text.encode()).hexdigest()
        if digest != channel.text:
            channel.text = digest
            message = ChatMessage(text, str(uuid4()), not channel.message, channel.message)
            return app.chat_request(channel.address, secret, message)
    return None


def _settle(channel: TableChannel, outcome: Outcome | None, now: datetime) -> None:
    """Note the result of a post to a channel. One that was taken away or replaced meanwhile stays so."""
    app = chat_apps().get(channel.app)
    rows = TableChannel.objects.filter(pk=channel.pk, secret=channel.secret)
    if isinstance(outcome, Answer) and outcome.taken and app is not None:
        message = channel.message or (_message_name(app, outcome) if app.can_edit else "")
        again_at = now + (APART if app.can_edit else NEW_ONES_APART)
        rows.update(
            told=channel.told,
            text=channel.text,
            message=message,
            attempts=0,
            next_attempt_at=again_at,
            remind_at=reminding.time_of_reminder(channel.game, now),
        )
    elif outcome is None:
        remind_at = reminding.time_of_reminder(channel.game, now)
        rows.update(told=channel.told, next_attempt_at=now + APART, remind_at=remind_at)
    else:
        _set_back(channel, rows, outcome, now)


def _message_name(app: ChatApp, answer: Answer) -> str:
    with suppress(ValueError, KeyError, TypeError):
        return str(app.message_name(json.loads(answer.body)))[:255]
    return ""


def _set_back(channel: TableChannel, rows: QuerySet[TableChannel], outcome: Outcome, now: datetime) -> None:
    status = outcome.status if isinstance(outcome, Answer) else None
    tries = channel.attempts + 1
    is_over = tries >= TRIES or status in (*GONE, *REFUSED)
    rows.update(attempts=tries, next_attempt_at=None if is_over else now + BACK_OFF * 2 ** (tries - 1))
    level, came = (logging.ERROR, "given up") if is_over else (logging.WARNING, "tried again later")
    logger.log(level, "channel of game %s, try %d, %s: %s", channel.game_id, tries, came, status or outcome)
