"""The player on whose behalf an email acts, found by the email's recipient address and its sender."""

from dataclasses import dataclass, replace
from typing import Any

from accounts.models import Account
from accounts.people import address_owners
from games.engine import SeatNumber
from games.models import Game
from games.text import links
from games.visibility.player_view import PlayerView
from notifications.mail_parsing.parsed_mail import Reply


def is_from(reply: Reply, account: Account) -> bool:
    """Return whether a mail comes from one of the confirmed addresses of an account."""
    return reply.agrees_with(address_owners.confirmed_addresses(account))


@dataclass(frozen=True)
class ActingPlayer:
    """A player on whose behalf an email acts."""

    game: Game
    seat: SeatNumber
    account: Account
    question: str
    """The id of the question that the email answers. Blank if the email may act for the seat only."""
    chat: links.ChatAddress | None = None
    """The chat that the email replies to, if it replies to one."""

    def current_view(self) -> PlayerView:
        """Return this player's view of the game in its present state."""
        return PlayerView(Game.objects.prefetch_related("seats__account").get(pk=self.game.pk), self.seat, self.account)


def find_player(token: str) -> ActingPlayer | None:
    """Return the player on the seat that an address's token names, or None for other tokens and for an empty seat."""
    match links.parse(token):
        case links.QuestionAddress(game, question):
            return _player_on_seat(game, SeatNumber(int(question.partition(".")[0])), question)
        case links.SeatAddress(game, seat):
            return _player_on_seat(game, seat, "")
        case links.ChatAddress(game, seat) as chatting:
            acting = _player_on_seat(game, seat, "")
            return replace(acting, chat=chatting) if acting else None
    return None


def _player_on_seat(game: Any, seat: SeatNumber, question: str) -> ActingPlayer | None:
    row = Game.objects.prefetch_related("seats__account").filter(pk=game).first()
    if row is None:
        return None
    for seat_row in row.seats.all():
        if seat_row.number == seat and seat_row.account is not None and seat_row.account.is_active:
            return ActingPlayer(row, seat, seat_row.account, question)
    return None


def writing_player(acting: ActingPlayer, reply: Reply) -> ActingPlayer:
    """Return the acting player with the stand-in's account if the stand-in wrote the email."""
    seat = next(seat for seat in acting.game.seats.all() if seat.number == acting.seat)
    stand_in = seat.stand_in.account if seat.stand_in else None
    if stand_in is None or not stand_in.is_active or acting.game.state != Game.State.RUNNING:
        return acting
    if is_from(reply, acting.account) or not is_from(reply, stand_in):
        return acting
    return replace(acting, account=stand_in)
