"""Posting about tournaments to the chats of clubs: each message once, one after another in each chat."""

import logging
from collections.abc import Iterable, Sequence
from datetime import datetime

from django.db import transaction
from django.db.models import Exists, OuterRef, QuerySet

from games.announcements.table_channels.posting import BACK_OFF, LEASE, TRIES
from games.models import TournamentPost
from games.tournaments import post_words
from notifications.channels.base import GONE, REFUSED, ChatMessage
from notifications.channels.registry import chat_apps
from notifications.outgoing.http_client import SIDE_BY_SIDE, Answer, Outcome, OutgoingRequest, post_all

logger = logging.getLogger(__name__)


def waiting(now: datetime) -> Iterable[QuerySet[TournamentPost]]:
    """The messages that wait to be posted."""
    return [_due(now)]


def post_due(now: datetime) -> int:
    """Post what is due; return how many messages were looked at."""
    tried = 0
    while posts := _take(now):
        _post(posts, now)
        tried += len(posts)
    return tried


def _due(now: datetime) -> QuerySet[TournamentPost]:
    """The first message of each chat, once its time has come: a later one waits for it."""
    before = TournamentPost.objects.filter(channel=OuterRef("channel"), pk__lt=OuterRef("pk"))
    return TournamentPost.objects.filter(~Exists(before), next_attempt_at__lte=now).order_by("next_attempt_at")


def _take(now: datetime) -> list[TournamentPost]:
    with transaction.atomic():
        rows = _due(now).select_for_update(skip_locked=True, of=("self",)).select_related("channel", "tournament")
        posts = list(rows[:SIDE_BY_SIDE])
        TournamentPost.objects.filter(pk__in=[each.pk for each in posts]).update(next_attempt_at=now + LEASE)
    return posts


def _post(posts: Sequence[TournamentPost], now: datetime) -> None:
    requests = [_request(each) for each in posts]
    outcomes = post_all([[request] if request else [] for request in requests])
    for post, row in zip(posts, outcomes, strict=True):
        _settle(post, row[0] if row else None, now)


def _request(post: TournamentPost) -> OutgoingRequest | None:
    """Return what is to be posted; None where it cannot be."""
    app, secret = chat_apps().get(post.channel.app), post.channel.readable_secret()
    if app is None or secret is None:
        return None
    return app.chat_request(post.channel.address, secret, ChatMessage(post_words.write(post), str(post.key)))


def _settle(post: TournamentPost, outcome: Outcome | None, now: datetime) -> None:
    """Forget a message that was taken, or that is given up; try another one again later."""
    row = TournamentPost.objects.filter(pk=post.pk)
    if outcome is None or (isinstance(outcome, Answer) and outcome.taken):
        row.delete()
        return
    status = outcome.status if isinstance(outcome, Answer) else None
    tries = post.attempts + 1
    is_over = tries >= TRIES or status in (*GONE, *REFUSED)
    if is_over:
        row.delete()
    else:
        row.update(attempts=tries, next_attempt_at=now + BACK_OFF * 2 ** (tries - 1))
    level, came = (logging.ERROR, "given up") if is_over else (logging.WARNING, "tried again later")
    logger.log(level, "message about tournament %s, try %d, %s: %s", post.tournament_id, tries, came, status or outcome)
