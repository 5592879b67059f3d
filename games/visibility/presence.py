"""Presence: whether all players of a game have it open now, on a page or in an app.

Only players of the game learn this, and only if all players have agreed to it. So nothing is revealed about a player
who has not agreed, nor about which players are present.
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
"""The time for which a player counts as present after their page was rendered. An open page is rendered more often."""
_RENEWED_AFTER: Final = KEPT / 3
"""The presence is stored again if the page is rendered this much later."""


class AllHere(NamedTuple):
    """All players are present."""

    accounts: Collection[int]
    until: datetime
    """The time until which all of them count as present."""


def note(game: Game, account: Account, now: datetime) -> None:
    """Record that a player who has agreed to it has a game open."""
    if not account.shows_presence or game.state != Game.State.RUNNING:
        return
    if not Presence.objects.filter(game=game, account=account, until__gt=now + KEPT - _RENEWED_AFTER).exists():
        Presence.objects.bulk_create(
            [Presence(game=game, account=account, until=now + KEPT)],
            update_conflicts=True,
            unique_fields=["game", "account"],
            update_fields=["until"],
        )


def all_here(game: Game, account: Account, now: datetime) -> AllHere | None:
    """Return ``AllHere`` for a player if all players are present and have agreed to show it, otherwise None."""
    here = _here(game, now) if account.shows_presence else {}
    if account.pk not in here:
        return None
    seats = {SeatNumber(seat.number): seat for seat in game.seats.all()}
    playing = [seats[seat] for seat in pauses.people(log_store.rules_of(game), log_store.position(game).state, seats)]
    accounts = {seat.account_id for seat in playing if seat.account_id is not None}
    if len(accounts) < 2 or account.pk not in accounts or any(seat.by_bot for seat in playing):
        return None
    return AllHere(accounts, min(here[account] for account in accounts)) if accounts <= here.keys() else None


def _here(game: Game, now: datetime) -> dict[int, datetime]:
    rows = Presence.objects.filter(game=game, until__gt=now, account__shows_presence=True)
    return dict(rows.values_list("account", "until"))


def forget(now: datetime) -> None:
    """Delete expired records."""
    Presence.objects.filter(until__lt=now).delete()
