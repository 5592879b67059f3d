"""Joining a club by its link."""

from datetime import datetime
from typing import Final

from django.db import transaction

from accounts.limits.rate_limits import DAY, Policy
from accounts.models import Account
from games.clubs.rights import Right, lock_club, lock_membership, require
from games.engine import Phrase, gettext_noop
from games.models import Club, Membership, new_code
from games.play import game_caps
from games.refusals import Refusal, not_found

MOST_CLUBS: Final = 30
"""The maximum number of clubs of an account."""
MOST_MEMBERS: Final = 200
DAILY: Final = Policy("club-joins", 20, DAY)
"""The limit for clubs that an account joins."""


def find_club_by_code(code: str) -> Club:
    """Return the club with this link. Raises Refusal(not-found)."""
    club = Club.objects.filter(code=code.strip().lower()).first()
    if club is None:
        raise not_found()
    return club


def join_club(account: Account, code: str, now: datetime) -> Membership:
    """Become a member. Has no effect for a member.

    Raises Refusal(not-found) if no club has this link now, Refusal(forbidden) for a guest, Refusal(limit-reached) and
    Refusal(rate-limited).
    """
    club = find_club_by_code(code)
    if account.is_guest:
        raise Refusal("forbidden", Phrase(gettext_noop("Guests cannot join a club. Make an account first.")))
    with game_caps.lock_account(account):
        if lock_club(club.pk).code != club.code:
            raise not_found()
        membership = Membership.objects.select_related("club", "account").filter(account=account, club=club).first()
        if membership is not None:
            return membership
        check_clubs(account)
        _check_room(club)
        sentence = gettext_noop("You may join at most %(most)s clubs a day. Try again later.")
        game_caps.enforce_rate(account, DAILY, sentence, now)
        return Membership.objects.create(club=club, account=account, joined_at=now)


@transaction.atomic
def renew_link(membership: Membership) -> None:
    """Give a club a new link. The old one stops working. Raises Refusal(forbidden)."""
    membership = lock_membership(membership)
    require(membership, Right.INVITE)
    membership.club.code = new_code()
    membership.club.save(update_fields=["code"])


def check_clubs(account: Account) -> None:
    """Raise Refusal(limit-reached) for an account that is in the maximum number of clubs."""
    if Membership.objects.filter(account=account).count() >= MOST_CLUBS:
        sentence = gettext_noop("You are in %(most)s clubs, which is the limit. Leave one of them first.")
        raise Refusal("limit-reached", Phrase(sentence, {"most": MOST_CLUBS}))


def _check_room(club: Club) -> None:
    if Membership.objects.filter(club=club).count() >= MOST_MEMBERS:
        sentence = gettext_noop("This club has %(most)s members, which is the limit.")
        raise Refusal("limit-reached", Phrase(sentence, {"most": MOST_MEMBERS}))
