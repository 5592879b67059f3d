"""Leaving a tournament or all tournaments, and ending a tournament."""

from contextlib import suppress
from datetime import datetime

from django.db import transaction

from accounts.models import Account
from games.announcements import tournament_emails
from games.models import Tournament, TournamentEntry, TournamentPost
from games.refusals import Refusal
from games.tournaments.rights import GOING, lock_tournament

State = Tournament.State


def leave_tournament(entry: TournamentEntry, tournament: Tournament, now: datetime) -> None:
    """End an account's part in a locked tournament. Before the draw the entry is deleted, later it is marked."""
    if tournament.state == State.OPEN:
        entry.delete()
    elif entry.withdrawn_at is None:
        entry.withdrawn_at = now
        entry.save(update_fields=["withdrawn_at"])


def end_tournament(tournament: Tournament, state: str, now: datetime) -> None:
    """End a locked tournament, and notify its players and its club."""
    tournament.state, tournament.ended_at, tournament.look_at = state, now, None
    tournament.save(update_fields=["state", "ended_at", "look_at"])
    tournament_emails.notify_end(tournament, now)
    tournament_emails.order_post(tournament, TournamentPost.Event.ENDED, now)


@transaction.atomic
def leave_all(account: Account, now: datetime) -> None:
    """Leave every tournament for good, and cancel the account's own tournaments that have not started."""
    tournaments = Tournament.objects.filter(entries__account=account, state__in=GOING)
    for tournament in tournaments.order_by("pk").values_list("pk", flat=True):
        with suppress(Refusal):  # The club was closed in the meantime.
            row = lock_tournament(tournament)
            for entry in row.entries.filter(account=account):
                leave_tournament(entry, row, now)
    hosted = Tournament.objects.filter(host=account, club=None, state=State.OPEN)
    for open_tournament in hosted.order_by("pk").select_for_update(no_key=True):
        end_tournament(open_tournament, State.CANCELLED, now)
