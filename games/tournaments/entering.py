"""Taking part in a tournament: entering, sitting a round out, withdrawing."""

from collections.abc import Collection
from datetime import datetime
from typing import Final
from uuid import UUID

from django.db import transaction
from django.db.models import Max

from accounts.limits.rate_limits import DAY, Policy
from accounts.models import Account
from games.engine import Phrase, gettext_noop
from games.lobby.eligibility import check_address
from games.models import Tournament, TournamentEntry
from games.play import game_caps
from games.refusals import Refusal, not_found
from games.tournaments.leaving import leave
from games.tournaments.rights import GOING, get_tournament, held

State = Tournament.State
MOST_ENTERED: Final = 10
"""The number of tournaments that an account may take part in at the same time."""
MOST_NAMED: Final = 30
"""The number of rounds that a player may announce to sit out."""
DAILY: Final = Policy("tournament-entries", 20, DAY)
"""The number of tournaments that an account may enter."""


def enter(account: Account, tournament: UUID, now: datetime) -> TournamentEntry:
    """Enter a tournament. Has no effect if the account has already entered.

    Raises Refusal(not-found), Refusal(forbidden) for a guest, a bot account, or an account without a confirmed address,
    Refusal(conflict) if the tournament has started, Refusal(limit-reached) and Refusal(rate-limited).
    """
    get_tournament(account, tournament)
    if account.is_bot:
        raise Refusal(
            "forbidden", Phrase(gettext_noop("Tournaments are for people. A bot account may join open games."))
        )
    check_address(account)
    with game_caps.locked(account):
        found = held(account, tournament)
        mine = found.entries.filter(account=account).first()
        if mine is not None:
            return mine
        if found.state != State.OPEN:
            raise Refusal("conflict", Phrase(gettext_noop("This tournament is closed: it has begun or ended.")))
        _check_room(account, found)
        sentence = gettext_noop("You may enter at most %(most)s tournaments a day. Try again later.")
        game_caps.keep_pace(account, DAILY, sentence, now)
        last = found.entries.aggregate(last=Max("number"))["last"] or 0
        return TournamentEntry.objects.create(tournament=found, account=account, number=last + 1, joined_at=now)


def _check_room(account: Account, tournament: Tournament) -> None:
    if tournament.entries.count() >= tournament.most:
        sentence = gettext_noop("This tournament has %(most)s players, which is the limit.")
        raise Refusal("limit-reached", Phrase(sentence, {"most": tournament.most}))
    mine = TournamentEntry.objects.filter(account=account, withdrawn_at=None, tournament__state__in=GOING)
    if mine.count() >= MOST_ENTERED:
        sentence = gettext_noop("You take part in %(most)s tournaments, which is the limit. Withdraw from one first.")
        raise Refusal("limit-reached", Phrase(sentence, {"most": MOST_ENTERED}))


def entry_of(account: Account | None, tournament: Tournament) -> TournamentEntry | None:
    """The entry of an account in a tournament, if it has one."""
    return None if account is None else tournament.entries.filter(account=account).first()


@transaction.atomic
def change(
    account: Account, tournament: UUID, sits_out: Collection[int] | None = None, hears: bool | None = None
) -> TournamentEntry:
    """Change the rounds that a player sits out, or whether they are notified of rounds. None means no change.

    Raises the refusals of ``sit_out`` and ``hear``.
    """
    if sits_out is not None:
        sit_out(account, tournament, sits_out)
    if hears is not None:
        hear(account, tournament, hears=hears)
    mine = entry_of(account, get_tournament(account, tournament))
    if mine is None:
        raise not_found()
    return mine


@transaction.atomic
def sit_out(account: Account, tournament: UUID, rounds: Collection[int]) -> TournamentEntry:
    """Set the later rounds that a player sits out.

    Raises Refusal(not-found) if the account does not take part, Refusal(malformed), and Refusal(conflict) in a
    knock-out.
    """
    found = held(account, tournament)
    mine = _going_on(account, found)
    if found.format == Tournament.Format.KNOCK_OUT and rounds:
        raise Refusal("conflict", Phrase(gettext_noop("Nobody can sit out a round of a knock-out.")))
    drawn = found.drawn_rounds.count()
    last = found.rounds or MOST_NAMED
    wanted = set(rounds) - set(mine.sits_out)
    if any(not drawn < each <= last for each in wanted):
        sentence = gettext_noop("Only rounds that are not drawn yet can be sat out, from %(least)s to %(most)s.")
        raise Refusal("malformed", Phrase(sentence, {"least": drawn + 1, "most": last}), "sits_out")
    past = {each for each in mine.sits_out if each <= drawn}
    mine.sits_out = sorted(past | set(rounds))
    mine.save(update_fields=["sits_out"])
    return mine


@transaction.atomic
def hear(account: Account, tournament: UUID, *, hears: bool) -> TournamentEntry:
    """Choose whether one hears of new rounds and of the end. Refusal ``not-found``."""
    mine = entry_of(account, held(account, tournament))
    if mine is None:
        raise not_found()
    mine.hears = hears
    mine.save(update_fields=["hears"])
    return mine


@transaction.atomic
def withdraw(account: Account, tournament: UUID, now: datetime) -> None:
    """Leave a tournament: before its draw without a trace, later for good. Games that were begun go on.

    Refusal ``not-found``: one does not take part; ``conflict``: it is over.
    """
    found = held(account, tournament)
    leave(_going_on(account, found), found, now)


def _going_on(account: Account, tournament: Tournament) -> TournamentEntry:
    """Return the entry of an account in a tournament that is not over. Raises Refusal."""
    mine = entry_of(account, tournament)
    if mine is None:
        raise not_found()
    if tournament.state not in GOING:
        raise Refusal("conflict", Phrase(gettext_noop("This tournament is over.")))
    return mine
