"""The tables of a round, the random order of the players, and the divisions of a league.

There are as few tables as their maximum size allows, and their sizes differ by one at most. Players are seated in their
order. Then two players at different tables exchange their places if that lowers the cost of all tables, the first two
in the order first, until no exchange does.

Random numbers follow from a seed and, if there is one, from a public beacon.

The ladder is the order of all players of a league: the first division from its first to its last player, then the
second division, and so on. After a season the last players of each division change places with the first ones of the
next. Before the next season, players who do not play in it leave the ladder, and new players are added at its end. Then
the ladder is cut into divisions again.
"""

import hashlib
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import combinations, pairwise
from typing import Self

from games.engine import AnyRules, SeededChance
from games.tournaments.core.standings import Round, Table

Cost = Callable[[int, int], int]
"""The cost of two entries at the same table."""
Meetings = Counter[frozenset[int]]
"""The number of meetings of each pair of entries."""


@dataclass(frozen=True)
class Sizes:
    """The sizes that a table may have."""

    least: int
    most: int

    def of(self, count: int) -> tuple[int, ...]:
        """Return the sizes of the tables for a number of players, larger tables first. Their sum is smaller if some
        players get no seat.
        """
        for seated in range(count, self.least - 1, -1):
            tables = -(-seated // self.most)
            if seated // tables >= self.least:
                return tuple(seated // tables + (table < seated % tables) for table in range(tables))
        return ()


def least_at_table(rules: AnyRules) -> int:
    """Return the minimum number of players at a tournament table of this game."""
    return max(2, min(rules.players))


def met(rounds: Iterable[Round]) -> Meetings:
    """Count the meetings of each pair."""
    return Counter(pair for round in rounds for table in round.tables for pair in pairs(table))


def pairs(table: Iterable[int]) -> Iterator[frozenset[int]]:
    """Yield all pairs of players at a table."""
    return (frozenset(pair) for pair in combinations(table, 2))


def total(tables: Iterable[Table], cost: Cost) -> int:
    """Return the cost of all tables."""
    return sum(cost(one, other) for table in tables for one, other in combinations(table, 2))


def arrange(order: Sequence[int], sizes: Sequence[int], cost: Cost) -> tuple[Table, ...]:
    """Seat players in this order, and exchange their places while that lowers the cost."""
    seated = list(range(len(order)))
    costs = [[cost(one, other) for other in order] for one in order]
    tables = [range(sum(sizes[:number]), sum(sizes[: number + 1])) for number in range(len(sizes))]
    home = [table for table in tables for _ in table]
    while _improve(seated, home, costs):
        pass
    return tuple(tuple(order[seated[place]] for place in table) for table in tables)


def _improve(seated: list[int], home: Sequence[range], costs: Sequence[Sequence[int]]) -> bool:
    """Exchange each pair of players whose exchange lowers the cost. Return whether there was one."""
    changed = False
    for first, second in combinations(range(len(seated)), 2):
        if home[first] is not home[second] and _saves(seated, first, second, home, costs):
            seated[first], seated[second] = seated[second], seated[first]
            changed = True
    return changed


def _saves(
    seated: Sequence[int], first: int, second: int, home: Sequence[range], costs: Sequence[Sequence[int]]
) -> bool:
    """Return whether exchanging the players on two places lowers the cost."""
    one, other = costs[seated[first]], costs[seated[second]]
    saved = 0
    for place in home[first]:
        if place != first:
            saved += one[seated[place]] - other[seated[place]]
    for place in home[second]:
        if place != second:
            saved += other[seated[place]] - one[seated[place]]
    return saved > 0


def commitment(tournament: str, seed: bytes) -> str:
    """Return the commitment to a seed, published before anyone enters: the digest of
    ``darbar-tournament|tournament|seed``.
    """
    return hashlib.sha256(f"darbar-tournament|{tournament}|{seed.hex()}".encode()).hexdigest()


@dataclass(frozen=True)
class Lots:
    """The random orders of one tournament."""

    seed: bytes
    tournament: str
    """The id of the tournament."""
    beacon: bytes = b""
    """The randomness of the beacon's round, or empty without a beacon."""

    def order(self, purpose: str, entries: Iterable[int]) -> tuple[int, ...]:
        """Return the entries in random order. Each purpose has an order of its own."""
        rest = sorted(entries)
        return self._chance(purpose).take(rest, len(rest))

    def of(self, part: str) -> Self:
        """Return independent lots for a part of the tournament."""
        return replace(self, tournament=f"{self.tournament}|{part}")

    def _chance(self, purpose: str) -> SeededChance:
        return SeededChance(self.seed, f"{self.tournament}|{purpose}", [self.beacon] if self.beacon else [])


def exchanges(divisions: Sequence[Sequence[int]], count: int) -> Iterator[tuple[list[int], list[int]]]:
    """Yield, for each division except the last, the players who go down and the players of the next one who come up.

    ``divisions`` are sorted by their standings. ``count`` players go up and as many go down, but at most half of a
    small division, so that no player does both.
    """
    for upper, lower in pairwise(divisions):
        moving = min(count, len(upper) // 2, len(lower) // 2)
        yield list(upper[len(upper) - moving :]), list(lower[:moving])


def next_ladder(divisions: Sequence[Sequence[int]], count: int) -> list[int]:
    """Return the ladder after a season."""
    places = [list(division) for division in divisions]
    for number, (down, up) in enumerate(exchanges(divisions, count)):
        places[number][len(places[number]) - len(down) :] = up
        places[number + 1][: len(up)] = down
    return [player for division in places for player in division]


def cut_ladder(ladder: Sequence[int], size: int, least: int) -> list[list[int]]:
    """Cut a ladder into divisions of this size. The last division has the remaining players.

    If they are fewer than half a division, or than ``least``, they play in the division before.
    """
    count, rest = divmod(len(ladder), size)
    if rest >= max(least, (size + 1) // 2) or not count:
        count += 1
    ends = [*range(0, count * size, size), len(ladder)]
    return [list(ladder[start:end]) for start, end in pairwise(ends)]
