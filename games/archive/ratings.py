"""Counting finished games in the statistics, one after another. Each game is counted once.

A task finds the games that are not counted yet, so moves are not slowed down. Games without bots, games with bots and
the arena are rated separately. All Darbar bots share one row in each, at every level. A better place beats a worse one,
and teams are rated together. Games with guests are not rated, and practice games have no results.
"""

import math
import uuid
from collections.abc import Collection, Iterable, Iterator, Sequence
from datetime import datetime
from itertools import chain, groupby
from typing import Any, Final

from django.db import transaction
from django.db.models import Count, Q, QuerySet
from openskill.models import PlackettLuce

from config.core.database.sql import lock
from games.archive import usual_times, waiting_times
from games.archive.player_stats import ALL_SEATS, points
from games.engine import Outcome, SeatNumber
from games.event_log import log_store
from games.event_log.log_store import events_of
from games.event_log.table import Table
from games.models import ArenaStats, FormerPlayer, Game, Move, PlayerStats, Result, Stats
from games.play.resolve import BATCH, each_game, playable

LEAST_PEOPLE: Final = {False: 2, True: 1}
"""The number of people that a rated game needs, with (True) and without bots."""
_COUNTING: Final = "games.archive.ratings"
"""The lock for counting, because the order of games matters."""

_MODEL: Final = PlackettLuce()
_Key = tuple[Any, ...]


def count_all(now: datetime) -> None:
    """Count every game that is over and not counted yet, in the order in which they ended."""
    each_game(lambda passed: _uncounted(now, passed), lambda game: count(game, now))


def waiting(now: datetime) -> Iterable[QuerySet[Game]]:
    """Return the games that are not counted yet."""
    return [_over(now)]


def _uncounted(now: datetime, passed: Collection[uuid.UUID]) -> list[uuid.UUID]:
    over = _over(now).exclude(pk__any=passed)
    return list(over.values_list("pk", flat=True)[:BATCH])


def _over(now: datetime) -> QuerySet[Game]:
    over = Game.objects.filter(playable(""), state=Game.State.OVER, counted=False, ended_at__lte=now)
    return over.order_by("ended_at", "id")


def count(game: uuid.UUID, now: datetime) -> bool:
    """Count one game, unless that was done already. Always return True, because nothing is left to do."""
    with transaction.atomic():
        lock(_COUNTING)
        row = Game.objects.select_for_update(no_key=True).filter(pk=game, state=Game.State.OVER, counted=False).first()
        if row is not None:
            _enter(row, now)
    return True


def count_again() -> int:
    """Compute all statistics again from the results, in the order in which they were counted. Return the number of
    games.

    A seat whose account was deleted counts as a newcomer.
    """
    with transaction.atomic():
        lock(_COUNTING)
        PlayerStats.objects.all().delete()
        ArenaStats.objects.all().delete()
        books, games = Books(()), 0
        for game, results in _counted():
            books.enter(game, results)
            Result.objects.bulk_update(results, ["rating"])
            games += 1
        books.store()
    return games


def find_faults() -> Iterator[tuple[uuid.UUID, str]]:
    """Yield a sentence for each game whose ratings or statistics do not follow from all results.

    The statistics of a deleted account are gone. The ratings of its games, and later ratings of the same players,
    cannot be computed again and are not compared.
    """
    books, unknown, latest = Books(()), set[_Key](), dict[_Key, uuid.UUID]()
    for game, rows in _counted():
        stored = [result.rating for result in rows]
        for result in rows:
            result.rating = None
        books.enter(game, rows)
        keys = books.keys(game, rows)
        latest |= dict.fromkeys(keys, game.pk)
        if keys & unknown or any(result.account_id is None and not result.bot for result in rows):
            unknown |= keys
        elif stored != [result.rating for result in rows]:
            yield game.pk, "the ratings after it do not follow from the results"
    for key, game_id in latest.items():
        if key not in unknown and not books.is_stored(key):
            yield game_id, "the stats of a player after it do not follow from the results"


