"""The tournaments that an account may see and run."""

from typing import Final
from uuid import UUID

from django.db.models import Exists, OuterRef, Q, QuerySet

from accounts.models import Account
from games.clubs.rights import Right, may
from games.engine import Phrase, gettext_noop
from games.models import Membership, Pairing, Tournament
from games.refusals import Refusal, not_found

GOING: Final = (Tournament.State.OPEN, Tournament.State.STARTING, Tournament.State.RUNNING)
"""The states of a tournament that is not at its end."""


def visible(account: Account | None) -> QuerySet[Tournament]:
    """The tournaments there are for this account: public ones, those of its clubs, and those it was drawn in."""
    rows = Tournament.objects.select_related("club", "host")
    if account is None:
        return rows.filter(club=None)
    in_club = Exists(Membership.objects.filter(club=OuterRef("club"), account=account))
    drawn = Exists(Pairing.objects.filter(round__tournament=OuterRef("pk"), entry__account=account))
    return rows.filter(Q(club=None) | in_club | drawn)


def get_tournament(account: Account | None, tournament: UUID) -> Tournament:
    """Return a tournament that the account may see. Raises Refusal(not-found)."""
    found = visible(account).filter(pk=tournament).first()
    if found is None:
        raise not_found()
    return found


def may_run(account: Account | None, tournament: Tournament) -> bool:
    """Return whether an account runs a tournament: as its host, or as an organizer of its club."""
    if account is None:
        return False
    if tournament.club_id is None:
        return tournament.host_id == account.pk
    mine = Membership.objects.filter(account=account, club=tournament.club_id).first()
    return mine is not None and (tournament.host_id == account.pk or may(mine, Right.HOLD))


def held(account: Account | None, tournament: UUID) -> Tournament:
    """Return a tournament that the account may see, and lock it. Raises Refusal(not-found)."""
    get_tournament(account, tournament)
    return locked(tournament)


def run_by(account: Account, tournament: UUID) -> Tournament:
    """Return a tournament that the account runs, and lock it. Raises Refusal(not-found) or Refusal(forbidden)."""
    found = held(account, tournament)
    if not may_run(account, found):
        sentence = gettext_noop("Only the host of the tournament, or an organizer of its club, may do that.")
        raise Refusal("forbidden", Phrase(sentence))
    return found


def locked(tournament: UUID) -> Tournament:
    """A tournament, held until the end of the transaction. It is locked before any of its games. ``not-found``."""
    found = Tournament.objects.select_for_update(no_key=True).filter(pk=tournament).first()
    if found is None:
        raise not_found()
    return found
