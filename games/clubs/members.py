"""Clubs and their members: creating, changing, joining, leaving and closing a club, and roles."""

from contextlib import suppress
from datetime import datetime
from typing import Final
from uuid import UUID

from django.db import transaction
from django.db.models import QuerySet

from accounts.models import Account
from accounts.rate_limits import DAY, Policy
from games.announcements import club_emails
from games.clubs import club_games
from games.clubs.rights import RANKS, Right, Role, lock_club, lock_membership, require
from games.engine import Phrase, gettext_noop
from games.models import Club, Membership, Tournament, new_code
from games.play import game_caps
from games.refusals import Refusal, not_found
from games.text.user_texts import check_about, check_name

MOST_CLUBS: Final = 30
"""The maximum number of clubs of an account."""
MOST_MEMBERS: Final = 200
JOINS_A_DAY: Final = Policy("club-joins", 20, DAY)
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
        raise Refusal("forbidden", Phrase(gettext_noop("Guests can’t join a club. Make an account first.")))
    with game_caps.lock_account(account):
        if lock_club(club.pk).code != club.code:
            raise not_found()
        membership = Membership.objects.select_related("club", "account").filter(account=account, club=club).first()
        if membership is not None:
            return membership
        check_clubs(account)
        _check_room(club)
        sentence = gettext_noop("You may join at most %(most)s clubs a day. Try again later.")
        game_caps.enforce_rate(account, JOINS_A_DAY, sentence, now)
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
        sentence = gettext_noop("You’re in %(most)s clubs, which is the limit. Leave one of them first.")
        raise Refusal("limit-reached", Phrase(sentence, {"most": MOST_CLUBS}))


def _check_room(club: Club) -> None:
    if Membership.objects.filter(club=club).count() >= MOST_MEMBERS:
        sentence = gettext_noop("This club has %(most)s members, which is the limit.")
        raise Refusal("limit-reached", Phrase(sentence, {"most": MOST_MEMBERS}))


MOST_OWNED: Final = 5
"""The maximum number of clubs that an account may own."""
CLUBS_A_DAY: Final = Policy("clubs", 10, DAY)
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
        game_caps.enforce_rate(account, CLUBS_A_DAY, sentence, now)
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
    club_games.remove_chat(club)
    list(Tournament.objects.select_for_update().filter(club=club).order_by("pk"))
    club.delete()


def list_clubs(account: Account) -> QuerySet[Membership]:
    """Return the memberships of an account, sorted by the names of the clubs."""
    return Membership.objects.filter(account=account).select_related("club").order_by("club__name", "pk")


def list_members(membership: Membership) -> list[Membership]:
    """Return the members: the owner, the organizers, then the others, each sorted by the time when they joined."""
    rows = Membership.objects.filter(club=membership.club).select_related("account").order_by("joined_at", "pk")
    return sorted(rows, key=lambda member: -RANKS.index(member.role))


def get_member(membership: Membership, member: UUID) -> Membership:
    """Return a member of a club. Raises Refusal(not-found)."""
    row = Membership.objects.filter(club=membership.club, pk=member).select_related("club", "account").first()
    if row is None:
        raise not_found()
    return row


@transaction.atomic
def set_notifications(membership: Membership, *, hears: bool) -> Membership:
    """Choose whether the member is notified of new games of the club."""
    membership = lock_membership(membership)
    membership.hears = hears
    membership.save(update_fields=["hears"])
    return membership


@transaction.atomic
def appoint(membership: Membership, member: UUID, role: str, now: datetime) -> Membership:
    """Give another member a role. Making another member the owner turns the present owner into an organizer.

    If an organizer becomes a member, a chat that they connected is removed. Raises Refusal(not-found),
    Refusal(forbidden), Refusal(conflict) for one's own role, and Refusal(limit-reached) if the new owner owns too many
    clubs.
    """
    if role == Role.OWNER:
        game_caps.lock_accounts([get_member(membership, member).account])
    membership = lock_membership(membership)
    require(membership, Right.APPOINT)
    other = get_member(membership, member)
    if other.pk == membership.pk:
        sentence = gettext_noop("You’re the owner. Hand the club over by making someone else its owner.")
        raise Refusal("conflict", Phrase(sentence))
    if role == Role.OWNER:
        _hand_over(membership, other, now)
    elif other.role != role:
        other.role = role
        other.save(update_fields=["role"])
        if role == Role.MEMBER:
            club_games.remove_traces_of_member(other)
    return other


