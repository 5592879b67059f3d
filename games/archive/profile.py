"""A player's page: their finished games that the reader may see, with ratings, opponents and favourite bluffs.

Everything is computed from results, which are stored when a game ends, and only from games that the reader may see. So
a private game appears only for its players, and running games have no effect.
"""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import groupby
from typing import Final
from uuid import UUID

from django.db.models import Count, Exists, F, OuterRef, Q, QuerySet

from accounts.models import Account
from games.models import Game, Result
from games.visibility.access import visible

MOST_OPPONENTS: Final = 10
MOST_BLUFFS: Final = 3
RECENT: Final = 200
"""The number of recent games that are used for ratings and bluffs."""
_LEAST_POINTS: Final = 2
"""The number of ratings below which no line is drawn."""


@dataclass(frozen=True)
class RatingLine:
    """A player's ratings in one game for one kind of table, the oldest first."""

    rules: str
    with_bots: bool
    ratings: list[int]


@dataclass(frozen=True)
class Opponent:
    """An opponent of a player, with the numbers of wins of both."""

    account: Account
    games: int
    won: int
    """The number of wins of the player."""
    lost: int
    """The number of wins of this opponent."""


@dataclass(frozen=True)
class Bluff:
    """A claim of a player: how often it was made, was false, and was caught."""

    rules: str
    claim: str
    made: int
    lies: int
    caught: int


@dataclass(frozen=True)
class Profile:
    """A player's finished games, as far as the reader may know them."""

    results: list[Result]
    """The latest results, the newest first."""
    ratings: list[RatingLine]
    opponents: list[Opponent]
    against_reader: Opponent | None
    """The reader as an opponent. None if the two have not played together."""
    bluffs: list[Bluff]


def profile_of(player: Account, reader: Account | None) -> Profile:
    """Return the profile of a player for a reader."""
    results = list(history(player, reader)[:RECENT])
    other = None if reader is None or reader == player else next(iter(opponents(player, reader, reader)), None)
    return Profile(results, rating_lines(results), opponents(player, reader), other, favourite_bluffs(results))


def history(player: Account, reader: Account | None) -> QuerySet[Result]:
    """Return the results of a player in the games that a reader may see, the newest first."""
    results = Result.objects.filter(account=player, game__in=_finished(player, reader).values("pk"))
    return results.select_related("game").order_by("-game__ended_at", "-game_id")


def _finished(player: Account, reader: Account | None) -> QuerySet[Game]:
    return visible(reader).filter(seats__account=player, state=Game.State.OVER)


def rating_lines(results: Sequence[Result]) -> list[RatingLine]:
    """Return the ratings in these results as lines. Lines of too few games and games of the arena are left out.

    The results belong to one player and are sorted from the newest.
    """
    with_bots = _with_bots(results)
    kinds = sorted(
        (result.game.rules, result.game_id in with_bots, result.game.ended_at, result.rating)
        for result in results
        if result.rating is not None and result.game.ended_at is not None and not result.game.arena
    )
    lines = []
    for (rules, bots_played), group in groupby(kinds, key=lambda row: row[:2]):
        ratings = [rating for *_kind, rating in group]
        if len(ratings) >= _LEAST_POINTS:
            lines.append(RatingLine(rules, bots_played, ratings))
    return lines


def _with_bots(results: Sequence[Result]) -> set[UUID]:
    """Return the games in which bots played. They are rated separately."""
    games = [result.game_id for result in results]
    return set(Result.objects.filter(game__in=games, bot=True).values_list("game", flat=True))


def opponents(player: Account, reader: Account | None, other: Account | None = None) -> list[Opponent]:
    """Return the most frequent opponents of a player, or only ``other``.

    Visitors and guests see only opponents with a public profile.
    """
    won = Exists(Result.objects.filter(game=OuterRef("game"), account=player, won=True))
    theirs = Result.objects.filter(game__in=_finished(player, reader).values("pk"), account__is_active=True)
    theirs = theirs.exclude(account=player).annotate(mine=won)
    if other is not None:
        theirs = theirs.filter(account=other)
    if reader is None or reader.is_guest:
        theirs = theirs.filter(account__public_profile=True)
    counted = theirs.values("account").annotate(
        played=Count("id"), wins=Count("id", filter=Q(mine=True)), losses=Count("id", filter=Q(won=True))
    )
    rows = list(counted.order_by("-played", F("account__name"))[:MOST_OPPONENTS])
    accounts = Account.objects.in_bulk([row["account"] for row in rows])
    return [Opponent(accounts[row["account"]], row["played"], row["wins"], row["losses"]) for row in rows]


def favourite_bluffs(results: Sequence[Result]) -> list[Bluff]:
    """Return the claims that a player made falsely most often in these games."""
    counts: dict[tuple[str, str], Counter[str]] = {}
    for result in results:
        for claim, claimed, lies, caught in result.bluffs:
            tally = counts.setdefault((result.game.rules, claim), Counter())
            tally.update({"made": claimed, "lies": lies, "caught": caught})
    bluffs = [Bluff(rules, claim, **tally) for (rules, claim), tally in counts.items() if tally["lies"]]
    return sorted(bluffs, key=lambda bluff: (-bluff.lies, bluff.made, bluff.claim))[:MOST_BLUFFS]
