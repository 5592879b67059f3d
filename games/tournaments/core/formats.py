"""The formats of a tournament: each says what its next round is, and who stands where."""

from abc import ABC, abstractmethod
from collections import Counter
from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass
from typing import Final

from games.tournaments.core.lots import Lots
from games.tournaments.core.rounds import Draw, Round
from games.tournaments.core.standings import Standing, by_points, ranked
from games.tournaments.core.tables import Meetings, Sizes, arrange, met, pairs, total

AGAIN: Final = 10_000
"""The cost of two who have met before; it outweighs any difference in points."""
MOST_ROUNDS: Final = 30
_TRIES: Final = 12
"""The number of drawn orders from which a round of a round robin is made; the one that costs least is taken."""


@dataclass(frozen=True)
class Format(ABC):
    """The rules of one tournament."""

    lots: Lots
    sizes: Sizes

    def next_round(self, entries: Collection[int], rounds: Sequence[Round], present: Collection[int]) -> Draw | None:
        """Return the round after those that were played; None: the tournament is over.

        ``entries`` are all who have entered, and ``present`` those of them who play in this round.
        """
        draw = self._draw(entries, rounds, present)
        if draw is None:
            return None
        seats = {each: number for number, each in enumerate(self.lots.order(f"seats {len(rounds) + 1}", entries))}
        tables = tuple(tuple(sorted(table, key=seats.__getitem__)) for table in draw.tables)
        return Draw(tables, tuple(sorted(draw.byes)))

    @abstractmethod
    def _draw(self, entries: Collection[int], rounds: Sequence[Round], present: Collection[int]) -> Draw | None:
        """Return the next round, with those at a table in any order."""

    def standings(self, entries: Collection[int], rounds: Sequence[Round]) -> list[Standing]:
        """The standings after these rounds."""
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
        drawn = self.lots.order(f"round {len(rounds) + 1}", entries)
        order = sorted((each for each in drawn if each in present), key=places.__getitem__)
        meetings = met(rounds)

        def cost(one: int, other: int) -> int:
            return AGAIN * meetings[frozenset((one, other))] ** 2 + abs(scored[one] - scored[other])

        sizes = self.sizes.of(len(order))
        byes = _byes(order, len(order) - sum(sizes), rounds)
        return Draw(arrange([each for each in order if each not in byes], sizes, cost), byes)


def _byes(order: Sequence[int], count: int, rounds: Sequence[Round]) -> tuple[int, ...]:
    """Return the given number of players with the fewest byes, those at the end of the order first."""
    had = Counter(bye for round in rounds for bye in round.byes)
    last_first = sorted(range(len(order)), key=lambda number: (had[order[number]], -number))
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
            byes = tuple(each for pair in facing if None in pair for each in pair if each is not None)
            yield Draw(tables, byes)
            circle = [circle[0], circle[-1], *circle[1:-1]]

    def _until_all_have_met(self, entries: Collection[int]) -> Iterator[Draw]:
        meetings = Meetings()
        everybody = set(pairs(sorted(entries)))
        sizes, had = self.sizes.of(len(entries)), dict.fromkeys(entries, 0)
        number = 0
        while sizes and not everybody <= meetings.keys():
            number += 1
            drawn = [self.lots.order(f"round {number}, try {each}", entries) for each in range(_TRIES)]
            byes = tuple(sorted(drawn[0], key=had.__getitem__)[: len(entries) - sum(sizes)])

            def cost(one: int, other: int) -> int:
                return meetings[frozenset((one, other))] ** 2

            made = (arrange([each for each in order if each not in byes], sizes, cost) for order in drawn)
            best = min(made, key=lambda tables: total(tables, cost))
            meetings.update(pair for table in best for pair in pairs(table))
            had |= {bye: had[bye] + 1 for bye in byes}
            yield Draw(best, byes)

    def _repaired(self, draw: Draw, present: Collection[int]) -> Draw:
        """Return a planned round without those who are absent."""
        tables = [[each for each in table if each in present] for table in draw.tables]
        kept = [table for table in tables if len(table) >= self.sizes.least]
        left = [each for table in tables if len(table) < self.sizes.least for each in table]
        alone: list[int] = []
        for each in left:
            smallest = min(kept, key=len, default=None)
            if smallest is not None and len(smallest) < self.sizes.most:
                smallest.append(each)
            else:
                alone.append(each)
        sizes = self.sizes.of(len(alone)) if self.sizes.most > 2 else ()
        together = arrange(alone[: sum(sizes)], sizes, lambda _one, _other: 0)
        byes = [bye for bye in draw.byes if bye in present] + alone[sum(sizes) :]
        return Draw((*map(tuple, kept), *together), tuple(byes))


@dataclass(frozen=True)
class KnockOut(Format):
    """The best players of each table go on to the next round, until one table is left: the final.

    At least one player is eliminated at each table. If a place is shared, the player with more points goes on, and
    among equals the one who was drawn first. A player with a bye goes on, and wins if no other player is left. Players
    who have met before are kept apart as far as possible.
    """

    advance: int
    """The number of those who go on at each table."""

    def _draw(self, entries: Collection[int], rounds: Sequence[Round], present: Collection[int]) -> Draw | None:
        left = [survivor for survivor in self.survivors(entries, rounds) if survivor in present]
        if not left or (rounds and _is_last(rounds[-1])):
            return None
        sizes = self.sizes.of(len(left))
        meetings = met(rounds)
        order = self.lots.order(f"round {len(rounds) + 1}", left)
        byes = _byes(order, len(order) - sum(sizes), rounds)
        seated = [each for each in order if each not in byes]
        return Draw(arrange(seated, sizes, lambda one, other: meetings[frozenset((one, other))] ** 2), byes)

    def survivors(self, entries: Collection[int], rounds: Sequence[Round]) -> list[int]:
        """Return the players who can still win after these rounds."""
        if not rounds:
            return sorted(entries)
        last = rounds[-1]
        points = {point.entry: point.points for point in by_points(entries, rounds)}
        drawn = {each: number for number, each in enumerate(self.lots.order(f"round {len(rounds)}", entries))}
        found = list(last.byes)
        for table in last.tables:
            order = sorted(table, key=lambda each: (table[each], -points[each], drawn[each]))
            found += order[: min(self.advance, len(table) - 1)]
        return sorted(found)

    def standings(self, entries: Collection[int], rounds: Sequence[Round]) -> list[Standing]:
        """Sort by the last round that a player reached, then by the points in it, then by all points."""
        reached: dict[int, tuple[int, int]] = dict.fromkeys(entries, (0, 0))
        for number in range(1, len(rounds) + 1):
            final = self._places(entries, rounds[:number])
            reached |= {each: (number, -final[each]) for each in final}
        return ranked(entries, rounds, lambda each: (*reached[each.entry], each.points))

    def _places(self, entries: Collection[int], rounds: Sequence[Round]) -> dict[int, int]:
        """Return the place at the table for each player of the last of these rounds. Players who go on come first."""
        last, going_on = rounds[-1], set(self.survivors(entries, rounds))
        places = dict.fromkeys(last.byes, 0) | {each: place for table in last.tables for each, place in table.items()}
        return {each: place if each in going_on else place + self.sizes.most for each, place in places.items()}


def _is_last(round: Round) -> bool:
    """Return whether a round of a knock-out was the final, or no player could play in it."""
    return not round.tables or (len(round.tables) == 1 and not round.byes)
