"""Several notifications together: their data in a few queries, pauses between questions, and digests.

Questions of one game within minutes are put into one email. A digest combines several notifications to one reader.
"""

import uuid
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Final

import msgspec
from django.conf import settings
from django.db import DatabaseError
from django.db.models import Exists, OuterRef, QuerySet
from django.db.models.functions import Coalesce
from django.utils.translation import gettext as _
from django.utils.translation import override

from games import links
from games.announcements.email_blocks import how_to_answer_several
from games.event_log import log_store
from games.event_log.log_store import Line
from games.models import ChatMessage, Game, Move, OpenQuestion
from games.phrases import number
from games.visibility import seats
from notifications import preferences, reply_addresses
from notifications.channels.registry import MAIL
from notifications.content import Answers, Block, Footnote, Heading, Link, Prose, RenderedNotification, answerable
from notifications.kinds import release
from notifications.models import Notification, State

Part = tuple[Notification, RenderedNotification | None]
"""A notification with its content, or without content if it is out of date."""
TOPIC: Final = "game:"
"""The prefix of the topic of a game. Questions of invitations have other topics."""
SOON: Final = timedelta(seconds=2)
"""The delay of a notification whose game is being changed."""


def topic_of(game: uuid.UUID) -> str:
    """Return the topic of all notifications about a game."""
    return f"{TOPIC}{game}"


def game_of(topic: str) -> uuid.UUID:
    """Return the game of a topic. Raises ValueError for a topic of another kind."""
    return uuid.UUID(topic.removeprefix(TOPIC))


@dataclass(frozen=True)
class Tables:
    """The games of some notifications, with the state of their questions."""

    games: Mapping[uuid.UUID, Game]
    logs: Mapping[uuid.UUID, tuple[log_store.Position, list[Line]]]
    open: Mapping[tuple[uuid.UUID, str], OpenQuestion]
    answered: Collection[tuple[uuid.UUID, str]]
    """Questions with an answer that is waiting to be resolved."""
    with_chat: Collection[uuid.UUID]
    """Games with chat messages."""
    last_question_times: Mapping[uuid.UUID, datetime]
    """The time when the reader of a notification was sent another question of the game, if that was minutes ago."""


def read(notifications: Sequence[Notification], now: datetime) -> Tables:
    """Read the data that these notifications need. Raises UnknownRules if the rules of a game are not installed."""
    games = seats.games_with_seats({question_of(notification)[0] for notification in notifications})
    positions, lines = log_store.positions(games), log_store.read_many(games, {})
    received_moves = Move.objects.filter(state=Move.State.RECEIVED, game__in=games)
    has_chat = Exists(ChatMessage.objects.filter(game=OuterRef("pk")))
    chatting = [game.id for game in games if game.terms.chat != "none"]
    return Tables(
        {game.id: game for game in games},
        {game.id: (positions[game.id], lines[game.id]) for game in games},
        {row.pk: row for row in _open_questions(notifications)},
        set(received_moves.values_list("game", "question")),
        set(Game.objects.filter(has_chat, pk__in=chatting).values_list("pk", flat=True)),
        last_question_emails(notifications, now),
    )


def try_read(notifications: Sequence[Notification], now: datetime) -> Tables | None:
    """Read the data that these notifications need. Return None on failure, so that each is read alone."""
    try:
        return read(notifications, now) if notifications else None
    except DatabaseError:
        raise
    except Exception:  # Logged when that notification is composed alone.
        return None


def lock_open_questions(notifications: Sequence[Notification]) -> tuple[set[uuid.UUID], set[uuid.UUID]]:
    """Return the notifications whose open question is now locked, and those whose question is just being closed.

    A transaction that wants to close a locked question waits and then finds the notification written. Composing takes
    time, and answers should not wait for it, so the questions are locked last.
    """
    rows = _open_questions(notifications)
    locked = {row.pk for row in rows.select_for_update(skip_locked=True)}
    others = [notification for notification in notifications if question_of(notification) not in locked]
    closing = {row.pk for row in _open_questions(others)}
    return (
        {notification.pk for notification in notifications if question_of(notification) in locked},
        {other.pk for other in others if question_of(other) in closing},
    )


def keep_questions_open(parts: Sequence[Part], now: datetime) -> Iterator[Part]:
    """Yield notifications with their content, or without content if their question is closed.

    Must run inside a transaction: the questions stay open until its end. A notification whose question is just being
    closed is delayed.
    """
    with_question = [row for row, rendered in parts if rendered and row.question and row.topic.startswith(TOPIC)]
    locked, closing = lock_open_questions(with_question) if with_question else (set(), set())
    for notification, rendered in parts:
        if notification.pk in closing:
            notification.next_attempt_at, notification.told = now + SOON, None
            notification.save(update_fields=["next_attempt_at", "told"])
        else:
            yield notification, rendered if notification not in with_question or notification.pk in locked else None


