"""Additions of a club to a game of its own: the game is private, its members hear of it, and its chat tells of it."""

from contextlib import suppress
from datetime import datetime
from uuid import UUID

from accounts.models import Account
from games.announcements.clubs import club_emails
from games.clubs import club_channel
from games.clubs.rights import held, membership
from games.engine import Phrase, gettext_noop
from games.models import Club, ClubChannel, Game
from games.refusals import Refusal


def club_named(account: Account, club: UUID | None) -> Club | None:
    """The club in which an account creates a game, ``locked``; None where it names none. Refusal ``malformed``."""
    if club is None:
        return None
    found = _locked_club(account, club)
    if found is None:
        raise Refusal("malformed", Phrase(gettext_noop("You are in no such club.")), "club")
    return found


def club_of_rematch(account: Account, game: UUID) -> Club | None:
    """Return the club for the rematch of a game, and lock it: the club of the game, if the account is still a member.

    The club is locked before the game, as everywhere.
    """
    club = Game.objects.filter(pk=game).values_list("club", flat=True).first()
    return None if club is None else _locked_club(account, club)


def _locked_club(account: Account, club: UUID) -> Club | None:
    """A club in which an account is. It is locked, so that its chat and its members stay until a game is created."""
    with suppress(Refusal):
        return held(membership(account, club)).club
    return None


def open_in_club(game: Game, now: datetime) -> None:
    """Notify the club of a game, if it has one, that the game was created. Call it in the same transaction."""
    if game.club_id is None:
        return
    channel = ClubChannel.objects.filter(club=game.club_id).first()
    if channel is not None:
        club_channel.attach(channel, Game.objects.filter(pk=game.pk), now)
    if game.state == Game.State.OPEN:
        club_emails.notify_members(game, now)
