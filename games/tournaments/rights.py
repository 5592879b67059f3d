"""The tournaments that an account may see and run, and lists of them."""

from typing import Any, Final
from uuid import UUID

from django.db.models import Count, DateTimeField, Exists, IntegerField, OuterRef, Q, QuerySet, Subquery, Value
from django.db.models.functions import Coalesce

from accounts.models import Account
from games.clubs import Right, may
from games.engine import Phrase, gettext_noop
from games.models import Membership, Pairing, Tournament, TournamentEntry, TournamentRound
from games.refusals import Refusal, not_found

GOING: Final = (Tournament.State.OPEN, Tournament.State.STARTING, Tournament.State.RUNNING)
"""The states of a tournament that is not over."""


def visible(account: Account | None) -> QuerySet[Tournament]:
    """Return the tournaments that an account may see: public ones, those of its clubs, and those in which it has
    played.
    """
    rows = Tournament.objects.select_related("club", "host")
    if account is None:
        return rows.filter(club=None)
    in_club = Exists(Membership.objects.filter(club=OuterRef("club"), account=account))
    has_played = Exists(Pairing.objects.filter(round__tournament=OuterRef("pk"), entry__account=account))
    return rows.filter(Q(club=None) | in_club | has_played)


def get_tournament(account: Account | None, tournament: UUID) -> Tournament:
    """Return a tournament that the account may see. Raises Refusal(not-found)."""
    row = visible(account).filter(pk=tournament).first()
    if row is None:
        raise not_found()
    return row


def may_run(account: Account | None, tournament: Tournament) -> bool:
    """Return whether an account runs a tournament: as its host, or as an organizer of its club."""
    if account is None:
        return False
    if tournament.club_id is None:
        return tournament.host_id == account.pk
    membership = Membership.objects.filter(account=account, club=tournament.club_id).first()
    return membership is not None and (tournament.host_id == account.pk or may(membership, Right.HOLD))


def lock_visible_tournament(account: Account | None, tournament: UUID) -> Tournament:
    """Return a tournament that the account may see, and lock it. Raises Refusal(not-found)."""
    get_tournament(account, tournament)
    return lock_tournament(tournament)


def lock_tournament_to_run(account: Account, tournament: UUID) -> Tournament:
    """Return a tournament that the account runs, and lock it. Raises Refusal(not-found) or Refusal(forbidden)."""
    row = lock_visible_tournament(account, tournament)
    if not may_run(account, row):
        sentence = gettext_noop("Only the host of the tournament, or an organizer of its club, can do that.")
        raise Refusal("forbidden", Phrase(sentence))
    return row


def lock_tournament(tournament: UUID) -> Tournament:
    """Return a tournament and lock it until the end of the transaction. Raises Refusal(not-found).

    Tournaments are always locked before their games.
    """
    row = Tournament.objects.select_for_update(no_key=True).filter(pk=tournament).first()
    if row is None:
        raise not_found()
    return row


def tournaments_with_progress(account: Account | None) -> QuerySet[Tournament, Any]:
    """Return the tournaments that an account may see, with their progress and the account's number in them."""
    own_entries = (
        TournamentEntry.objects.filter(tournament=OuterRef("pk"), account=account) if account is not None else None
    )
    rounds = TournamentRound.objects.filter(tournament=OuterRef("pk"))
    entries = TournamentEntry.objects.filter(tournament=OuterRef("pk")).order_by().values("tournament")
    count = Subquery(entries.annotate(count=Count("pk")).values("count"))
    latest = Subquery(rounds.order_by("-number").values("number")[:1])
    ends_at = Subquery(rounds.filter(ended_at=None).values("ends_at")[:1], output_field=DateTimeField())
    return visible(account).annotate(
        entry_count=Coalesce(count, 0),
        round_number=Coalesce(latest, 0),
        round_ends_at=ends_at,
        my_number=Subquery(own_entries.values("number")[:1])
        if own_entries is not None
        else Value(None, output_field=IntegerField()),
    )


def list_tournaments(
    account: Account | None,
    state: str | None = None,
    club: UUID | None = None,
    league: UUID | None = None,
    mine: bool = False,
) -> QuerySet[Any]:
    """Return rows for these tournaments, newest first."""
    rows = tournaments_with_progress(account)
    if state is not None:
        rows = rows.filter(state=state)
    if club is not None:
        rows = rows.filter(club=club)
    if league is not None:
        rows = rows.filter(league=league)
    if mine:
        rows = rows.filter(entries__account=account)
    return rows.order_by("-created_at", "-id")
