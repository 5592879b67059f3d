"""Caps on the games of one account: how many it may host, sit in and create.

They hold whatever door somebody comes through. They are counted under a lock of the account's own, so that requests at
the same moment cannot pass them together. It is taken before any game is held, and never while one is.
"""

from collections.abc import Collection, Iterable, Iterator
from contextlib import contextmanager
from datetime import datetime, timedelta
from typing import Final

from django.conf import settings
from django.db import connection, transaction
from django.db.models import Count, Q

from accounts.limits import rate_limits
from accounts.limits.rate_limits import DAY, HOUR, Policy
from accounts.models import Account
from games.engine import Phrase, gettext_noop
from games.models import GOING, Game, Seat
from games.refusals import Refusal

_SHORT: Final = timedelta(minutes=20)
"""The window of the games that may be created in a row: a third of an hour's."""
_LOCK: Final = "SELECT pg_advisory_xact_lock(hashtextextended('games of an account', %s))"


def in_a_row() -> Policy:
    """Return how many games an account may create one after another; it refills evenly."""
    return Policy("games", max(settings.GAMES_PER_HOUR // 3, 1), _SHORT)


def in_a_day() -> Policy:
    """Return how many games an account may create in a day."""
    return Policy("games-day", settings.GAMES_PER_DAY, DAY)


def joins() -> Policy:
    """Return how many open games an account may join: each leaves its lines in the log, as does leaving."""
    return Policy("joins", settings.GAMES_PER_HOUR, HOUR)


@contextmanager
def locked(account: Account) -> Iterator[None]:
    """Let nobody else add a game or a seat to this account until the end of the transaction."""
    with transaction.atomic():
        with connection.cursor() as cursor:
            cursor.execute(_LOCK, [account.pk])
        yield


def lock_all(accounts: Iterable[Account]) -> None:
    """Lock several accounts, in an order in which nobody waits for each other. In a transaction of the caller's."""
    with connection.cursor() as cursor:
        for account in sorted(account.pk for account in accounts):
            cursor.execute(_LOCK, [account])


def busy(accounts: Collection[int]) -> set[int]:
    """Return those of these accounts that are in as many games as they may be."""
    seats = Seat.objects.filter(account__in=accounts, game__state__in=GOING).values("account").annotate(all=Count("id"))
    full = seats.filter(all__gte=settings.GAMES_AT_ONCE).values_list("account", flat=True)
    return {each for each in full if each is not None}


def check_new(account: Account, now: datetime, *, open: bool) -> None:
    """Count one more game that an account creates, and sits in; ``open``: it will wait for players.

    Only while it is ``locked``. Refusal ``limit-reached`` (too many at once), ``rate-limited`` (too many of late).
    """
    _check_seats(account, open=open, hosting=open)
    keep_pace(
        account, in_a_row(), gettext_noop("You may create at most %(most)s games in 20 minutes. Wait a little."), now
    )
    keep_pace(account, in_a_day(), gettext_noop("You may create at most %(most)s games a day. Try again later."), now)


def check_joining(account: Account, now: datetime) -> None:
    """Count one more game that an account joins before it begins. Otherwise as ``check_new``."""
    _check_seats(account, open=True)
    keep_pace(account, joins(), gettext_noop("You may join at most %(most)s games an hour. Wait a little."), now)


def check_taking_over(account: Account) -> None:
    """Refuse a seat in a running game to an account that is in too many. Otherwise as ``check_new``."""
    _check_seats(account, open=False)


def keep_pace(account: Account, policy: Policy, sentence: str, now: datetime) -> None:
    """Count one thing that an account does; ``sentence`` says how often it may. Refusal ``rate-limited``."""
    try:
        rate_limits.enforce(account.pk, policy, now)
    except rate_limits.RateLimitExceeded as error:
        raise Refusal("rate-limited", Phrase(sentence, {"most": policy.quota}), wait=error.wait) from None


def _check_seats(account: Account, *, open: bool, hosting: bool = False) -> None:
    waits = Q(game__state__in=[Game.State.OPEN, Game.State.STARTING])
    mine = Seat.objects.filter(account=account, game__state__in=GOING)
    counts = mine.aggregate(all=Count("id"), open=Count("id", waits), hosted=Count("id", waits & Q(game__host=account)))
    if counts["all"] >= settings.GAMES_AT_ONCE:
        sentence = gettext_noop(
            "You are in %(most)s games, which is the limit. Finish, resign or leave one of them first."
        )
        raise _reached(sentence, settings.GAMES_AT_ONCE)
    if open and counts["open"] >= settings.OPEN_GAMES:
        sentence = gettext_noop(
            "You sit in %(most)s games that have not begun, which is the limit. Leave one of them first."
        )
        raise _reached(sentence, settings.OPEN_GAMES)
    if hosting and counts["hosted"] >= settings.OPEN_GAMES_HOSTED:
        sentence = gettext_noop(
            "You host %(most)s games that have not begun, which is the limit. Start one of them, or leave it, first."
        )
        raise _reached(sentence, settings.OPEN_GAMES_HOSTED)


def _reached(sentence: str, most: int) -> Refusal:
    return Refusal("limit-reached", Phrase(sentence, {"most": most}))
