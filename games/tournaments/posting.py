"""Posting messages about tournaments to the chats of clubs: each message once, in order in each chat."""

from collections.abc import Iterable, Sequence
from datetime import datetime

from django.db import transaction
from django.db.models import Exists, OuterRef, QuerySet

from games.models import TournamentPost
from games.tournaments import post_words
from notifications.channels.base import ChatMessage
from notifications.channels.registry import chat_apps
from notifications.outgoing import http_client
from notifications.outgoing.http_client import SIDE_BY_SIDE, Answer, Outcome, OutgoingRequest


def waiting(now: datetime) -> Iterable[QuerySet[TournamentPost]]:
    """Return the messages that are due."""
    return [_due(now)]


def post_due(now: datetime) -> int:
    """Post one batch of due messages. Return the number of messages that were checked, 0 if none is due."""
    posts = _take(now)
    _post(posts, now)
    return len(posts)


def _due(now: datetime) -> QuerySet[TournamentPost]:
    """Return the first message of each chat, if it is due. Later messages wait for it."""
    before = TournamentPost.objects.filter(channel=OuterRef("channel"), pk__lt=OuterRef("pk"))
    return TournamentPost.objects.filter(~Exists(before), next_attempt_at__lte=now).order_by("next_attempt_at")


def _take(now: datetime) -> list[TournamentPost]:
    with transaction.atomic():
        rows = _due(now).select_for_update(skip_locked=True, of=("self",)).select_related("channel", "tournament")
        posts = list(rows[:SIDE_BY_SIDE])
        TournamentPost.objects.filter(pk__in=[post.pk for post in posts]).update(
            next_attempt_at=now + http_client.CHAT_LEASE
        )
    return posts


def _post(posts: Sequence[TournamentPost], now: datetime) -> None:
    outcomes = http_client.post_each([_request(post) for post in posts])
    for post, outcome in zip(posts, outcomes, strict=True):
        _settle(post, outcome, now)


def _request(post: TournamentPost) -> OutgoingRequest | None:
    """Return the request that posts a message, or None if it cannot be posted."""
    app, secret = chat_apps().get(post.channel.app), post.channel.readable_secret()
    if app is None or secret is None:
        return None
    return app.chat_request(post.channel.address, secret, ChatMessage(post_words.write_post(post), str(post.key)))


def _settle(post: TournamentPost, outcome: Outcome | None, now: datetime) -> None:
    """Delete a message that was accepted or that is given up. Otherwise schedule the next attempt."""
    row = TournamentPost.objects.filter(pk=post.pk)
    if outcome is None or (isinstance(outcome, Answer) and outcome.is_accepted):
        row.delete()
        return
    tries = post.attempts + 1
    again_at = http_client.next_attempt(f"message about tournament {post.tournament_id}", tries, outcome, now)
    if again_at is None:
        row.delete()
    else:
        row.update(attempts=tries, next_attempt_at=again_at)
