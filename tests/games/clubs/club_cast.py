"""A club with an account in each role."""

from dataclasses import dataclass

from accounts.models import Account
from games import clubs
from games.clubs import get_membership
from games.models import Club, Membership
from tests.third_game.table import NOON


@dataclass
class Cast:
    """Maryam owns the club, Sepideh organizes it, Bahareh is a member, and Dariush has never heard of it."""

    owner: Account
    organizer: Account
    member: Account
    stranger: Account
    club: Club

    def place(self, role: str) -> Membership:
        """Return the stored membership of an account."""
        return get_membership(getattr(self, role), self.club.pk)


def founded(owner: Account, organizer: Account, member: Account, stranger: Account) -> Cast:
    """A club of the first three of them."""
    own_club = clubs.create_club(owner, "Thursday liars", "We meet on Thursdays.", NOON)
    for account in (organizer, member):
        clubs.join_club(account, own_club.club.code, NOON)
    cast = Cast(owner, organizer, member, stranger, own_club.club)
    clubs.appoint(own_club, cast.place("organizer").pk, "organizer", NOON)
    return cast
