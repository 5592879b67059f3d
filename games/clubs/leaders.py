"""The leaderboard of a club.

In each game of the club, a player gets 2 points for each person who finished behind them, and 1 for each who shares
their place. Bots and bot accounts count for nothing. Who has more points stands higher; then who has won more; then
who has played less.
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
"""The number of the newest games that are counted."""
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
        for each in table:
            if each.account_id is not None:
                points[each.account_id] += _points(each, table)
                games[each.account_id] += 1
                wins[each.account_id] += each.won
    members = Membership.objects.filter(club=club, account__in=games).select_related("account")
    accounts = {member.account_id: member.account for member in members}
    keys = {account: (-points[account], -wins[account], games[account]) for account in accounts}
    order = sorted(accounts, key=lambda each: (keys[each], accounts[each].name))
    places = {key: place for place, key in reversed([*enumerate((keys[each] for each in order), start=1)])}
    return [Leader(places[keys[each]], accounts[each], games[each], wins[each], points[each]) for each in order]


class _Finish(NamedTuple):
    """The place of a person in a game."""

    account_id: int | None
    seat: int
    place: int
    won: bool


def _tables(club: UUID, since: datetime | None) -> Iterator[Sequence[_Finish]]:
    """The results of the people in each game of a club in which at least two of them played."""
    people = Q(account=None) | Q(account__is_bot=False)
    rows = Result.objects.filter(people, game__club=club, bot=False)
    if since is not None:
        rows = rows.filter(game__ended_at__gte=since)
    newest = rows.order_by("-game__ended_at").values_list("game", flat=True).distinct()[:MOST_GAMES]
    found: defaultdict[UUID, list[_Finish]] = defaultdict(list)
    for game, *finish in rows.filter(game__in=list(newest)).values_list("game", *_Finish._fields):
        found[game].append(_Finish(*finish))
    return (table for table in found.values() if len(table) > 1)


def _points(mine: _Finish, table: Iterable[_Finish]) -> int:
    others = [each.place for each in table if each.seat != mine.seat]
    return BEATEN * sum(place > mine.place for place in others) + SHARED * others.count(mine.place)
