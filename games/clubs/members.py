"""The members of a club: their roles, and how they go."""

from contextlib import suppress
from datetime import datetime
from uuid import UUID

from django.db import transaction
from django.db.models import QuerySet

from accounts.models import Account
from games.announcements.clubs import club_emails
from games.clubs import club_channel
from games.clubs.founding import check_owned, delete_club
from games.clubs.rights import RANKS, Right, Role, held, require
from games.engine import Phrase, gettext_noop
from games.models import Membership, new_code
from games.play import game_caps
from games.refusals import Refusal, not_found


def list_clubs(account: Account) -> list[Membership]:
    """The places of an account in its clubs, by their names."""
    return list(Membership.objects.filter(account=account).select_related("club").order_by("club__name", "pk"))


def list_members(mine: Membership) -> list[Membership]:
    """Return the members: the owner, the organizers, then the others, each sorted by the time when they joined."""
    rows = Membership.objects.filter(club=mine.club).select_related("account").order_by("joined_at", "pk")
    return sorted(rows, key=lambda each: -RANKS.index(each.role))


def get_member(mine: Membership, member: UUID) -> Membership:
    """Return a member of a club. Raises Refusal(not-found)."""
    found = Membership.objects.filter(club=mine.club, pk=member).select_related("club", "account").first()
    if found is None:
        raise not_found()
    return found


@transaction.atomic
def hear_of_games(mine: Membership, *, hears: bool) -> Membership:
    """Choose whether the club tells of its new games."""
    mine = held(mine)
    mine.hears = hears
    mine.save(update_fields=["hears"])
    return mine


@transaction.atomic
def appoint(mine: Membership, member: UUID, role: str, now: datetime) -> Membership:
    """Give another member a role. The role of the owner hands the club over: its owner becomes an organizer.

    A chat that an organizer connected goes with their role.

    Refusal ``not-found``, ``forbidden``; ``conflict``: this is you; ``limit-reached``: they own too many clubs.
    """
    if role == Role.OWNER:
        game_caps.lock_all([get_member(mine, member).account])
    mine = held(mine)
    require(mine, Right.APPOINT)
    other = get_member(mine, member)
    if other.pk == mine.pk:
        sentence = gettext_noop("You are the owner. Hand the club over by making somebody else its owner.")
        raise Refusal("conflict", Phrase(sentence))
    if role == Role.OWNER:
        _hand_over(mine, other, now)
    elif other.role != role:
        other.role = role
        other.save(update_fields=["role"])
        if role == Role.MEMBER:
            club_channel.remove_of(other)
    return other


def _hand_over(mine: Membership, other: Membership, now: datetime) -> None:
    if other.account.is_bot:
        raise Refusal("conflict", Phrase(gettext_noop("A bot account cannot own a club. Choose a person.")))
    if not other.account.is_active:
        raise Refusal("conflict", Phrase(gettext_noop("This account is suspended or closed. Choose somebody else.")))
    check_owned(other.account)
    mine.role = Role.ORGANIZER
    mine.save(update_fields=["role"])
    _make_owner(other, now)


def _make_owner(heir: Membership, now: datetime) -> None:
    heir.role = Role.OWNER
    heir.save(update_fields=["role"])
    club_emails.notify_owner(heir, now)


@transaction.atomic
def remove(mine: Membership, member: UUID) -> Membership:
    """Leave a club, or remove a member of a lower role, and return the former membership. Seats in games are kept.

    The club gets a new link, because a removed member knows the old one. Raises Refusal(not-found), Refusal(forbidden),
    and Refusal(conflict) if the owner wants to leave.
    """
    mine = held(mine)
    other = get_member(mine, member)
    if other.pk == mine.pk:
        _check_leaving(other)
    else:
        require(mine, Right.REMOVE)
        if RANKS.index(other.role) >= RANKS.index(mine.role):
            sentence = gettext_noop("Organizers remove members only. Ask the owner to remove an organizer.")
            raise Refusal("forbidden", Phrase(sentence))
        mine.club.code = new_code()
        mine.club.save(update_fields=["code"])
    club_channel.remove_of(other)
    other.delete()
    return other


def _check_leaving(mine: Membership) -> None:
    if mine.role == Role.OWNER:
        sentence = gettext_noop("You own this club. Hand it over to another member, or close it, before you leave.")
        raise Refusal("conflict", Phrase(sentence))


@transaction.atomic
def leave_all(account: Account, now: datetime) -> None:
    """Leave every club, when an account leaves the server."""
    for mine in Membership.objects.filter(account=account).order_by("club"):
        with suppress(Refusal):  # Removed, or the club closed, in the meantime.
            leave_for_good(mine, now)


def _heir(mine: Membership) -> Membership | None:
    """The organizer, else the member, who joined first among those who can own a club in another's place."""
    others = (member for member in list_members(mine) if member.pk != mine.pk)
    return next((other for other in others if other.account.is_active and not other.account.is_bot), None)


def has_heirs(account: Account) -> bool:
    """Return whether another account could own one of the account's clubs."""
    return any(_heir(mine) for mine in _owned(account).select_related("club"))


def _owned(account: Account) -> QuerySet[Membership]:
    return Membership.objects.filter(account=account, role=Role.OWNER).order_by("club")


@transaction.atomic
def pass_on_all(account: Account, now: datetime) -> None:
    """Pass on the clubs of an account that is closed or suspended, if another member can own them."""
    for mine in _owned(account):
        with suppress(Refusal):  # the club is gone in the meantime
            mine = held(mine)
            if mine.role == Role.OWNER and (heir := _heir(mine)):
                mine.role = Role.MEMBER
                mine.save(update_fields=["role"])
                _make_owner(heir, now)


@transaction.atomic
def leave_for_good(mine: Membership, now: datetime) -> None:
    """Leave a club, also as its owner. Refusal ``not-found``.

    The club of an owner goes to the organizer who joined first, else to the member who did; one without others is
    closed.
    """
    mine = held(mine)
    club_channel.remove_of(mine)
    mine.delete()
    if mine.role != Role.OWNER:
        return
    if heir := _heir(mine):
        _make_owner(heir, now)
    else:
        delete_club(mine.club)
