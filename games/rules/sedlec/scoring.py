"""What a pyramid is worth, and who wins."""

from collections.abc import Iterable, Mapping, Sequence
from functools import cache

import msgspec

from games.engine import Seat
from games.rules.sedlec.cards import Kind
from games.rules.sedlec.pyramid import Pyramid, Spot, neighbours, skulls

Graph = Mapping[Spot, Sequence[Spot]]


class Score(msgspec.Struct, frozen=True):
    """The points of a pyramid, and what each kind of skull adds to them."""

    total: int
    royal: int
    peasant: int
    priest: int
    lover: int
    sinner: int

    @property
    def subtotals(self) -> tuple[int, ...]:
        """The points of the five kinds, best first: what tied players compare, one after another."""
        return tuple(sorted((self.royal, self.peasant, self.priest, self.lover, self.sinner), reverse=True))


def score(pyramid: Pyramid) -> Score:
    """The points of a pyramid, full or not."""
    bones = skulls(pyramid)
    points = (royals(bones), peasants(bones), priests(bones), lovers(bones), sinners(bones))
    return Score(sum(points), *points)


def royals(bones: Mapping[Spot, Kind]) -> int:
    """1 for each royal or peasant on any level lower than the royal's own."""
    below = points = level = here = 0
    for (at, _), kind in sorted(bones.items()):
        if at != level:
            level, below, here = at, below + here, 0
        if kind == "royal":
            points += below
        here += kind in ("royal", "peasant")
    return points


def peasants(bones: Mapping[Spot, Kind]) -> int:
    """1 each."""
    return sum(kind == "peasant" for kind in bones.values())


def priests(bones: Mapping[Spot, Kind]) -> int:
    """2 for each level that holds at least one priest."""
    return 2 * len({level for (level, _), kind in bones.items() if kind == "priest"})


def lovers(bones: Mapping[Spot, Kind]) -> int:
    """6 for each pair of adjacent lovers, no lover in two pairs. Sedlec S7: as many pairs as can be made."""
    spots = {spot for spot, kind in bones.items() if kind == "lover"}
    return 6 * most_pairs({spot: [near for near in neighbours(spot) if near in spots] for spot in spots})


def sinners(bones: Mapping[Spot, Kind]) -> int:
    """2 for each sinner adjacent to at least one priest."""
    return 2 * sum(
        any(bones.get(near) == "priest" for near in neighbours(spot))
        for spot, kind in bones.items()
        if kind == "sinner"
    )


def most_pairs(graph: Graph) -> int:
    """The size of a maximum matching of ``graph`` (each spot and those beside it).

    Three skulls may touch one another (a bottom skull and the two it rests on), so the graph is not
    bipartite. The lowest, leftmost spot is left alone or paired with each of its neighbours, and what
    remains is solved in the same way; as spots go in order, few different remainders arise.
    """

    @cache
    def best(left: frozenset[Spot]) -> int:
        if len(left) < 2:
            return 0
        first = min(left)
        rest = left - {first}
        partners = [spot for spot in graph[first] if spot in rest]
        return max([best(rest)] + [1 + best(rest - {partner}) for partner in partners])

    return best(frozenset(spot for spot, near in graph.items() if near))


def winners(scores: Iterable[tuple[Seat, Score]]) -> tuple[Seat, ...]:
    """The seats with the most points; among tied ones those whose best kinds, in order, are worth more."""
    ranked = {seat: (points.total, points.subtotals) for seat, points in scores}
    best = max(ranked.values(), default=None)
    return tuple(sorted(seat for seat, rank in ranked.items() if rank == best))
