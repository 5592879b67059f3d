"""The order of the players after some rounds.

Players are sorted by points. Players with equal points are sorted by the strength of their opponents: the mean of their
opponents' points, counting each meeting. Then by the number of tables that they won. Players who are still equal share
a place.
"""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from typing import Any

from games.tournaments.core.rounds import WIN, Round
from games.tournaments.core.scoring import earned, points


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
