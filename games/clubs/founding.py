"""Creating, changing and closing clubs."""

from datetime import datetime
from typing import Final

from django.db import transaction

from accounts.limits.rate_limits import DAY, Policy
from accounts.models import Account
from games.clubs import club_channel
from games.clubs.joining import check_clubs
from games.clubs.rights import Right, Role, lock_membership, require
from games.engine import Phrase, gettext_noop
from games.models import Club, Membership, Tournament
from games.play import game_caps
from games.refusals import Refusal
from games.text.own_words import check_about, check_name

MOST_OWNED: Final = 5
"""The maximum number of clubs that an account may own."""
DAILY: Final = Policy("clubs", 10, DAY)
"""The limit for clubs that an account creates."""


def create_club(account: Account, name: str, about: str, now: datetime) -> Membership:
    """Create a club that is owned by the account.

    Raises Refusal(malformed), Refusal(forbidden) for a bot account, and Refusal(limit-reached) or Refusal(rate-limited)
    for too many clubs.
    """
    if account.is_bot:
        raise Refusal("forbidden", Phrase(gettext_noop("Clubs are created by people. A bot account may join one.")))
    club = Club(name=check_name(name), about=check_about(about), created_at=now)
    with game_caps.lock_account(account):
        check_owned(account)
        check_clubs(account)
        sentence = gettext_noop("You may create at most %(most)s clubs a day. Try again later.")
        game_caps.enforce_rate(account, DAILY, sentence, now)
        club.save(force_insert=True)
        return Membership.objects.create(club=club, account=account, role=Role.OWNER, joined_at=now)


@transaction.atomic
def change_club(membership: Membership, name: str | None = None, about: str | None = None) -> Membership:
    """Change the name or the description of a club. None means no change. Raises Refusal(malformed) or
    Refusal(forbidden).
    """
    membership = lock_membership(membership)
    require(membership, Right.EDIT)
    club = membership.club
    if name is not None:
        club.name = check_name(name)
    if about is not None:
        club.about = check_about(about)
    club.save(update_fields=["name", "about"])
    return membership


@transaction.atomic
def close_club(membership: Membership) -> None:
    """Close a club, and delete its tournaments. Its running games continue. Raises Refusal(forbidden)."""
    membership = lock_membership(membership)
    require(membership, Right.CLOSE)
    delete_club(membership.club)


def check_owned(account: Account) -> None:
    """Raise Refusal(limit-reached) for an account that owns the maximum number of clubs."""
    if Membership.objects.filter(account=account, role=Role.OWNER).count() >= MOST_OWNED:
        sentence = gettext_noop("You own %(most)s clubs, which is the limit. Close one, or hand it over, first.")
        raise Refusal("limit-reached", Phrase(sentence, {"most": MOST_OWNED}))


def delete_club(club: Club) -> None:
    """Delete a locked club with its tournaments. These are locked too, so that no round starts in the meantime."""
    club_channel.remove_chat(club)
    list(Tournament.objects.select_for_update().filter(club=club).order_by("pk"))
    club.delete()
