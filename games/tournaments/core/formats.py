"""The formats of a tournament, including the league: each draws the next round and sorts the players."""

from abc import ABC, abstractmethod
from collections import Counter
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Final

from games.tournaments.core.standings import Draw, Round, Standing, by_points, ranked
from games.tournaments.core.tables import Lots, Meetings, Sizes, arrange, met, pairs, total

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
