"""Entering and leaving a tournament, and the rights of its organizers."""

from collections.abc import Collection
from contextlib import suppress
from datetime import datetime
from typing import Any, Final
from uuid import UUID

from django.db import transaction
from django.db.models import Count, DateTimeField, Exists, IntegerField, Max, OuterRef, Q, QuerySet, Subquery, Value
from django.db.models.functions import Coalesce

from accounts.models import Account
from accounts.rate_limits import DAY, Policy
from games.announcements import tournament_emails
from games.clubs import Right, may
from games.engine import Phrase, gettext_noop
from games.models import Membership, Pairing, Tournament, TournamentEntry, TournamentRound
from games.play import game_caps
from games.refusals import Refusal, not_found
from games.tables.new_game import check_address

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


State = Tournament.State
MOST_ENTERED: Final = 10
"""The maximum number of tournaments of an account at the same time."""
MOST_NAMED: Final = 30
"""The maximum number of rounds that a player may announce to sit out."""
DAILY_ENTRIES: Final = Policy("tournament-entries", 20, DAY)
"""The limit for tournaments that an account enters."""


def enter(account: Account, tournament: UUID, now: datetime) -> TournamentEntry:
    """Enter a tournament. Has no effect if the account has already entered.

    Raises Refusal(not-found), Refusal(forbidden) for a guest, a bot account, or an account without a confirmed address,
    Refusal(conflict) if the tournament has started, Refusal(limit-reached) and Refusal(rate-limited).
    """
    get_tournament(account, tournament)
    if account.is_bot:
        raise Refusal(
            "forbidden", Phrase(gettext_noop("Tournaments are for people. A bot account can join open games."))
        )
    check_address(account)
    with game_caps.lock_account(account):
        row = lock_visible_tournament(account, tournament)
        entry = row.entries.filter(account=account).first()
        if entry is not None:
            return entry
        if row.state != State.OPEN:
            raise Refusal("conflict", Phrase(gettext_noop("This tournament is closed: it has started or ended.")))
        _check_room(account, row)
        sentence = gettext_noop("You can enter at most %(most)s tournaments a day. Try again later.")
        game_caps.enforce_rate(account, DAILY_ENTRIES, sentence, now)
        last = row.entries.aggregate(last=Max("number"))["last"] or 0
        return TournamentEntry.objects.create(tournament=row, account=account, number=last + 1, joined_at=now)


def _check_room(account: Account, tournament: Tournament) -> None:
    if tournament.entries.count() >= tournament.most:
        sentence = gettext_noop("This tournament has %(most)s players, which is the limit.")
        raise Refusal("limit-reached", Phrase(sentence, {"most": tournament.most}))
    entries = TournamentEntry.objects.filter(account=account, withdrawn_at=None, tournament__state__in=GOING)
    if entries.count() >= MOST_ENTERED:
        sentence = gettext_noop("You’re in %(most)s tournaments, which is the limit. Withdraw from one first.")
        raise Refusal("limit-reached", Phrase(sentence, {"most": MOST_ENTERED}))


def find_entry(account: Account | None, tournament: Tournament) -> TournamentEntry | None:
    """Return the entry of an account in a tournament, or None."""
    return None if account is None else tournament.entries.filter(account=account).first()


@transaction.atomic
def change_entry(
    account: Account, tournament: UUID, sits_out: Collection[int] | None = None, hears: bool | None = None
) -> TournamentEntry:
    """Change the rounds that a player sits out, or whether they are notified of rounds. None means no change.

    Raises the refusals of ``set_rounds_to_sit_out`` and ``set_notifications``.
    """
    if sits_out is not None:
        set_rounds_to_sit_out(account, tournament, sits_out)
    if hears is not None:
        set_notifications(account, tournament, hears=hears)
    entry = find_entry(account, get_tournament(account, tournament))
    if entry is None:
        raise not_found()
    return entry


@transaction.atomic
def set_rounds_to_sit_out(account: Account, tournament: UUID, rounds: Collection[int]) -> TournamentEntry:
    """Set the later rounds that a player sits out.

    Raises Refusal(not-found) if the account does not take part, Refusal(malformed), and Refusal(conflict) in a
    knock-out.
    """
    row = lock_visible_tournament(account, tournament)
    entry = _active_entry(account, row)
    if row.format == Tournament.Format.KNOCK_OUT and rounds:
        raise Refusal("conflict", Phrase(gettext_noop("Nobody can sit out a round of a knock-out.")))
    round_count = row.drawn_rounds.count()
    last = row.rounds or MOST_NAMED
    new_rounds = set(rounds) - set(entry.sits_out)
    if any(not round_count < number <= last for number in new_rounds):
        sentence = gettext_noop("You can only sit out rounds that haven’t been drawn yet, from %(least)s to %(most)s.")
        raise Refusal("malformed", Phrase(sentence, {"least": round_count + 1, "most": last}), "sits_out")
    past = {number for number in entry.sits_out if number <= round_count}
    entry.sits_out = sorted(past | set(rounds))
    entry.save(update_fields=["sits_out"])
    return entry


@transaction.atomic
def set_notifications(account: Account, tournament: UUID, *, hears: bool) -> TournamentEntry:
    """Choose whether the player is notified of new rounds and of the end. Raises Refusal(not-found)."""
    entry = find_entry(account, lock_visible_tournament(account, tournament))
    if entry is None:
        raise not_found()
    entry.hears = hears
    entry.save(update_fields=["hears"])
    return entry


@transaction.atomic
def withdraw(account: Account, tournament: UUID, now: datetime) -> None:
    """Leave a tournament. Before its draw the entry is deleted. Games that have started continue.

    Raises Refusal(not-found) if the account does not take part, and Refusal(conflict) if the tournament is over.
    """
    row = lock_visible_tournament(account, tournament)
    leave_tournament(_active_entry(account, row), row, now)


def _active_entry(account: Account, tournament: Tournament) -> TournamentEntry:
    """Return the entry of an account in a tournament that is not over. Raises Refusal."""
    entry = find_entry(account, tournament)
    if entry is None:
        raise not_found()
    if tournament.state not in GOING:
        raise Refusal("conflict", Phrase(gettext_noop("This tournament is over.")))
    return entry


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
    tournament_emails.order_post(tournament, tournament_emails.Event.ENDED, now)


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
