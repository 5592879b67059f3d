"""Presence: those who look for a game and are not to be put into one at the moment."""

from collections.abc import Collection
from datetime import datetime
from zoneinfo import ZoneInfo

from accounts.models import Account
from games.away.vacations import list_vacations
from games.models import Game, Seat
from games.play import game_caps


def absentees(accounts: Collection[Account], now: datetime) -> frozenset[int]:
    """Return those of these accounts that are closed, on vacation, in too many games, or away from one of theirs."""
    gone = {each.pk for each in accounts if not each.is_active or _is_on_vacation(each, now)}
    present = [each.pk for each in accounts if each.pk not in gone]
    running = Seat.objects.filter(account__in=present, game__state=Game.State.RUNNING)
    away = running.filter(away=True).values_list("account", flat=True)
    return frozenset(gone | {each for each in away if each} | game_caps.busy(present))


def _is_on_vacation(account: Account, now: datetime) -> bool:
    today = now.astimezone(ZoneInfo(account.time_zone)).date()
    return any(each.first <= today <= each.last for each in list_vacations(account))
