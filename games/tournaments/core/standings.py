"""Rounds, points, and the order of the players after some rounds.

The winner of a table gets 100 points and the last player none. The others are spaced evenly between them, at tables of
any size: each player behind counts one part, and each player on the same place half a part.

Players are sorted by points. Players with equal points are sorted by the strength of their opponents: the mean of their
opponents' points, counting each meeting. Then by the number of tables that they won. Players who are still equal share
a place.
"""

from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from typing import Any, Final

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
