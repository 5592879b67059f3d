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
    """An action in a club that not every member may do. All members see a club and play in it."""

    INVITE = auto()
    """See the link of the club, and make a new one."""
    EDIT = auto()
    """Change the name and the description."""
    CONNECT = auto()
    """Connect a chat."""
    HOLD = auto()
    """Create tournaments, and run those of other members."""
    REMOVE = auto()
    """Remove members of a lower role."""
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
"""The roles in ascending order."""


def get_membership(account: Account, club: UUID) -> Membership:
    """Return the membership of an account in a club. Raises Refusal(not-found)."""
    membership = Membership.objects.select_related("club", "account").filter(account=account, club=club).first()
    if membership is None:
        raise not_found()
    return membership


def is_member(account: Account | None, club: UUID | None) -> bool:
    """Return whether an account is in a club."""
    if account is None or club is None:
        return False
    return Membership.objects.filter(account=account, club=club).exists()


def may(membership: Membership, right: Right) -> bool:
    """Return whether a member has a right."""
    return right in RIGHTS[membership.role]


def require(membership: Membership, right: Right) -> None:
    """Raise Refusal(forbidden) if the member does not have the right. The refusal says who has it."""
    if may(membership, right):
        return
    if right in RIGHTS[Role.ORGANIZER]:
        raise Refusal("forbidden", Phrase(gettext_noop("Only an organizer or the owner of the club may do that.")))
    raise Refusal("forbidden", Phrase(gettext_noop("Only the owner of the club may do that.")))


def lock_membership(membership: Membership) -> Membership:
    """Return the stored membership with its club locked. Raises Refusal(not-found) if it was deleted.

    Every change of a club starts with this, before it checks a right, because the membership may have changed since it
    was read.
    """
    club = lock_club(membership.club_id)
    current = Membership.objects.select_related("account").filter(pk=membership.pk).first()
    if current is None:
        raise not_found()
    current.club = club
    return current


def lock_club(club: UUID) -> Club:
    """Return a club and lock it until the end of the transaction, so that its members cannot change. Raises
    Refusal(not-found).

    Rows that only refer to the club, such as games, can still be stored.
    """
    row = Club.objects.select_for_update(no_key=True).filter(pk=club).first()
    if row is None:
        raise not_found()
    return row