def question_of(notification: Notification) -> tuple[uuid.UUID, str]:
    """Return the game of a notification and the id of its question, which may be blank."""
    return uuid.UUID(notification.topic.rpartition(":")[2]), notification.question


def _open_questions(notifications: Iterable[Notification]) -> QuerySet[OpenQuestion]:
    return OpenQuestion.objects.filter(pk__in=[question_of(notification) for notification in notifications], bot=False)


def last_question_emails(notifications: Iterable[Notification], now: datetime) -> dict[uuid.UUID, datetime]:
    """Return the time of the last email with another question of the same game, for each notification that has one.

    Only emails of the last minutes to the same reader count.
    """
    with_question = [
        notification
        for notification in notifications
        if notification.question and notification.channel == MAIL and not notification.held
    ]
    if not with_question:
        return {}
    earlier = Notification.objects.filter(
        channel=MAIL,
        state__in=[State.READY, State.SENT],
        account__in={notification.account_id for notification in with_question},
        topic__in={notification.topic for notification in with_question},
    )
    earlier = earlier.exclude(question="").annotate(at=Coalesce("sent_at", "next_attempt_at"))
    earlier = earlier.filter(at__gt=now - settings.QUESTION_EMAILS_APART).order_by("at")
    emails = list(earlier.values_list("account", "topic", "question", "at"))
    return {
        notification.pk: at
        for notification in with_question
        for account, topic, question, at in emails
        if (account, topic) == (notification.account_id, notification.topic) and question != notification.question
    }


def earliest(notification: Notification, game: uuid.UUID, last: datetime | None, now: datetime) -> datetime | None:
    """Return the earliest time of a notification with a question, or None if it may be sent now.

    ``last`` is the time of the last email with another question of this game. The notification waits for some minutes
    after it, because the reader may answer on a page meanwhile and another question may follow. It does not wait into
    quiet hours. A reader who answered the last email by email waits for the next one, so it is sent without a pause.
    """
    if last is None or _is_answered_by_mail(notification, game, last):
        return None
    next_slot = last + settings.QUESTION_EMAILS_APART
    until = min(next_slot, notification.latest_at or next_slot)
    return None if until <= now or _is_quiet(notification, until) else until


def _is_quiet(notification: Notification, moment: datetime) -> bool:
    """Return whether a moment is within the reader's quiet hours."""
    return release(preferences.of(notification.account).wishes(), moment, moment, None) > moment


def _is_answered_by_mail(notification: Notification, game: uuid.UUID, since: datetime) -> bool:
    moves = Move.objects.filter(game=game, account=notification.account_id, via=Move.Via.MAIL)
    return moves.filter(received_at__gte=since).exists()


THREAD: Final = "digest"
"""The thread of the digests to one reader."""


def digest(lead: Notification, parts: Sequence[RenderedNotification]) -> RenderedNotification:
    """Combine notifications into one. A line of a reply names its game by its code. Each question keeps its own address
    too.
    """
    assert lead.account is not None
    with override(lead.account.language):
        question_count = sum(_asks(part) for part in parts)
        return answerable(
            RenderedNotification(
                language=lead.account.language,
                subject=_("Your games at Darbar"),
                headline=_headline(question_count),
                blocks=(
                    Prose((how_to_answer_several(),)),
                    *(block for part in parts for block in _within(part)),
                ),
                reply_to=reply_addresses.address(reply_addresses.DIGEST, reply_addresses.short(lead.id)),
                thread=THREAD,
            )
        )


def _headline(question_count: int) -> str:
    if not question_count:
        return _("There’s news from your games.")
    return _("Questions waiting for your answer: %(count)s.") % {"count": number(question_count)}


def _asks(part: RenderedNotification) -> bool:
    return any(block.__struct_config__.tag == "answers" for block in part.blocks)


def _within(part: RenderedNotification) -> list[Block]:
    """Return a notification as a part of a digest, with a link to answer by email in place of the instructions."""
    blocks: list[Block] = [Heading(f"{part.subject}: {part.headline}")]
    for block in part.blocks:
        if isinstance(block, Answers):
            blocks.append(msgspec.structs.replace(block, title=_("Your options")))
        elif not isinstance(block, Footnote) or not block.explains_reply:
            blocks.append(block)
        else:
            blocks.append(Link(_("Answer this question by email"), links.reply_link(part.reply_to, part.subject)))
    return blocks
