"""Posting the state of games to their channels, some seconds after a change."""

import json
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
from notifications.channels.base import ChatApp, ChatMessage
from notifications.channels.registry import chat_apps
from notifications.outgoing import http_client
from notifications.outgoing.http_client import SIDE_BY_SIDE, Answer, Outcome, OutgoingRequest

APART: Final = timedelta(seconds=15)
"""The least time between two changes of one message."""
NEW_ONES_APART: Final = timedelta(hours=1)
"""The least time between two messages in an app that cannot edit messages."""


def waiting(now: datetime) -> Iterable[QuerySet[TableChannel]]:
    """Return the channels whose message is out of date, and those with a due reminder."""
    return [_due(now), reminding.due(now)]


def post_due(now: datetime) -> int:
    """Post one batch of due messages. Return the number of channels that were checked, 0 if none is due."""
    channels = _take(now)
    _post(channels, now)
    return len(channels)


def _due(now: datetime) -> QuerySet[TableChannel]:
    changed = TableChannel.objects.exclude(told=F("game__public_head"))
    return changed.filter(next_attempt_at__lte=now).order_by("next_attempt_at")


def _take(now: datetime) -> list[TableChannel]:
    with transaction.atomic():
        rows = _due(now).select_for_update(skip_locked=True, of=("self",)).select_related("game")
        channels = list(rows[:SIDE_BY_SIDE])
        TableChannel.objects.filter(pk__in=[channel.pk for channel in channels]).update(
            next_attempt_at=now + http_client.CHAT_LEASE
        )
    return channels


def _post(channels: Sequence[TableChannel], now: datetime) -> None:
    outcomes = http_client.post_each([_request(channel) for channel in channels])
    for channel, outcome in zip(channels, outcomes, strict=True):
        _settle(channel, outcome, now)


def _request(channel: TableChannel) -> OutgoingRequest | None:
    """Return the request that posts the message, and record its content. None if it is up to date."""
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
    """Store the result of a post to a channel. A channel that was disconnected or replaced meanwhile is not changed."""
    app = chat_apps().get(channel.app)
    rows = TableChannel.objects.filter(pk=channel.pk, secret=channel.secret)
    if isinstance(outcome, Answer) and outcome.is_accepted and app is not None:
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
        tries = channel.attempts + 1
        next_attempt_at = http_client.next_attempt(f"channel of game {channel.game_id}", tries, outcome, now)
        rows.update(attempts=tries, next_attempt_at=next_attempt_at)


def _message_name(app: ChatApp, answer: Answer) -> str:
    with suppress(ValueError, KeyError, TypeError):
        return str(app.message_name(json.loads(answer.body)))[:255]
    return ""
