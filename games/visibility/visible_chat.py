"""The chat of a game, as far as somebody may read it.

The chat is for everybody who sits at the table, also those who are out of the game; a private message is for its
two. Nobody else reads it, neither now nor after the end: messages between other people leave no trace in what a
player is given, no gap, no count and no order.
"""

from dataclasses import dataclass
from datetime import datetime
from uuid import UUID

from django.db.models import Q, QuerySet

from accounts.models import Account
from accounts.people import blocks
from games.engine import SeatNumber
from games.models import ChatMessage, Game, Seat


@dataclass(frozen=True)
class Heard:
    """A message as one of those who may hear it is given it."""

    id: UUID
    at: datetime
    seat: SeatNumber
    to: SeatNumber | None
    """Whom it was said to; None is all."""
    text: str | None
    """None where it was taken away: by a moderator, or with its author's account."""


def audible(game: Game, reader: Account) -> QuerySet[ChatMessage]:
    """The messages that this account may hear and wants to, in the order in which they were said."""
    return said_to(game, reader).exclude(author__in=blocks.hidden_authors(reader.pk))


def said_to(game: Game, reader: Account) -> QuerySet[ChatMessage]:
    """The messages that this account may hear, whether it wants to or not."""
    private = Q(to__isnull=False) & (Q(author=reader) | Q(reader=reader))
    seated = Seat.objects.filter(game=game, account=reader).exists()
    mine = private | Q(to__isnull=True) if seated else private
    return ChatMessage.objects.filter(mine, game=game).order_by("id")


def after(
    chat_messages: QuerySet[ChatMessage], game: Game, reader: Account, last: UUID
) -> QuerySet[ChatMessage] | None:
    """Those among ``messages`` that were said after one; None where there is none of this id for the reader."""
    seat = said_to(game, reader).filter(public_id=last).values_list("id", flat=True).first()
    return None if seat is None else chat_messages.filter(id__gt=seat)


def heard(chat_message: ChatMessage) -> Heard:
    """A message as it is given to those who may hear it."""
    to = None if chat_message.to is None else SeatNumber(chat_message.to)
    text = None if chat_message.hidden else chat_message.text or None
    return Heard(chat_message.public_id, chat_message.said_at, SeatNumber(chat_message.seat), to, text)
