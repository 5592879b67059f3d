"""The games of a club: they are private, members are notified of them, and they post to the club's chat."""

from contextlib import suppress
from datetime import datetime
from uuid import UUID

from accounts.models import Account
from games.announcements import club_emails
from games.clubs import club_channel
from games.clubs.rights import get_membership, lock_membership
from games.engine import Phrase, gettext_noop
from games.models import Club, ClubChannel, Game
from games.refusals import Refusal


def lock_club_of_new_game(account: Account, club: UUID | None) -> Club | None:
    """Return the club of a new game and lock it, or None if the game has no club. Raises Refusal(malformed)."""
    if club is None:
        return None
    row = _lock_own_club(account, club)
    if row is None:
        raise Refusal("malformed", Phrase(gettext_noop("You are in no such club.")), "club")
    return row


def lock_club_of_rematch(account: Account, game: UUID) -> Club | None:
    """Return and lock the club of a game for its rematch, or None if the account is not a member.

    Clubs are always locked before games.
    """
    club = Game.objects.filter(pk=game).values_list("club", flat=True).first()
    return None if club is None else _lock_own_club(account, club)


def _lock_own_club(account: Account, club: UUID) -> Club | None:
    """Return and lock a club of the account, or None. Its chat and members cannot change until the game is created."""
    with suppress(Refusal):
        return lock_membership(get_membership(account, club)).club
    return None


def add_to_club(game: Game, now: datetime) -> None:
    """Connect a new game to the chat of its club, and notify the members. Call it in the transaction that creates the
    game.
    """
    if game.club_id is None:
        return
    channel = ClubChannel.objects.filter(club=game.club_id).first()
    if channel is not None:
        club_channel.connect_games(channel, Game.objects.filter(pk=game.pk), now)
    if game.state == Game.State.OPEN:
        club_emails.notify_members(game, now)
