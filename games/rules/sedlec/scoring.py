"""Scores of pyramids, and the winners."""

from bisect import bisect_left
from collections.abc import Iterable, Mapping, Sequence
from functools import lru_cache

import msgspec

from games.engine import SeatNumber
from games.rules.sedlec.cards import Kind
from games.rules.sedlec.pyramid import Pyramid, Spot, neighbours, skulls

Graph = Mapping[Spot, Sequence[Spot]]


class Score(msgspec.Struct, frozen=True):
    """The points of a pyramid, in total and by kind of skull."""

    total: int
    royal: int
    peasant: int
    priest: int
    lover: int
    sinner: int

    @property
    def subtotals(self) -> tuple[int, ...]:
        """Return the points of the five kinds, highest first. Tied players compare them one after another."""
        return tuple(sorted((self.royal, self.peasant, self.priest, self.lover, self.sinner), reverse=True))


@lru_cache(maxsize=1024)
def score(pyramid: Pyramid) -> Score:
    """Return the points of a pyramid, full or not. Every view of a table needs them, so they are cached."""
    bones = skulls(pyramid)
    points = (royals(bones), peasants(bones), priests(bones), lovers(bones), sinners(bones))
    return Score(sum(points), *points)


def royals(bones: Mapping[Spot, Kind]) -> int:
    """Return 1 point for each royal or peasant on any level below the royal's own."""
    looking = [level for (level, _), kind in bones.items() if kind == "royal"]
    ranked = sorted([level for (level, _), kind in bones.items() if kind == "royal" or kind == "peasant"])
    return sum([bisect_left(ranked, level) for level in looking])


def peasants(bones: Mapping[Spot, Kind]) -> int:
    """Return 1 point for each peasant."""
    return list(bones.values()).count("peasant")


def priests(bones: Mapping[Spot, Kind]) -> int:
    """Return 2 points for each level with at least one priest."""
    return 2 * len({level for (level, _), kind in bones.items() if kind == "priest"})


def lovers(bones: Mapping[Spot, Kind]) -> int:
    """Return 6 points for each pair of adjacent lovers. No lover is in two pairs, and as many pairs as possible are
    made (Sedlec S7).
    """
    spots = [spot for spot, kind in bones.items() if kind == "lover"]
    return 6 * most_pairs({spot: neighbours(spot) for spot in spots})


def sinners(bones: Mapping[Spot, Kind]) -> int:
    """Return 2 points for each sinner that is adjacent to a priest."""
    near_priests = {near for spot, kind in bones.items() if kind == "priest" for near in neighbours(spot)}
    return 2 * sum([spot in near_priests for spot, kind in bones.items() if kind == "sinner"])


def most_pairs(graph: Graph) -> int:
    """Return the size of a maximum matching of ``graph``, which names the neighbours of each spot.

    Three skulls may touch one another (a bottom skull and the two below it), so the graph is not bipartite. The first
    spot is paired with each of its neighbours in turn, and the rest is solved in the same way. It need not stay alone:
    if a best matching leaves it alone, its neighbour is paired with another spot, and may as well be paired with it.
    """
    return _most_pairs(list(graph), graph)


def _most_pairs(spots: Sequence[Spot], graph: Graph) -> int:
    if len(spots) < 2:
        return 0
    first, *rest = spots
    most, beside = 0, graph[first]
    mates = [spot for spot in rest if spot in beside]
    for mate in mates:
        most = max(most, 1 + _most_pairs([spot for spot in rest if spot != mate], graph))
        if most == len(spots) // 2:
            break
    return most if mates else _most_pairs(rest, graph)


def winners(scores: Iterable[tuple[SeatNumber, Score]]) -> tuple[SeatNumber, ...]:
    """Return the seats with the most points. Tied seats compare the points of their kinds, highest first."""
    ranked = {seat: (points.total, points.subtotals) for seat, points in scores}
    best = max(ranked.values(), default=None)
    return tuple(sorted(seat for seat, rank in ranked.items() if rank == best))
