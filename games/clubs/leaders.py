"""The leaderboard of a club.

In each game of the club, a player gets 2 points for each person who finished behind them, and 1 for each who shares
their place. Bots and bot accounts do not count. Members are sorted by points, then by wins, then by the number of
games, where fewer games are better.
"""

from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Final, NamedTuple
from uuid import UUID

from django.db.models import Q

from accounts.models import Account
from games.models import Membership, Result

MOST_GAMES: Final = 2000
"""Only this number of newest games counts."""
BEATEN: Final = 2
SHARED: Final = 1


@dataclass(frozen=True)
class Leader:
    """A member on the leaderboard."""

    place: int
    account: Account
    games: int
    wins: int
    points: int


def leaders(club: UUID, now: datetime, days: int | None = None) -> list[Leader]:
    """Return the members who have finished a game of the club, optionally in the last ``days`` only."""
    tables = _tables(club, None if days is None else now - timedelta(days=days))
    points, games, wins = Counter[int](), Counter[int](), Counter[int]()
    for table in tables:
        for finish in table:
            if finish.account_id is not None:
                points[finish.account_id] += _points(finish, table)
                games[finish.account_id] += 1
                wins[finish.account_id] += finish.won
    members = Membership.objects.filter(club=club, account__in=games).select_related("account")
    accounts = {member.account_id: member.account for member in members}
    keys = {account: (-points[account], -wins[account], games[account]) for account in accounts}
    order = sorted(accounts, key=lambda pk: (keys[pk], accounts[pk].name))
    places = {key: place for place, key in reversed([*enumerate((keys[pk] for pk in order), start=1)])}
    return [Leader(places[keys[pk]], accounts[pk], games[pk], wins[pk], points[pk]) for pk in order]


class _Finish(NamedTuple):
    """The place of a person in a game."""

    account_id: int | None
    seat: int
    place: int
    won: bool


def _tables(club: UUID, since: datetime | None) -> Iterator[Sequence[_Finish]]:
    """Return the results of the people in each game of the club that had at least two of them."""
    people = Q(account=None) | Q(account__is_bot=False)
    rows = Result.objects.filter(people, game__club=club, bot=False)
    if since is not None:
        rows = rows.filter(game__ended_at__gte=since)
    newest = rows.order_by("-game__ended_at").values_list("game", flat=True).distinct()[:MOST_GAMES]
    tables: defaultdict[UUID, list[_Finish]] = defaultdict(list)
    for game, *finish in rows.filter(game__in=list(newest)).values_list("game", *_Finish._fields):
        tables[game].append(_Finish(*finish))
    return (table for table in tables.values() if len(table) > 1)


def _points(player: _Finish, table: Iterable[_Finish]) -> int:
    others = [other.place for other in table if other.seat != player.seat]
    return BEATEN * sum(place > player.place for place in others) + SHARED * others.count(player.place)
