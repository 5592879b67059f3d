"""Lists of tournaments."""

from typing import Any, Final
from uuid import UUID

from django.db.models import Count, DateTimeField, IntegerField, OuterRef, QuerySet, Subquery, Value
from django.db.models.functions import Coalesce

from accounts.models import Account
from games.models import Tournament, TournamentEntry, TournamentRound
from games.tournaments.rights import visible

MOST_LISTED: Final = 100


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
) -> list[Any]:
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
    return list(rows.order_by("-created_at", "id")[:MOST_LISTED])
