"""Data that players see beside the game: chat, presence, and email replies that the server could not read.

Messages to all are for the players of the game, including those who are out. A private message is for its two players.
Other accounts never read them, not even after the game. Messages between other players leave no trace in the output: no
gap, no count and no order.

Presence says whether all players have the game open now, on a page or in an app. Only players of the game learn this,
and only if all of them have agreed to it. So nothing is revealed about a player who has not agreed, nor about which
players are present.
"""

from collections.abc import Collection
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Final, NamedTuple
from uuid import UUID

from django.db.models import Exists, OuterRef, Q, QuerySet

from accounts import blocks
from accounts.models import Account
from games.deadlines import pauses
from games.engine import SeatNumber
from games.event_log import log_store
from games.models import ChatMessage, Game, Presence, Seat, UnreadReply
from games.visibility.access import GameAccess


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


PRESENCE_KEPT: Final = timedelta(minutes=3)
"""The time for which a player counts as present after they had the page open. Each minute, a visible page repeats that.
"""
_RENEWED_AFTER: Final = PRESENCE_KEPT / 3
"""The presence is stored again if the page is rendered this much later."""


class AllHere(NamedTuple):
    """All players are present."""

    accounts: Collection[int]
    until: datetime
    """The time until which all of them count as present."""


def note_presence(game: Game, account: Account, now: datetime) -> None:
    """Record that a player who has agreed to it has a game open."""
    if not account.shows_presence or game.state != Game.State.RUNNING:
        return
    if not Presence.objects.filter(game=game, account=account, until__gt=now + PRESENCE_KEPT - _RENEWED_AFTER).exists():
        Presence.objects.bulk_create(
            [Presence(game=game, account=account, until=now + PRESENCE_KEPT)],
            update_conflicts=True,
            unique_fields=["game", "account"],
            update_fields=["until"],
        )


def all_here(game: Game, account: Account, now: datetime) -> AllHere | None:
    """Return ``AllHere`` for a player if all players are present and have agreed to show it, otherwise None."""
    here = _here(game, now) if account.shows_presence else {}
    if account.pk not in here:
        return None
    seats = {SeatNumber(seat.number): seat for seat in game.seats.all()}
    playing = [seats[seat] for seat in pauses.people(log_store.rules_of(game), log_store.position(game).state, seats)]
    accounts = {seat.account_id for seat in playing if seat.account_id is not None}
    if len(accounts) < 2 or account.pk not in accounts or any(seat.by_bot for seat in playing):
        return None
    return AllHere(accounts, min(here[account] for account in accounts)) if accounts <= here.keys() else None


def _here(game: Game, now: datetime) -> dict[int, datetime]:
    rows = Presence.objects.filter(game=game, until__gt=now, account__shows_presence=True)
    return dict(rows.values_list("account", "until"))


def delete_expired_presences(now: datetime) -> None:
    """Delete the records of players whose page is no longer open."""
    Presence.objects.filter(until__lt=now).delete()


_SHOWN_FOR: Final = timedelta(days=3)
_MOST: Final = 3


def own_unread_replies(access: GameAccess, now: datetime) -> list[UnreadReply]:
    """Return the latest unread replies of the reader's own account in this game, newest first."""
    if access.reader is None:
        return []
    rows = UnreadReply.objects.filter(account=access.reader, game=access.game, received_at__gt=now - _SHOWN_FOR)
    return [*rows.order_by("-received_at", "-pk")[:_MOST]]
