"""The formats of tournaments, their tables and standings. Pure: no framework, no clock.

Rounds, points, and the order of the players after some rounds. The winner of a table gets 100 points and the last
player none. The others are spaced evenly between them, at tables of any size: each player behind counts one part, and
each player on the same place half a part.

Players are sorted by points. Players with equal points are sorted by the strength of their opponents: the mean of their
opponents' points, counting each meeting. Then by the number of tables that they won. Players who are still equal share
a place.

The tables of a round, the random order of the players, and the divisions of a league. There are as few tables as their
maximum size allows, and their sizes differ by one at most. Players are seated in their order. Then two players at
different tables exchange their places if that lowers the cost of all tables, the first two in the order first, until no
exchange does.

Random numbers follow from a seed and, if there is one, from a public beacon.

The ladder is the order of all players of a league: the first division from its first to its last player, then the
second division, and so on. After a season the last players of each division change places with the first ones of the
next. Before the next season, players who do not play in it leave the ladder, and new players are added at its end. Then
the ladder is cut into divisions again.
"""

import hashlib
from abc import ABC, abstractmethod
from collections import Counter
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from itertools import combinations, pairwise
from typing import Any, Final, Self

from games.engine import AnyRules, SeededChance

Table = tuple[int, ...]
"""The entries who meet in one game, in the order of their seats."""
WIN: Final = 100
"""The points of a player who beats all others at the table, and of a bye."""
REST: Final = 50
"""The points for the first round that a player sits out. Further ones give none."""


@dataclass(frozen=True)
class Draw:
    """A round before it is played."""

    tables: tuple[Table, ...]
    byes: tuple[int, ...] = ()
    """The entries that have a bye in this round."""


@dataclass(frozen=True)
class Round:
    """A round that has ended."""

    tables: tuple[Mapping[int, int], ...]
    """The place of each entry, for each table. Equal players share a place."""
    byes: tuple[int, ...] = ()
    rests: tuple[int, ...] = ()
    """The entries that sat out the round."""

    def of(self, entries: Collection[int]) -> "Round":
        """Return the part of the round that concerns some entries, who meet only each other."""
        tables = tuple(table for table in self.tables if any(entry in entries for entry in table))
        byes, rests = (tuple(entry for entry in group if entry in entries) for group in (self.byes, self.rests))
        return Round(tables, byes, rests)


