"""Running a tournament: changing its name and date, starting it early, and cancelling it."""

from datetime import datetime
from typing import Final
from uuid import UUID

from django.db import transaction

from accounts.models import Account
from accounts.rate_limits import DAY, Policy
from games.announcements import tournament_emails
from games.engine import Phrase, gettext_noop
from games.models import Tournament
from games.play import game_caps
from games.refusals import Refusal
from games.tournaments import rounds
from games.tournaments.entering import GOING, lock_tournament_to_run
from games.tournaments.new_tournament import LEAST_ENTRIES, check_start
from games.user_texts import check_about, check_name

State = Tournament.State
DAILY_DATE_CHANGES: Final = Policy("tournament-dates", 5, DAY)
"""The limit for changes of the date of tournaments."""


@transaction.atomic
def change(
    account: Account,
    tournament: UUID,
    now: datetime,
    name: str | None = None,
    about: str | None = None,
    starts_at: datetime | None = None,
) -> Tournament:
    """Change the name, the description or the start of a tournament. None means no change.

    Players and the club are notified of another start. Raises Refusal(not-found), Refusal(forbidden),
    Refusal(malformed), Refusal(rate-limited), and Refusal(conflict) for another start after the tournament has started.
    """
    row = lock_tournament_to_run(account, tournament)
    if name is not None:
        row.name = check_name(name)
    if about is not None:
        row.about = check_about(about)
    if starts_at is not None:
        _check_open(row)
        if starts_at != row.starts_at:
            _move(row, account, starts_at, now)
    row.save(update_fields=["name", "about", "starts_at", "look_at"])
    return row


@transaction.atomic
def begin(account: Account, tournament: UUID, now: datetime) -> Tournament:
    """Start a tournament before the published time.

    Raises Refusal(not-found), Refusal(forbidden), and Refusal(conflict) if it has too few players, has started, or is a
    later season of a league, which accounts can enter and leave until its date.
    """
    row = lock_tournament_to_run(account, tournament)
    _check_open(row)
    if row.season is not None and row.season > 1:
        sentence = gettext_noop("A later season of a league starts on its date. Change the date instead.")
        raise Refusal("conflict", Phrase(sentence))
    if row.entries.count() < LEAST_ENTRIES:
        sentence = gettext_noop("A tournament needs at least %(least)s players.")
        raise Refusal("conflict", Phrase(sentence, {"least": LEAST_ENTRIES}))
    rounds.close_entries(row, now)
    return row


@transaction.atomic
def cancel(account: Account, tournament: UUID, now: datetime) -> Tournament:
    """Cancel a tournament. Its games continue as single games.

    Raises Refusal(not-found), Refusal(forbidden), and Refusal(conflict) if the tournament is over.
    """
    row = lock_tournament_to_run(account, tournament)
    if row.state not in GOING:
        raise Refusal("conflict", Phrase(gettext_noop("This tournament is over.")))
    rounds.cancel(row, now)
    return row


def _move(tournament: Tournament, account: Account, starts_at: datetime, now: datetime) -> None:
    """Set another start of a tournament, and notify its players and its club."""
    check_start(starts_at, now)
    sentence = gettext_noop("You can change the date of tournaments at most %(most)s times a day. Try again later.")
    game_caps.enforce_rate(account, DAILY_DATE_CHANGES, sentence, now)
    tournament.starts_at = tournament.look_at = starts_at
    tournament_emails.notify_new_time(tournament, now)
    tournament_emails.order_post(tournament, tournament_emails.Event.MOVED, now)


def _check_open(tournament: Tournament) -> None:
    if tournament.state != State.OPEN:
        raise Refusal("conflict", Phrase(gettext_noop("This tournament has started.")))
