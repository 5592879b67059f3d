"""The members of a club: their roles, and how they leave."""

from contextlib import suppress
from datetime import datetime
from uuid import UUID

from django.db import transaction
from django.db.models import QuerySet

from accounts.models import Account
from games.announcements import club_emails
from games.clubs import club_channel
from games.clubs.founding import check_owned, delete_club
from games.clubs.rights import RANKS, Right, Role, lock_membership, require
from games.engine import Phrase, gettext_noop
from games.models import Membership, new_code
from games.play import game_caps
from games.refusals import Refusal, not_found


def list_clubs(account: Account) -> list[Membership]:
    """Return the memberships of an account, sorted by the names of the clubs."""
    return list(Membership.objects.filter(account=account).select_related("club").order_by("club__name", "pk"))


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
        sentence = gettext_noop("You are the owner. Hand the club over by making somebody else its owner.")
        raise Refusal("conflict", Phrase(sentence))
    if role == Role.OWNER:
        _hand_over(membership, other, now)
    elif other.role != role:
        other.role = role
        other.save(update_fields=["role"])
        if role == Role.MEMBER:
            club_channel.remove_traces_of_member(other)
    return other


def _hand_over(membership: Membership, other: Membership, now: datetime) -> None:
    if other.account.is_bot:
        raise Refusal("conflict", Phrase(gettext_noop("A bot account cannot own a club. Choose a person.")))
    if not other.account.is_active:
        raise Refusal("conflict", Phrase(gettext_noop("This account is suspended or closed. Choose somebody else.")))
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
    club_channel.remove_traces_of_member(other)
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
    club_channel.remove_traces_of_member(membership)
    membership.delete()
    if membership.role != Role.OWNER:
        return
    if heir := _heir(membership):
        _make_owner(heir, now)
    else:
        delete_club(membership.club)
