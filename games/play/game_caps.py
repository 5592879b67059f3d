"""Limits on the games that an account may host, play and create.

Games are counted under a lock of the account, so that simultaneous requests cannot exceed a limit together. The lock
must be taken before a game is locked.
"""

from collections.abc import Collection, Iterable, Iterator
from contextlib import contextmanager
from datetime import datetime, timedelta
from typing import Final

from django.conf import settings
from django.db import transaction
from django.db.models import Count, Q

from accounts import rate_limits
from accounts.models import Account
from accounts.rate_limits import DAY, HOUR, Policy
from config.core.database.sql import lock
from games.engine import Phrase, gettext_noop
from games.models import GOING, Game, Seat
from games.refusals import Refusal

_BURST_WINDOW: Final = timedelta(minutes=20)
"""The window of the limit on games that are created in quick succession."""


def burst_policy() -> Policy:
    """Return the limit on games that an account creates in quick succession."""
    return Policy("games", max(settings.GAMES_PER_HOUR // 3, 1), _BURST_WINDOW)


def daily_policy() -> Policy:
    """Return the limit on games that an account creates in a day."""
    return Policy("games-day", settings.GAMES_PER_DAY, DAY)


def join_policy() -> Policy:
    """Return the limit on open games that an account joins. Joining and leaving add lines to the log."""
    return Policy("joins", settings.GAMES_PER_HOUR, HOUR)


@contextmanager
def lock_account(account: Account) -> Iterator[None]:
    """Lock the games and seats of an account until the end of the transaction."""
    with transaction.atomic():
        lock_accounts([account])
        yield


def lock_accounts(accounts: Iterable[Account]) -> None:
    """Lock several accounts in a transaction of the caller, in an order in which no deadlock is possible."""
    for account in sorted(account.pk for account in accounts):
        lock(f"games of account {account}")


def accounts_at_limit(accounts: Collection[int]) -> set[int]:
    """Return the accounts that play in as many games as they may."""
    seats = Seat.objects.filter(account__in=accounts, game__state__in=GOING).values("account").annotate(all=Count("id"))
    full = seats.filter(all__gte=settings.GAMES_AT_ONCE).values_list("account", flat=True)
    return {account for account in full if account is not None}


def count_new_game(account: Account, now: datetime, *, open: bool) -> None:
    """Count a game that an account creates. ``open``: the game will wait for players.

    Call it under ``lock_account``. Raises Refusal(limit-reached) for too many games at a time, and
    Refusal(rate-limited) for too many games in a short time.
    """
    _check_seats(account, open=open, hosting=open)
    enforce_rate(
        account,
        burst_policy(),
        gettext_noop("You can create at most %(most)s games in 20 minutes. Wait a little."),
        now,
    )
    enforce_rate(
        account, daily_policy(), gettext_noop("You can create at most %(most)s games a day. Try again later."), now
    )


def count_join(account: Account, now: datetime) -> None:
    """Count an open game that an account joins. Raises a Refusal as ``count_new_game`` does."""
    _check_seats(account, open=True)
    enforce_rate(
        account, join_policy(), gettext_noop("You can join at most %(most)s games an hour. Wait a little."), now
    )


def check_takeover(account: Account) -> None:
    """Check whether an account may take a seat in a running game. Raises Refusal(limit-reached)."""
    _check_seats(account, open=False)


def enforce_rate(account: Account, policy: Policy, sentence: str, now: datetime) -> None:
    """Count an action of an account. Raises Refusal(rate-limited) with ``sentence``."""
    try:
        rate_limits.enforce(account.pk, policy, now)
    except rate_limits.RateLimitExceeded as error:
        raise Refusal("rate-limited", Phrase(sentence, {"most": policy.quota}), wait=error.wait) from None


def _check_seats(account: Account, *, open: bool, hosting: bool = False) -> None:
    is_open = Q(game__state__in=[Game.State.OPEN, Game.State.STARTING])
    seats = Seat.objects.filter(account=account, game__state__in=GOING)
    counts = seats.aggregate(
        all=Count("id"), open=Count("id", is_open), hosted=Count("id", is_open & Q(game__host=account))
    )
    if counts["all"] >= settings.GAMES_AT_ONCE:
        sentence = gettext_noop("You’re in %(most)s games, which is the limit. Finish, resign or leave one first.")
        raise _limit_reached(sentence, settings.GAMES_AT_ONCE)
    if open and counts["open"] >= settings.OPEN_GAMES:
        sentence = gettext_noop("You’re in %(most)s games that haven’t started, which is the limit. Leave one first.")
        raise _limit_reached(sentence, settings.OPEN_GAMES)
    if hosting and counts["hosted"] >= settings.OPEN_GAMES_HOSTED:
        sentence = gettext_noop(
            "You host %(most)s games that haven’t started, which is the limit. Start one first, or leave it."
        )
        raise _limit_reached(sentence, settings.OPEN_GAMES_HOSTED)


def _limit_reached(sentence: str, most: int) -> Refusal:
    return Refusal("limit-reached", Phrase(sentence, {"most": most}))
