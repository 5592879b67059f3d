"""Additions of a club to a game of its own: the game is private, its members hear of it, and its chat tells of it."""

from datetime import datetime
from uuid import UUID

from accounts.models import Account
from games.announcements.clubs import club_emails
from games.clubs import club_channel
from games.clubs.rights import is_member
from games.engine import Phrase, gettext_noop
from games.models import Club, ClubChannel, Game
from games.refusals import Refusal


def club_named(account: Account, club: UUID | None) -> Club | None:
    """The club in which an account creates a game; None where it names none. Refusal ``malformed``."""
    if club is None:
        return None
    if not is_member(account, club):
        raise Refusal("malformed", Phrase(gettext_noop("You are in no such club.")), "club")
    return Club.objects.get(pk=club)


def club_of_rematch(account: Account, game: Game) -> Club | None:
    """The club of the rematch of a game: its own, where whoever wants to play again is still in it."""
    return game.club if is_member(account, game.club_id) else None


def open_in_club(game: Game, now: datetime) -> None:
    """Tell a club, where there is one, of a game that was just created in it. In the transaction of the game."""
    if game.club_id is None:
        return
    channel = ClubChannel.objects.filter(club=game.club_id).first()
    if channel is not None:
        club_channel.attach(channel, Game.objects.filter(pk=game.pk), now)
    if game.state == Game.State.OPEN:
        club_emails.notify_members(game, now)
