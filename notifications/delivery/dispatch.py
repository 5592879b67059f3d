"""Delivery of the letters that are posted to strangers' servers.

A letter is taken for a while by whoever dispatches it; nothing is locked while an answer is waited for. Only a crash
between the other side's yes and its being noted repeats a letter.
"""

from collections.abc import Iterable, Mapping, Sequence
from datetime import datetime, timedelta
from typing import Final

from django.db import transaction
from django.db.models import QuerySet

from notifications.channels import CHANNELS, POSTED
from notifications.channels.channel import ChannelError, Posting
from notifications.models import Letter, State
from notifications.outgoing.http_client import SIDE_BY_SIDE, Outcome, post_all
from notifications.recipients import channel_choice

LEASE: Final = timedelta(minutes=2)
"""For how long whoever dispatches a letter has it alone; longer than that can take."""


def dispatch_due(now: datetime) -> int:
    """Post what is due; how many letters were tried."""
    tried = 0
    while letters := _take(now):
        _dispatch(letters, now)
        tried += len(letters)
    return tried


def waiting(now: datetime) -> Iterable[QuerySet[Letter]]:
    """The letters that are due and posted."""
    return [_due(now)]


def _due(now: datetime) -> QuerySet[Letter]:
    due = Letter.objects.filter(state=State.READY, channel__in=POSTED, next_attempt_at__lte=now)
    return due.order_by("next_attempt_at")


def _take(now: datetime) -> list[Letter]:
    """Some letters that are due, for us alone until the lease is over."""
    with transaction.atomic():
        rows = _due(now).select_for_update(skip_locked=True, of=("self",)).select_related("account")
        letters = list(rows[:SIDE_BY_SIDE])
        Letter.objects.filter(pk__in=[each.pk for each in letters]).update(next_attempt_at=now + LEASE)
    return letters


def _dispatch(letters: Sequence[Letter], now: datetime) -> None:
    outgoing_requests = [_channel(letter).outgoing_requests(letter, now) for letter in letters]
    outcomes = iter(post_all([[each] for row in outgoing_requests for each in row]))
    for letter, row in zip(letters, outgoing_requests, strict=True):
        _settle(letter, {each.url: next(outcomes)[0] for each in row}, now)


def _channel(letter: Letter) -> Posting:
    channel = CHANNELS[letter.channel]
    assert isinstance(channel, Posting)
    return channel


def _settle(letter: Letter, outcomes: Mapping[str, Outcome], now: datetime) -> None:
    """Note what came of a letter. What was withdrawn meanwhile stays so."""
    with transaction.atomic():
        kept = Letter.objects.select_for_update(of=("self",)).filter(pk=letter.pk, state=State.READY).first()
        if kept is None:
            return
        assert kept.account_id is not None  # only accounts have channels that are posted to
        try:
            _channel(kept).settle(kept, outcomes)
        except ChannelError as error:
            kept.set_back(str(error), now, permanent=error.permanent)
            channel_choice.hasten(kept.account_id, [kept.topic], kept.question, now)
        else:
            kept.state, kept.sent_at = State.SENT, now
            kept.save(update_fields=["state", "sent_at"])
            channel_choice.spare(kept.account_id, [kept.topic], kept.question)
