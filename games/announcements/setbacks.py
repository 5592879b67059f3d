"""Notifications about moves, emails and group chats that do not work.

Moves and emails could not be resolved or read because of the server's own errors.

They are composed without the state of the game, which may be the cause. An error here does not stop the code that sets
a move or an email aside.
"""

import logging
from collections.abc import Callable, Mapping, Sequence
from datetime import datetime, timedelta
from typing import Final

import msgspec
from django.db import transaction
from django.utils.translation import gettext as _
from django.utils.translation import override

from accounts.models import Account
from config.core.logs import describe_error
from games.announcements.batches import topic_of
from games.engine import Phrase, SeatNumber, gettext_noop
from games.event_log import log_store
from games.models import Club, Game, Move
from games.phrases import isolated, quoted, render_phrase
from games.visibility.words import short_code
from notifications import outbox
from notifications.content import Prose, RenderedNotification

logger = logging.getLogger(__name__)

FAILED: Final = "failed"
"""The reason of these notifications."""
NOTIFY_AFTER: Final = timedelta(minutes=10)
"""The time for which a move waits to be resolved before its sender is notified."""


def of_move(move: Move, now: datetime) -> None:
    """Notify the sender of a move that it was set aside."""
    if move.account is not None:
        _notify(f"move:{move.pk}:{move.attempts}", move.game, move.account, _set_aside, now)


def of_mail(mail: int, game: Game, account: Account, now: datetime) -> None:
    """Notify the sender of an email that it was set aside."""
    _notify(f"mail:{mail}", game, account, _set_aside, now)


def of_delay(move: Move, now: datetime) -> None:
    """Notify the sender of a move, once, that it is delayed."""
    if move.account is not None:
        _notify(f"delayed:{move.pk}", move.game, move.account, _delayed, now)


def notify_resolved_at_last(move: Move, names: Mapping[SeatNumber, str], now: datetime) -> None:
    """Notify the sender of the outcome of a move that was delayed, or that was sent by email and not answered."""
    if move.account is None or (now - move.received_at < NOTIFY_AFTER and move.via != Move.Via.MAIL):
        return
    phrase = msgspec.json.decode(move.phrase, type=Phrase) if move.phrase else None
    _notify(f"resolved:{move.pk}", move.game, move.account, lambda: _resolved(phrase, names), now)


def of_group_chat(game: Game, app: str, chat: str, now: datetime) -> None:
    """Notify the host of a game that its group chat takes no further messages, once a day for each chat."""
    if game.host is not None:
        _notify(_chat_key(chat, game.host, now), game, game.host, lambda: _chat_stopped(app), now)


def of_club_chat(club: Club, account: Account, app: str, chat: str, now: datetime) -> None:
    """Notify the organizer who connected a club's group chat that the chat takes no further messages, once a day."""
    _add(_chat_key(chat, account, now), "", account, lambda: _club_chat_stopped(club, account, app), now)


def _chat_key(chat: str, account: Account, now: datetime) -> str:
    return f"chat:{chat}:{account.pk}:{now:%Y%m%d}"


NOT_YET: Final = gettext_noop(
    "Your move is saved, but an error on the server is holding up the game. We keep trying, and no deadline passes."
)
"""The text for the sender of a move in a stalled game, on the page of the game."""
Message = tuple[str, Sequence[str]]
"""A headline and sentences. The first one may contain ``game`` and ``table``."""


def _set_aside() -> Message:
    return _("Something went wrong: your answer wasn’t played."), (
        _("An error on the server stopped your message to %(game)s, game %(code)s. Nothing has changed in the game."),
        _("The operator of this server has been told."),
        _("If a question is still waiting for you, please answer it again."),
    )


def _delayed() -> Message:
    return _("We have your answer, but playing it is taking longer than usual."), (
        _("Your message to %(game)s, game %(code)s, has arrived and is saved."),
        _("An error on the server is holding up the game. We keep trying, and no deadline passes in the meantime."),
        _("You don’t need to do anything. We’ll email you when your answer has been played."),
    )


def _resolved(phrase: Phrase | None, names: Mapping[SeatNumber, str]) -> Message:
    about = _("This is about your message to %(game)s, game %(code)s.")
    if phrase is None:
        return _("Your move has now been played."), (about,)
    return _("Your answer was refused."), (about, render_phrase(phrase, names))


def _notify(subject: str, game: Game, account: Account, compose: Callable[[], Message], now: datetime) -> None:
    _add(subject, topic_of(game.pk), account, lambda: _rendered(game, account, *compose()), now)


def _add(subject: str, topic: str, account: Account, render: Callable[[], RenderedNotification], now: datetime) -> None:
    try:
        with transaction.atomic(), override(account.language):
            order = outbox.NewNotification(f"{FAILED}:{subject}", FAILED, account.pk, topic=topic)
            outbox.add_rendered(order, render(), now)
    except Exception as error:
        logger.error("the person concerned by %s could not be notified: %s", subject, describe_error(error))


def _chat_stopped(app: str) -> Message:
    return _("%(app)s no longer takes messages for your game.") % {"app": app}, (
        _("The chat that was connected to %(game)s, game %(code)s, no longer gets messages."),
        _("Perhaps it was deleted, or we were removed from it, or it didn’t answer for too long."),
        _("To go on, disconnect the chat on the page of the game, and connect it again."),
    )


def _club_chat_stopped(club: Club, account: Account, app: str) -> RenderedNotification:
    sentences = (
        _("You connected this chat to the club %(club)s.") % {"club": quoted(club.name)},
        _("Perhaps it was deleted, or we were removed from it, or it didn’t answer for too long."),
        _("To go on, disconnect the chat on the page of the club, and connect it again."),
    )
    headline = _("%(app)s no longer takes messages for your club.") % {"app": app}
    return RenderedNotification(account.language, _("Your club"), headline, (Prose(sentences),))


def _rendered(game: Game, account: Account, headline: str, sentences: Sequence[str]) -> RenderedNotification:
    title = render_phrase(log_store.rules_of(game).words.title, {})
    table = short_code(game)
    about, *more = sentences
    return RenderedNotification(
        language=account.language,
        subject=f"{title} {table}",
        headline=headline,
        blocks=(Prose((about % {"game": title, "code": isolated(table)}, *more)),),
    )
