"""Presence: whether everybody who plays in a game has it open now, on a page or in a program.

It is told to nobody but those who play, and only where all of them have agreed to be seen as here. So nobody learns
anything of somebody who has not agreed, nor whether some are here and others are not.
"""

from collections.abc import Collection
from datetime import datetime, timedelta
from typing import Final, NamedTuple

from accounts.models import Account
from games.deadlines import pauses
from games.engine import SeatNumber
from games.event_log import log_store
from games.models import Game, Presence

KEPT: Final = timedelta(minutes=3)
"""For so long somebody counts as here after their page was made. A page that is open is made anew more often."""
_RENEWED: Final = KEPT / 3
"""A page that is made so much later says again that it is open."""


class AllHere(NamedTuple):
    """Everybody who plays is here."""

    accounts: Collection[int]
    until: datetime
    """The moment until which all of them count as here."""


def note(game: Game, account: Account, now: datetime) -> None:
    """Note that somebody who agreed to show it has a game open."""
    if not account.shows_presence or game.state != Game.State.RUNNING:
        return
    if not Presence.objects.filter(game=game, account=account, until__gt=now + KEPT - _RENEWED).exists():
        Presence.objects.bulk_create(
            [Presence(game=game, account=account, until=now + KEPT)],
            update_conflicts=True,
            unique_fields=["game", "account"],
            update_fields=["until"],
        )


def all_here(game: Game, account: Account, now: datetime) -> AllHere | None:
    """Return that all who play are here, for one of them; None where not all are, or have agreed."""
    here = _here(game, now) if account.shows_presence else {}
    if account.pk not in here:
        return None
    seats = {SeatNumber(seat.number): seat for seat in game.seats.all()}
    playing = [seats[seat] for seat in pauses.people(log_store.rules_of(game), log_store.position(game).state, seats)]
    accounts = {seat.account_id for seat in playing if seat.account_id is not None}
    if len(accounts) < 2 or account.pk not in accounts or any(seat.by_bot for seat in playing):
        return None
    return AllHere(accounts, min(here[each] for each in accounts)) if accounts <= here.keys() else None


def _here(game: Game, now: datetime) -> dict[int, datetime]:
    rows = Presence.objects.filter(game=game, until__gt=now, account__shows_presence=True)
    return dict(rows.values_list("account", "until"))


def forget(now: datetime) -> None:
    """Delete what is over."""
    Presence.objects.filter(until__lt=now).delete()
