"""Joining a club by its link."""

from datetime import datetime
from typing import Final

from django.db import transaction

from accounts.limits.rate_limits import DAY, Policy
from accounts.models import Account
from games.clubs.rights import Right, held, locked, require
from games.engine import Phrase, gettext_noop
from games.models import Club, Membership, new_code
from games.play import game_caps
from games.refusals import Refusal, not_found

MOST_CLUBS: Final = 30
"""The number of clubs that an account may be in."""
MOST_MEMBERS: Final = 200
DAILY: Final = Policy("club-joins", 20, DAY)
"""The number of clubs that an account may join."""


def club_of_link(code: str) -> Club:
    """The club to which a link leads. Refusal ``not-found``."""
    found = Club.objects.filter(code=code.strip().lower()).first()
    if found is None:
        raise not_found()
    return found


def join_club(account: Account, code: str, now: datetime) -> Membership:
    """Become a member. Has no effect for a member.

    Raises Refusal(not-found) if no club has this link now, Refusal(forbidden) for a guest, Refusal(limit-reached) and
    Refusal(rate-limited).
    """
    club = club_of_link(code)
    if account.is_guest:
        raise Refusal("forbidden", Phrase(gettext_noop("Guests cannot join a club. Make an account first.")))
    with game_caps.locked(account):
        if locked(club.pk).code != club.code:
            raise not_found()
        mine = Membership.objects.select_related("club", "account").filter(account=account, club=club).first()
        if mine is not None:
            return mine
        check_clubs(account)
        _check_room(club)
        sentence = gettext_noop("You may join at most %(most)s clubs a day. Try again later.")
        game_caps.keep_pace(account, DAILY, sentence, now)
        return Membership.objects.create(club=club, account=account, joined_at=now)


@transaction.atomic
def renew_link(mine: Membership) -> None:
    """Give a club a new link. The old one stops working. Raises Refusal(forbidden)."""
    mine = held(mine)
    require(mine, Right.INVITE)
    mine.club.code = new_code()
    mine.club.save(update_fields=["code"])


def check_clubs(account: Account) -> None:
    """Refuse one more club to an account that is in many. Refusal ``limit-reached``."""
    if Membership.objects.filter(account=account).count() >= MOST_CLUBS:
        sentence = gettext_noop("You are in %(most)s clubs, which is the limit. Leave one of them first.")
        raise Refusal("limit-reached", Phrase(sentence, {"most": MOST_CLUBS}))


def _check_room(club: Club) -> None:
    if Membership.objects.filter(club=club).count() >= MOST_MEMBERS:
        sentence = gettext_noop("This club has %(most)s members, which is the limit.")
        raise Refusal("limit-reached", Phrase(sentence, {"most": MOST_MEMBERS}))
