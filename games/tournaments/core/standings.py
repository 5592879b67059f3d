"""The order of the players after some rounds.

Players are sorted by points. Players with equal points are sorted by the strength of their opponents: the mean of their
opponents' points, counting each meeting. Then by the number of tables that they won. Players who are still equal share
a place.
"""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from games.tournaments.core.rounds import WIN, Round
from games.tournaments.core.scoring import earned, points


@dataclass(frozen=True)
class Standing:
    """The place of an entry."""

    place: int
    """From 1; equals share it."""
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
    """The standings, the first first. Of those who share a place, who entered first comes first."""
    return ranked(entries, rounds, lambda each: (each.points, each.opponents, each.wins))


def ranked(entries: Iterable[int], rounds: Sequence[Round], key: Callable[[Standing], Any]) -> list[Standing]:
    """The standings by a key, the greatest first."""
    counts, opponents = _counted(entries, rounds)
    found = [
        Standing(
            0, each, count.points, _mean([counts[other].points for other in opponents[each]]), count.wins, count.games
        )
        for each, count in sorted(counts.items())
    ]
    found.sort(key=key, reverse=True)
    places = {key(each): place for place, each in reversed([*enumerate(found, start=1)])}
    return [
        Standing(places[key(each)], each.entry, each.points, each.opponents, each.wins, each.games) for each in found
    ]


def _counted(entries: Iterable[int], rounds: Sequence[Round]) -> tuple[dict[int, _Count], dict[int, list[int]]]:
    counts = {entry: _Count() for entry in entries}
    opponents: dict[int, list[int]] = {count: [] for count in counts}
    rested: frozenset[int] = frozenset()
    for round in rounds:
        for each, gained in earned(round, rested).items():
            counts[each].points += gained
        rested |= frozenset(round.rests)
        for table in round.tables:
            for each, gained in points(table).items():
                counts[each].games += 1
                counts[each].wins += gained == WIN
                opponents[each] += [other for other in table if other != each]
    return counts, opponents


def _mean(numbers: Sequence[int]) -> Fraction:
    return Fraction(sum(numbers), len(numbers)) if numbers else Fraction()