def _enter(game: Game, now: datetime) -> None:
    results = results_with_bluffs(game)
    accounts = [result.account_id for result in results if result.account_id]
    whose = Q(account__in=accounts) | Q(account=None)
    if game.arena:
        books = Books(ArenaStats.objects.filter(whose, rules=game.rules))
    else:
        books = Books(PlayerStats.objects.filter(whose, rules=game.rules, seat_count__in=(ALL_SEATS, len(results))))
    books.enter(game, results)
    books.store()
    Result.objects.bulk_create(results)
    usual_times.renew(accounts)
    usual_times.renew_hours(accounts)
    waiting_times.count(game, now)
    game.counted = True
    game.save(update_fields=["counted"])


def results(game: Game) -> list[Result]:
    """Return the result of each seat of a game, from its log and its moves.

    Questions that a bot answered for an absent player count neither as asked nor as answered. A player whose seat is
    held by a bot at the end has not won. So staying away neither avoids a loss nor gains anything.
    """
    position = log_store.position(game)
    table, outcome = position.table, log_store.rules_of(game).outcome(position.state)
    assert table is not None
    assert outcome is not None
    sat_in = Q(via=Move.Via.BOT, seat__in=[seat.number for seat in game.seats.all() if not seat.bot])
    answers = Move.objects.filter(game=game, state=Move.State.APPLIED).exclude(Q(question="") | sat_in)
    of_players = _of_its_last_player(game, answers).values("seat")
    counts = of_players.annotate(asked=Count("id"), in_time=Count("id", filter=~Q(via=Move.Via.TIMEOUT)))
    answered = {count["seat"]: {"asked": count["asked"], "in_time": count["in_time"]} for count in counts}
    return [
        Result(
            game=game,
            seat=seat.number,
            account_id=seat.account_id,
            bot=seat.bot,
            **came_out(outcome, SeatNumber(seat.number), table),
            **answered.get(seat.number, {"asked": 0, "in_time": 0}),
        )
        for seat in game.seats.all()
    ]


def results_with_bluffs(game: Game) -> list[Result]:
    """Return the results of a game with the claims of each seat. A practice game has no results."""
    table = log_store.position(game).table
    if table is not None and table.practice_of:
        return []
    rows = results(game)
    _note_bluffs(game, rows)
    return rows


def came_out(outcome: Outcome, seat: SeatNumber, table: Table) -> dict[str, Any]:
    """Return the result of a seat. A player whose seat is held by a bot at the end takes the last place."""
    seats = [SeatNumber(number) for number in range(1, table.seat_count + 1)]
    if seat in table.away:
        won, place, team = False, max(2, *map(outcome.place, seats)), len(seats) + seat
    else:
        won, place, team = seat in table.winners, outcome.place(seat), outcome.team(seat) or seat
    return {"won": won, "place": place, "team": team, "score": outcome.score(seat)}


def _note_bluffs(game: Game, results: Iterable[Result]) -> None:
    """Store with each result the claims from its seat, and how often they were false."""
    events = events_of(log_store.read(game))
    claims = log_store.rules_of(game).statistics(events).claims
    for result in results:
        own_claims = (claim for claim in claims if claim.seat == result.seat and not claim.denies)
        result.bluffs = [[claim.claim, claim.made, claim.lies, claim.fallen] for claim in own_claims]


def _of_its_last_player(game: Game, answers: QuerySet[Move]) -> QuerySet[Move]:
    """Return the answers since the last player of a seat took it over."""
    for former in FormerPlayer.objects.filter(game=game):
        answers = answers.exclude(seat=former.seat, received_at__lte=former.left_at)
    return answers


def _counted() -> Iterator[tuple[Game, list[Result]]]:
    """Return the counted games with their results."""
    rows = Result.objects.order_by("id").select_related("game")
    for game, results in groupby(rows.iterator(), key=lambda result: result.game):
        yield game, list(results)