def _hand_over(membership: Membership, other: Membership, now: datetime) -> None:
    if other.account.is_bot:
        raise Refusal("conflict", Phrase(gettext_noop("A bot account can’t own a club. Choose a person.")))
    if not other.account.is_active:
        raise Refusal("conflict", Phrase(gettext_noop("This account is suspended or closed. Choose someone else.")))
    check_owned(other.account)
    membership.role = Role.ORGANIZER
    membership.save(update_fields=["role"])
    _make_owner(other, now)


def _make_owner(heir: Membership, now: datetime) -> None:
    heir.role = Role.OWNER
    heir.save(update_fields=["role"])
    club_emails.notify_owner(heir, now)


@transaction.atomic
def remove_member(membership: Membership, member: UUID) -> Membership:
    """Leave a club, or remove a member of a lower role, and return the former membership. Seats in games are kept.

    The club gets a new link, because a removed member knows the old one. Raises Refusal(not-found), Refusal(forbidden),
    and Refusal(conflict) if the owner wants to leave.
    """
    membership = lock_membership(membership)
    other = get_member(membership, member)
    if other.pk == membership.pk:
        _check_leaving(other)
    else:
        require(membership, Right.REMOVE)
        if RANKS.index(other.role) >= RANKS.index(membership.role):
            sentence = gettext_noop("Organizers remove members only. Ask the owner to remove an organizer.")
            raise Refusal("forbidden", Phrase(sentence))
        membership.club.code = new_code()
        membership.club.save(update_fields=["code"])
    club_games.remove_traces_of_member(other)
    other.delete()
    return other


def _check_leaving(membership: Membership) -> None:
    if membership.role == Role.OWNER:
        sentence = gettext_noop("You own this club. Hand it over to another member, or close it, before you leave.")
        raise Refusal("conflict", Phrase(sentence))


@transaction.atomic
def leave_all(account: Account, now: datetime) -> None:
    """Leave all clubs, before the account is deleted."""
    for membership in Membership.objects.filter(account=account).order_by("club"):
        with suppress(Refusal):  # The member was removed or the club was closed in the meantime.
            leave_for_good(membership, now)


def _heir(membership: Membership) -> Membership | None:
    """Return the next owner of a club: the organizer, or else the member, who joined first and can own a club."""
    others = (member for member in list_members(membership) if member.pk != membership.pk)
    return next((other for other in others if other.account.is_active and not other.account.is_bot), None)


def has_heirs(account: Account) -> bool:
    """Return whether another account could own one of the account's clubs."""
    return any(_heir(membership) for membership in _owned(account).select_related("club"))


def _owned(account: Account) -> QuerySet[Membership]:
    return Membership.objects.filter(account=account, role=Role.OWNER).order_by("club")


@transaction.atomic
def pass_on_all(account: Account, now: datetime) -> None:
    """Give the clubs of an account that is closed or suspended to other members who can own them."""
    for membership in _owned(account):
        with suppress(Refusal):  # The club was closed in the meantime.
            membership = lock_membership(membership)
            if membership.role == Role.OWNER and (heir := _heir(membership)):
                membership.role = Role.MEMBER
                membership.save(update_fields=["role"])
                _make_owner(heir, now)


@transaction.atomic
def leave_for_good(membership: Membership, now: datetime) -> None:
    """Leave a club, also as its owner. Raises Refusal(not-found).

    The club of an owner goes to the organizer, or else the member, who joined first. A club without other members is
    closed.
    """
    membership = lock_membership(membership)
    club_games.remove_traces_of_member(membership)
    membership.delete()
    if membership.role != Role.OWNER:
        return
    if heir := _heir(membership):
        _make_owner(heir, now)
    else:
        delete_club(membership.club)
