"""The tables of a round: their number, and the players at each.

There are as few tables as their maximum size allows, and their sizes differ by one at most. Players are seated in their
order. Then two players at different tables exchange their places if that lowers the cost of all tables, the first two
in the order first, until no exchange does.
"""

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import combinations

from games.engine import AnyRules
from games.tournaments.core.rounds import Round, Table

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
