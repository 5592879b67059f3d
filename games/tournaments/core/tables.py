"""Tables: how many there are, and who sits at them.

There are as few tables as the greatest size allows, and their sizes differ by one at most. People are seated in the
order in which they come, and then change places: two people at different tables do so wherever that makes the cost of
all tables less, the first two in the order first, until no two can.
"""

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import combinations

from games.engine import AnyRules
from games.tournaments.core.rounds import Round, Table

Cost = Callable[[int, int], int]
"""The cost of two entries at one table."""
Meetings = Counter[frozenset[int]]
"""The number of times each two entries have met."""


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
                return tuple(seated // tables + (each < seated % tables) for each in range(tables))
        return ()


def least_at_table(rules: AnyRules) -> int:
    """The least number of players at a table of a tournament of a game."""
    return max(2, min(rules.players))


def met(rounds: Iterable[Round]) -> Meetings:
    """Count how often each two have met."""
    return Counter(pair for round in rounds for table in round.tables for pair in pairs(table))


def pairs(table: Iterable[int]) -> Iterator[frozenset[int]]:
    """Yield all pairs of players at a table."""
    return (frozenset(pair) for pair in combinations(table, 2))


def total(tables: Iterable[Table], cost: Cost) -> int:
    """The cost of all tables."""
    return sum(cost(one, other) for table in tables for one, other in combinations(table, 2))


def arrange(order: Sequence[int], sizes: Sequence[int], cost: Cost) -> tuple[Table, ...]:
    """Seat people in this order, then let them change places while that costs less."""
    seated = list(range(len(order)))
    costs = [[cost(one, other) for other in order] for one in order]
    tables = [range(sum(sizes[:number]), sum(sizes[: number + 1])) for number in range(len(sizes))]
    home = [table for table in tables for _ in table]
    while _improve(seated, home, costs):
        pass
    return tuple(tuple(order[seated[place]] for place in table) for table in tables)


def _improve(seated: list[int], home: Sequence[range], costs: Sequence[Sequence[int]]) -> bool:
    """Let each two change places once where that costs less; whether any did."""
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
