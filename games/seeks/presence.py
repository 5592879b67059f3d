"""Finding the owners of seeks who may be put into a game at the moment."""

from collections.abc import Iterable
from datetime import datetime
from zoneinfo import ZoneInfo

from accounts.models import Account
from games.away.vacations import list_vacations
from games.models import Game, Seat, Seek
from games.play import game_caps


def present(seeks: Iterable[Seek], now: datetime) -> list[Seek]:
    """Return the seeks whose owners may be put into a game.

    Owners are left out whose account is closed, who are on vacation, who play too many games, or who are absent from
    one of their games.
    """
    here = [seek for seek in seeks if seek.account.is_bot == seek.stands and _is_here(seek.account, now)]
    accounts = [each.account_id for each in here]
    running = Seat.objects.filter(account__in=accounts, game__state=Game.State.RUNNING)
    gone = {*running.filter(away=True).values_list("account", flat=True)} | game_caps.accounts_at_limit(accounts)
    return [each for each in here if each.account_id not in gone]


def _is_here(account: Account, now: datetime) -> bool:
    return account.is_active and not _is_on_vacation(account, now)


def _is_on_vacation(account: Account, now: datetime) -> bool:
    today = now.astimezone(ZoneInfo(account.time_zone)).date()
    return any(vacation.first <= today <= vacation.last for vacation in list_vacations(account))
