"""Leaving a tournament, leaving all tournaments with the server, and ending a tournament."""

from contextlib import suppress
from datetime import datetime

from django.db import transaction

from accounts.models import Account
from games.announcements.tournaments import tournament_emails, tournament_posts
from games.models import Tournament, TournamentEntry, TournamentPost
from games.refusals import Refusal
from games.tournaments.rights import GOING, locked

State = Tournament.State


def leave(mine: TournamentEntry, tournament: Tournament, now: datetime) -> None:
    """End an account's part in a locked tournament. Before the draw the entry is deleted, later marked as left."""
    if tournament.state == State.OPEN:
        mine.delete()
    elif mine.withdrawn_at is None:
        mine.withdrawn_at = now
        mine.save(update_fields=["withdrawn_at"])


def end(tournament: Tournament, state: str, now: datetime) -> None:
    """End a tournament that is held, and tell those who take part and its club."""
    tournament.state, tournament.ended_at, tournament.look_at = state, now, None
    tournament.save(update_fields=["state", "ended_at", "look_at"])
    tournament_emails.notify_end(tournament, now)
    tournament_posts.order(tournament, TournamentPost.Event.ENDED, now)


@transaction.atomic
def leave_all(account: Account, now: datetime) -> None:
    """Leave every tournament for good, and cancel the account's own tournaments that have not started."""
    going = Tournament.objects.filter(entries__account=account, state__in=GOING)
    for tournament in going.order_by("pk").values_list("pk", flat=True):
        with suppress(Refusal):  # its club was closed in the meantime
            found = locked(tournament)
            for mine in found.entries.filter(account=account):
                leave(mine, found, now)
    hosted = Tournament.objects.filter(host=account, club=None, state=State.OPEN)
    for open_one in hosted.order_by("pk").select_for_update(no_key=True):
        end(open_one, State.CANCELLED, now)
