"""The rights of the roles in a club."""

from collections.abc import Mapping
from enum import StrEnum, auto
from typing import Final
from uuid import UUID

from accounts.models import Account
from games.engine import Phrase, gettext_noop
from games.models import Club, Membership
from games.refusals import Refusal, not_found

Role = Membership.Role


class Right(StrEnum):
    """Something that not every member may do. All members see a club and play in it."""

    INVITE = auto()
    """See the link of the club, and make a new one."""
    EDIT = auto()
    """Change its name and description."""
    CONNECT = auto()
    """Connect its chat."""
    HOLD = auto()
    """Create its tournaments, and run those of others."""
    REMOVE = auto()
    """Remove those of a lower role."""
    APPOINT = auto()
    """Give roles, and hand the club over."""
    CLOSE = auto()


_OF_ORGANIZERS: Final = frozenset({Right.INVITE, Right.EDIT, Right.CONNECT, Right.HOLD, Right.REMOVE})
RIGHTS: Final[Mapping[str, frozenset[Right]]] = {
    Role.MEMBER: frozenset(),
    Role.ORGANIZER: _OF_ORGANIZERS,
    Role.OWNER: _OF_ORGANIZERS | {Right.APPOINT, Right.CLOSE},
}
RANKS: Final = (Role.MEMBER.value, Role.ORGANIZER.value, Role.OWNER.value)
"""The roles, the lowest first."""


def membership(account: Account, club: UUID) -> Membership:
    """Return the membership of an account in a club. Raises Refusal(not-found)."""
    found = Membership.objects.select_related("club", "account").filter(account=account, club=club).first()
    if found is None:
        raise not_found()
    return found


def is_member(account: Account | None, club: UUID | None) -> bool:
    """Return whether an account is in a club."""
    if account is None or club is None:
        return False
    return Membership.objects.filter(account=account, club=club).exists()


def may(mine: Membership, right: Right) -> bool:
    """Return whether a member has a right."""
    return right in RIGHTS[mine.role]


def require(mine: Membership, right: Right) -> None:
    """Refuse what a member has no right to. Refusal ``forbidden`` says who has it."""
    if may(mine, right):
        return
    if right in RIGHTS[Role.ORGANIZER]:
        raise Refusal("forbidden", Phrase(gettext_noop("Only an organizer or the owner of the club may do that.")))
    raise Refusal("forbidden", Phrase(gettext_noop("Only the owner of the club may do that.")))


def held(mine: Membership) -> Membership:
    """Return the membership as it is stored now, with its club locked. Raises Refusal(not-found) if it is gone.

    Every change of a club starts with this, before it checks a right, because the membership may have changed since it
    was read.
    """
    club = locked(mine.club_id)
    found = Membership.objects.select_related("account").filter(pk=mine.pk).first()
    if found is None:
        raise not_found()
    found.club = club
    return found


def locked(club: UUID) -> Club:
    """Return a club and lock it until the end of the transaction, so that its members cannot change. Raises
    Refusal(not-found).

    Rows that only refer to the club, such as games, can still be stored.
    """
    found = Club.objects.select_for_update(no_key=True).filter(pk=club).first()
    if found is None:
        raise not_found()
    return found