def points(table: Mapping[int, int]) -> dict[int, int]:
    """Return the points of each entry at a table, rounded to the nearest whole number, halves up."""
    places, parts = list(table.values()), 2 * (len(table) - 1)
    halves = {
        entry: 2 * sum(other > place for other in places) + places.count(place) - 1 for entry, place in table.items()
    }
    return {entry: (2 * WIN * half + parts) // (2 * parts) for entry, half in halves.items()}


def earned(round: Round, rested: frozenset[int] = frozenset()) -> dict[int, int]:
    """Return the points of all players in a round. The players in ``rested`` have sat out an earlier round."""
    total = dict.fromkeys(round.byes, WIN) | {rest: 0 if rest in rested else REST for rest in round.rests}
    for table in round.tables:
        total |= points(table)
    return total


@dataclass(frozen=True)
class Standing:
    """The place of an entry."""

    place: int
    """The place, from 1. Equal players share it."""
    entry: int
    points: int
    opponents: Fraction
    """The mean of the opponents' points."""
    wins: int
    """The number of tables at which the player beat all others."""
    games: int


@dataclass
class _Count:
    points: int = 0
    wins: int = 0
    games: int = 0


def by_points(entries: Iterable[int], rounds: Sequence[Round]) -> list[Standing]:
    """Return the standings, best player first. Players on the same place are in the order in which they entered."""
    return ranked(entries, rounds, lambda standing: (standing.points, standing.opponents, standing.wins))


def ranked(entries: Iterable[int], rounds: Sequence[Round], key: Callable[[Standing], Any]) -> list[Standing]:
    """Return the standings in descending order of a key."""
    counts, opponents = _counted(entries, rounds)
    standings = [
        Standing(
            0, entry, count.points, _mean([counts[other].points for other in opponents[entry]]), count.wins, count.games
        )
        for entry, count in sorted(counts.items())
    ]
    standings.sort(key=key, reverse=True)
    places = {key(standing): place for place, standing in reversed([*enumerate(standings, start=1)])}
    return [replace(standing, place=places[key(standing)]) for standing in standings]


def _counted(entries: Iterable[int], rounds: Sequence[Round]) -> tuple[dict[int, _Count], dict[int, list[int]]]:
    counts = {entry: _Count() for entry in entries}
    opponents: dict[int, list[int]] = {count: [] for count in counts}
    rested: frozenset[int] = frozenset()
    for round in rounds:
        for entry, gained in earned(round, rested).items():
            counts[entry].points += gained
        rested |= frozenset(round.rests)
        for table in round.tables:
            for entry, gained in points(table).items():
                counts[entry].games += 1
                counts[entry].wins += gained == WIN
                opponents[entry] += [other for other in table if other != entry]
    return counts, opponents


def _mean(numbers: Sequence[int]) -> Fraction:
    return Fraction(sum(numbers), len(numbers)) if numbers else Fraction()


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
    """Seat players at tables in this order, and exchange two of them as long as that lowers the cost of the tables."""
    seated = list(range(len(order)))
    costs = [[cost(one, other) for other in order] for one in order]
    tables = [range(sum(sizes[:number]), sum(sizes[: number + 1])) for number in range(len(sizes))]
    home = [table for table in tables for _ in table]
    while _improve(seated, home, costs):
        pass
    return tuple(tuple(order[seated[place]] for place in table) for table in tables)


def _improve(seated: list[int], home: Sequence[range], costs: Sequence[Sequence[int]]) -> bool:
    """Exchange each pair of players if that lowers the cost. Return True if any pair was exchanged."""
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


AGAIN: Final = 10_000
"""The cost of a table with two players who have met before. It outweighs any difference in points."""
MOST_ROUNDS: Final = 30
_TRIES: Final = 12
"""The number of random orders that are tried for a round of a round robin. The cheapest one is used."""


@dataclass(frozen=True)
class Format(ABC):
    """The rules of one tournament."""

    lots: Lots
    sizes: Sizes

    def next_round(self, entries: Collection[int], rounds: Sequence[Round], present: Collection[int]) -> Draw | None:
        """Return the round after the played ones, or None if the tournament is over.

        ``entries`` are all players of the tournament, and ``present`` the players of this round.
        """
        draw = self._draw(entries, rounds, present)
        if draw is None:
            return None
        seats = {entry: number for number, entry in enumerate(self.lots.order(f"seats {len(rounds) + 1}", entries))}
        tables = tuple(tuple(sorted(table, key=seats.__getitem__)) for table in draw.tables)
        return Draw(tables, tuple(sorted(draw.byes)))

    @abstractmethod
    def _draw(self, entries: Collection[int], rounds: Sequence[Round], present: Collection[int]) -> Draw | None:
        """Return the next round, or None. The order of the seats does not matter."""

    def standings(self, entries: Collection[int], rounds: Sequence[Round]) -> list[Standing]:
        """Return the standings after these rounds."""
        return by_points(entries, rounds)


@dataclass(frozen=True)
class Swiss(Format):
    """In each round, players with similar points meet. Players meet again only if it cannot be avoided.

    The order before the first round is drawn. Later rounds use the standings, and the draw among equals. If there are
    not enough seats, a bye goes to the last player in this order among those with the fewest byes.
    """

    count: int
    """The number of rounds."""

    def _draw(self, entries: Collection[int], rounds: Sequence[Round], present: Collection[int]) -> Draw | None:
        if len(rounds) >= self.count:
            return None
        standings = self.standings(entries, rounds)
        places = {standing.entry: standing.place for standing in standings}
        scored = {standing.entry: standing.points for standing in standings}
        random_order = self.lots.order(f"round {len(rounds) + 1}", entries)
        order = sorted((entry for entry in random_order if entry in present), key=places.__getitem__)
        meetings = met(rounds)

        def cost(one: int, other: int) -> int:
            return AGAIN * meetings[frozenset((one, other))] ** 2 + abs(scored[one] - scored[other])

        sizes = self.sizes.of(len(order))
        byes = _byes(order, len(order) - sum(sizes), rounds)
        return Draw(arrange([entry for entry in order if entry not in byes], sizes, cost), byes)


def _byes(order: Sequence[int], count: int, rounds: Sequence[Round]) -> tuple[int, ...]:
    """Return the given number of players with the fewest byes, those at the end of the order first."""
    bye_counts = Counter(bye for round in rounds for bye in round.byes)
    last_first = sorted(range(len(order)), key=lambda number: (bye_counts[order[number]], -number))
    return tuple(order[number] for number in last_first[:count])


@dataclass(frozen=True)
class RoundRobin(Format):
    """Every player meets every other, as evenly as possible. All rounds are drawn before the first one.

    At tables of two, each pair meets once, by the circle method. At larger tables there are as many rounds as needed
    until all players have met. Each round is the cheapest of several random ones, where players who have met cost the
    square of the number of their meetings. If too few players are left at a table, they move to free seats at other
    tables of the round. If there are none, they form a table together, unless tables have two seats; then they have a
    bye.
    """

    def plan(self, entries: Collection[int]) -> list[Draw]:
        """Return all rounds, assuming that no player is absent."""
        rounds = self._circle(entries) if self.sizes.most == 2 else self._until_all_have_met(entries)
        return [draw for draw, _number in zip(rounds, range(MOST_ROUNDS), strict=False)]

    def _draw(self, entries: Collection[int], rounds: Sequence[Round], present: Collection[int]) -> Draw | None:
        plan = self.plan(entries)
        return self._repaired(plan[len(rounds)], present) if len(rounds) < len(plan) else None

    def _circle(self, entries: Collection[int]) -> Iterator[Draw]:
        """Yield rounds in which each pair meets once: one player stays, and the others move around the table."""
        circle: list[int | None] = [*self.lots.order("circle", entries)]
        if len(circle) % 2:
            circle.append(None)
        for _ in range(len(circle) - 1):
            half = len(circle) // 2
            facing = [*zip(circle[:half], reversed(circle[half:]), strict=True)]
            tables = tuple((one, other) for one, other in facing if one is not None and other is not None)
            byes = tuple(entry for pair in facing if None in pair for entry in pair if entry is not None)
            yield Draw(tables, byes)
            circle = [circle[0], circle[-1], *circle[1:-1]]

    def _until_all_have_met(self, entries: Collection[int]) -> Iterator[Draw]:
        meetings = Meetings()
        all_pairs = set(pairs(sorted(entries)))
        sizes, byes_of = self.sizes.of(len(entries)), dict.fromkeys(entries, 0)
        number = 0
        while sizes and not all_pairs <= meetings.keys():
            number += 1
            orders = [self.lots.order(f"round {number}, try {attempt}", entries) for attempt in range(_TRIES)]
            byes = tuple(sorted(orders[0], key=byes_of.__getitem__)[: len(entries) - sum(sizes)])

            def cost(one: int, other: int) -> int:
                return meetings[frozenset((one, other))] ** 2

            arrangements = (arrange([entry for entry in order if entry not in byes], sizes, cost) for order in orders)
            best = min(arrangements, key=lambda tables: total(tables, cost))
            meetings.update(pair for table in best for pair in pairs(table))
            byes_of |= {bye: byes_of[bye] + 1 for bye in byes}
            yield Draw(best, byes)

    def _repaired(self, draw: Draw, present: Collection[int]) -> Draw:
        """Return a planned round without absent players."""
        tables = [[entry for entry in table if entry in present] for table in draw.tables]
        large_tables = [table for table in tables if len(table) >= self.sizes.least]
        left = [entry for table in tables if len(table) < self.sizes.least for entry in table]
        alone: list[int] = []
        for entry in left:
            smallest = min(large_tables, key=len, default=None)
            if smallest is not None and len(smallest) < self.sizes.most:
                smallest.append(entry)
            else:
                alone.append(entry)
        sizes = self.sizes.of(len(alone)) if self.sizes.most > 2 else ()
        together = arrange(alone[: sum(sizes)], sizes, lambda _one, _other: 0)
        byes = [bye for bye in draw.byes if bye in present] + alone[sum(sizes) :]
        return Draw((*map(tuple, large_tables), *together), tuple(byes))


@dataclass(frozen=True)
class KnockOut(Format):
    """The best players of each table go on to the next round, until one table is left: the final.

    At least one player is eliminated at each table. If a place is shared, the player with more points goes on, and
    among equals the one who was drawn first. A player with a bye goes on, and wins if no other player is left. Players
    who have met before are kept apart as far as possible.
    """

    advance: int
    """The number of players of each table who go on."""

    def _draw(self, entries: Collection[int], rounds: Sequence[Round], present: Collection[int]) -> Draw | None:
        left = [survivor for survivor in self.survivors(entries, rounds) if survivor in present]
        if not left or (rounds and _is_last(rounds[-1])):
            return None
        sizes = self.sizes.of(len(left))
        meetings = met(rounds)
        order = self.lots.order(f"round {len(rounds) + 1}", left)
        byes = _byes(order, len(order) - sum(sizes), rounds)
        seated = [entry for entry in order if entry not in byes]
        return Draw(arrange(seated, sizes, lambda one, other: meetings[frozenset((one, other))] ** 2), byes)

    def survivors(self, entries: Collection[int], rounds: Sequence[Round]) -> list[int]:
        """Return the players who can still win after these rounds."""
        if not rounds:
            return sorted(entries)
        last = rounds[-1]
        points = {point.entry: point.points for point in by_points(entries, rounds)}
        random_order = {entry: number for number, entry in enumerate(self.lots.order(f"round {len(rounds)}", entries))}
        survivors = list(last.byes)
        for table in last.tables:
            order = sorted(table, key=lambda entry: (table[entry], -points[entry], random_order[entry]))
            survivors += order[: min(self.advance, len(table) - 1)]
        return sorted(survivors)

    def standings(self, entries: Collection[int], rounds: Sequence[Round]) -> list[Standing]:
        """Sort by the last round that a player reached, then by the points in it, then by all points."""
        reached: dict[int, tuple[int, int]] = dict.fromkeys(entries, (0, 0))
        for number in range(1, len(rounds) + 1):
            final = self._places(entries, rounds[:number])
            reached |= {entry: (number, -final[entry]) for entry in final}
        return ranked(entries, rounds, lambda standing: (*reached[standing.entry], standing.points))

    def _places(self, entries: Collection[int], rounds: Sequence[Round]) -> dict[int, int]:
        """Return the place at the table for each player of the last of these rounds. Players who go on come first."""
        last, going_on = rounds[-1], set(self.survivors(entries, rounds))
        places = dict.fromkeys(last.byes, 0) | {entry: place for table in last.tables for entry, place in table.items()}
        return {entry: place if entry in going_on else place + self.sizes.most for entry, place in places.items()}


def _is_last(round: Round) -> bool:
    """Return whether a round of a knock-out was the final, or no player could play in it."""
    return not round.tables or (len(round.tables) == 1 and not round.byes)


@dataclass(frozen=True)
class League(Format):
    """A round robin in each division. The divisions have their rounds at the same time, until all have finished."""

    divisions: Mapping[int, int]
    """The division of each entry, from 1, which is the highest."""

    def _draw(self, entries: Collection[int], rounds: Sequence[Round], present: Collection[int]) -> Draw | None:
        draws = []
        for division, members in self._members(entries):
            format = RoundRobin(self.lots.of(f"division {division}"), self.sizes)
            draw = format.next_round(members, rounds, members & set(present))
            draws += [] if draw is None else [draw]
        if not draws:
            return None
        tables = tuple(table for draw in draws for table in draw.tables)
        return Draw(tables, tuple(bye for draw in draws for bye in draw.byes))

    def standings(self, entries: Collection[int], rounds: Sequence[Round]) -> list[Standing]:
        """Return the standings of all divisions, one after the other. Each has a first place."""
        standings = []
        for _, members in self._members(entries):
            standings += by_points(members, [round.of(members) for round in rounds])
        return standings

    def _members(self, entries: Collection[int]) -> Iterator[tuple[int, set[int]]]:
        for division in sorted(set(self.divisions.values())):
            yield division, {entry for entry in entries if self.divisions[entry] == division}
