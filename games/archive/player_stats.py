"""Reading statistics: what a player has played, how well, how reliably they answered, and the wins in a series.

Statistics change only when a game is over, so they reveal nothing about a running game. A series is the chain of games
that ends with one game: a rematch follows its game (``games.tables.rematch``).
"""

from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import count, groupby
from typing import Final, TypeVar
from uuid import UUID

from django.db.models import Exists, F, OuterRef, Prefetch, QuerySet, prefetch_related_objects

from accounts.models import Account
from accounts.names import fold
from config.core.database.sql import find
from games import queries
from games.archive import usual_times
from games.engine import SeatNumber
from games.models import AnswerTimes, Game, PlayerStats, Result, Seat, Stats
from games.visibility.access import visible

ALL_SEATS: Final = 0
"""The ``seat_count`` of statistics over all numbers of players."""
LISTED_FROM: Final = 5
"""The number of finished games of a kind that a player needs for its leaderboard."""
BOARD: Final = 100
"""The number of players on a leaderboard."""

_MIDDLE: Final = 1500
_SPREAD: Final = 24


@dataclass(frozen=True)
class Standing:
    """A player's results as shown beside their seat: with these rules, at tables without bots. The reliability covers
    all games.
    """

    games: int
    wins: int
    rating: int | None
    """The rating, or None before the first game."""
    reliability: float | None
    """See ``reliability``."""
    answer_times: AnswerTimes | None
    """See ``usual_times.shown_times``."""


def points(stats: Stats) -> int:
    """Return the skill that a player has at least, with high probability, on the usual scale of ratings. Newcomers
    start at 1500.
    """
    return round(_MIDDLE + _SPREAD * (stats.mean - 3 * stats.doubt))


def reliability(all_stats: Iterable[PlayerStats]) -> float | None:
    """Return the share of a player's questions that were answered in time, from all their statistics."""
    return share_in_time([stats for stats in all_stats if stats.seat_count == ALL_SEATS])


def share_in_time(all_stats: Collection[Stats]) -> float | None:
    """Return the share of questions that were answered in time, from 0 to 1, or None if there were none."""
    questions = sum(stats.asked for stats in all_stats)
    return round(sum(stats.in_time for stats in all_stats) / questions, 2) if questions else None


def load(games: Sequence[Game]) -> None:
    """Prefetch the statistics and answer times of all players at these tables.

    Their seats must be loaded already.
    """
    accounts = [seat.account for game in games for seat in game.seats.all() if seat.account is not None]
    of_all_sizes = Prefetch("player_stats", PlayerStats.objects.filter(seat_count=ALL_SEATS))
    prefetch_related_objects(accounts, of_all_sizes, "answer_times")


def of(account: Account, rules: str, *, with_bots: bool = False) -> PlayerStats | None:
    """Return a player's statistics in one game with any number of players, or None before the first game."""
    return _of_all_sizes(account.player_stats.all(), rules, with_bots)


def _of_all_sizes(all_stats: Iterable[PlayerStats], rules: str, with_bots: bool = False) -> PlayerStats | None:
    key = (rules, ALL_SEATS, with_bots)
    return next((stats for stats in all_stats if (stats.rules, stats.seat_count, stats.with_bots) == key), None)


def standing(account: Account | None, rules: str) -> Standing | None:
    """Return the data of a player that the other players of a game may see, or None for a bot."""
    if account is None:
        return None
    all_stats = account.player_stats.all()
    stats, times = _of_all_sizes(all_stats, rules), (reliability(all_stats), usual_times.shown_times(account))
    return Standing(0, 0, None, *times) if stats is None else Standing(stats.games, stats.wins, points(stats), *times)


def may_read(account: Account, reader: Account | None) -> bool:
    """Return whether a reader may open a player's page. The owner decides about visitors (None) and guests."""
    return account.public_profile or (reader is not None and not reader.is_guest)


def public_players() -> QuerySet[Account]:
    """Return the players with public profiles."""
    sat = Exists(Seat.objects.filter(account=OuterRef("pk")))
    return Account.objects.filter(sat, public_profile=True, is_active=True)


def player(name: str) -> Account | None:
    """Return the player with this name, if they have ever played. Other accounts are not revealed."""
    sat = Exists(Seat.objects.filter(account=OuterRef("pk")))
    return (
        Account.objects.filter(sat, folded_name=fold(name), is_active=True)
        .select_related("answer_times")
        .prefetch_related("player_stats")
        .first()
    )


def leaders(rules: str, seat_count: int = ALL_SEATS, *, with_bots: bool = False) -> QuerySet[PlayerStats]:
    """Return the leaderboard of one game for one kind of table, the best first."""
    listed = PlayerStats.objects.filter(rules=rules, seat_count=seat_count, with_bots=with_bots, games__gte=LISTED_FROM)
    listed = listed.exclude(account__is_active=False).select_related("account")
    return listed.order_by(F("doubt") * 3 - F("mean"), "-games", "pk")


_Row = TypeVar("_Row", Seat, Result)

MOST_GAMES: Final = 200
"""The highest number of games in a series that are counted."""


def games_up_to(game: Game) -> list[UUID]:
    """Return this game and the games before it in its series, beginning with this one."""
    return [game_id for (game_id,) in find(queries.SERIES, [game.pk, MOST_GAMES])]


def wins_by_seat(game: Game, reader: Account | None) -> Mapping[SeatNumber, int]:
    """Return the number of wins of each player of this game in its series so far. Empty for the first game.

    Only games that the reader may see and whose results are stored are counted. A bot is identified by its place among
    the bots: a rematch has the same bots in the same order, but their seats may differ.
    """
    chain = games_up_to(game)
    if len(chain) < 2:
        return {}
    results = Result.objects.filter(game__in=visible(reader).filter(pk__in=chain).values("pk"))
    wins = Counter[int]()
    for _game, rows in groupby(results.order_by("game", "seat"), key=lambda result: result.game_id):
        wins.update(player for player, row in _players(rows) if row.won)
    seats = sorted(game.seats.all(), key=lambda seat: seat.number)
    return {SeatNumber(seat.number): wins[player] if player else 0 for player, seat in _players(seats)}


def _players(rows: Iterable[_Row]) -> Iterator[tuple[int, _Row]]:
    """Yield the rows of the seats of a game, each with a key: the account, or the negative place of a bot among the
    bots. The key is 0 for a deleted account.
    """
    places = count(-1, -1)
    for row in rows:
        yield row.account_id or (next(places) if row.bot else 0), row
