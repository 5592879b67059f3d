"""The messages of a game's chat that an account may read.

Messages to all are for the players of the game, including those who are out. A private message is for its two players.
Other accounts never read them, not even after the game. Messages between other players leave no trace in the output: no
gap, no count and no order.
"""

from dataclasses import dataclass
from datetime import datetime
from uuid import UUID

from django.db.models import Exists, OuterRef, Q, QuerySet

from accounts.models import Account
from accounts.people import blocks
from games.engine import SeatNumber
from games.models import ChatMessage, Game, Seat


@dataclass(frozen=True)
class VisibleMessage:
    """A message as its readers see it."""

    id: UUID
    at: datetime
    seat: SeatNumber
    to: SeatNumber | None
    """The seat of the recipient, or None for a message to all."""
    text: str | None
    """The text, or None if a moderator removed it, or its author's account was deleted."""


def visible_messages(game: Game, reader: Account) -> QuerySet[ChatMessage]:
    """Return the messages that the account may read, without those of accounts that it has blocked or muted, oldest
    first.
    """
    return readable_messages(game, reader).exclude(author__in=blocks.hidden_authors(reader.pk))


def readable_messages(game: Game, reader: Account) -> QuerySet[ChatMessage]:
    """Return the messages that this account may read, including those of players that it has blocked or muted."""
    private = Q(to__isnull=False) & (Q(author=reader) | Q(reader=reader))
    seated = Exists(Seat.objects.filter(game=OuterRef("game"), account=reader))
    return ChatMessage.objects.filter(private | (Q(to__isnull=True) & Q(seated)), game=game).order_by("id")


def messages_after(
    chat_messages: QuerySet[ChatMessage], game: Game, reader: Account, last: UUID
) -> QuerySet[ChatMessage] | None:
    """Return the messages of ``chat_messages`` after the one with this id, or None if the reader cannot see such a
    message.
    """
    position = readable_messages(game, reader).filter(public_id=last).values_list("id", flat=True).first()
    return None if position is None else chat_messages.filter(id__gt=position)


def visible_message(chat_message: ChatMessage) -> VisibleMessage:
    """Return a message as its readers see it."""
    to = None if chat_message.to is None else SeatNumber(chat_message.to)
    text = None if chat_message.hidden else chat_message.text or None
    return VisibleMessage(chat_message.public_id, chat_message.sent_at, SeatNumber(chat_message.seat), to, text)