class Books:
    """Statistics in memory, to which games are added."""

    def __init__(self, stats: Iterable[Stats]) -> None:
        self._stats: dict[_Key, Stats] = {_key(stat): stat for stat in stats}

    def enter(self, game: Game, results: Sequence[Result]) -> None:
        """Add a game to the statistics over all numbers of players and to those of its number of players, or to the
        arena's.
        """
        with_bots = any(result.bot for result in results)
        if game.has_guests or sum(not result.bot for result in results) < LEAST_PEOPLE[with_bots]:
            return
        for seat_count in (ALL_SEATS,) if game.arena else (ALL_SEATS, len(results)):
            before = [self._stats_of(result, game, seat_count, with_bots) for result in results]
            skills = _rated(before, results)
            for stats, result in zip(before, results, strict=True):
                stats.games += 1
                stats.wins += result.won
                stats.asked += result.asked
                stats.in_time += result.in_time
                own_skills = [skill for row, skill in zip(before, skills, strict=True) if row is stats]
                stats.mean = sum(mean for mean, _ in own_skills) / len(own_skills)
                stats.doubt = sum(doubt for _, doubt in own_skills) / len(own_skills)
                if seat_count == ALL_SEATS and not result.bot:
                    result.rating = points(stats)

    def _stats_of(self, result: Result, game: Game, seat_count: int, with_bots: bool) -> Stats:
        """Return the statistics of a result. For a deleted account they are never stored."""
        whose: dict[str, Any] = {"account_id": result.account_id, "rules": game.rules}
        blank: Stats = (
            ArenaStats(**whose) if game.arena else PlayerStats(**whose, seat_count=seat_count, with_bots=with_bots)
        )
        if result.account_id is None and not result.bot:
            return blank
        return self._stats.setdefault(_key(blank), blank)

    def keys(self, game: Game, results: Sequence[Result]) -> set["_Key"]:
        """Return the keys of the statistics that a game was added to."""
        whose = {result.account_id for result in results}
        counts = (ALL_SEATS, len(results))
        return {
            key
            for key, stats in self._stats.items()
            if stats.account_id in whose
            and stats.rules == game.rules
            and isinstance(stats, ArenaStats) == game.arena
            and (not isinstance(stats, PlayerStats) or stats.seat_count in counts)
        }

    def is_stored(self, key: "_Key") -> bool:
        """Return whether the database has the same statistics."""
        stats = self._stats[key]
        same = {"account_id": stats.account_id, "rules": stats.rules}
        if isinstance(stats, PlayerStats):
            same |= {"seat_count": stats.seat_count, "with_bots": stats.with_bots}
        kind: type[Any] = type(stats)
        row = kind.objects.filter(**same).first()
        counts = ("games", "wins", "asked", "in_time")
        return (
            row is not None
            and all(getattr(row, name) == getattr(stats, name) for name in counts)
            and math.isclose(row.mean, stats.mean)
            and math.isclose(row.doubt, stats.doubt)
        )

    def store(self) -> None:
        """Store new and changed statistics."""
        values = ["games", "wins", "asked", "in_time", "mean", "doubt"]
        kinds: list[type[Any]] = [PlayerStats, ArenaStats]
        for kind in kinds:
            rows = [stat for stat in self._stats.values() if isinstance(stat, kind)]
            kind.objects.bulk_update([row for row in rows if row.pk], values)
            kind.objects.bulk_create([row for row in rows if not row.pk])


def _key(stats: Stats) -> _Key:
    """Return the key of a row: a game without bots, with bots, or of the arena."""
    if isinstance(stats, PlayerStats):
        return stats.account_id, stats.rules, stats.seat_count, stats.with_bots
    return stats.account_id, stats.rules


def _rated(before: Sequence[Stats], results: Sequence[Result]) -> list[tuple[float, float]]:
    """Return the skills after a game as (mean, doubt). Bots get the average of their seats."""
    teams: dict[int, list[int]] = {}
    for index, result in enumerate(results):
        teams.setdefault(result.team, []).append(index)
    skills = [
        [_MODEL.rating(mu=before[seat].mean, sigma=before[seat].doubt) for seat in team] for team in teams.values()
    ]
    after = _MODEL.rate(skills, ranks=[float(results[team[0]].place) for team in teams.values()])
    rated = dict(zip(chain.from_iterable(teams.values()), chain.from_iterable(after), strict=True))
    return [(rated[index].mu, rated[index].sigma) for index in range(len(results))]
