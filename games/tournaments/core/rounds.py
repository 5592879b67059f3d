"""The data of rounds: as they are drawn, and as they were played."""

from collections.abc import Collection, Mapping
from dataclasses import dataclass
from typing import Final

Table = tuple[int, ...]
"""The entries who meet in one game, in the order of their seats."""
WIN: Final = 100
"""The points of whoever beats everybody at the table, and of a bye."""
REST: Final = 50
"""The points of the first round that somebody sits out; any other one gives none."""


@dataclass(frozen=True)
class Draw:
    """A round before it is played."""

    tables: tuple[Table, ...]
    byes: tuple[int, ...] = ()
    """The entries for whom there is no seat in this round."""


@dataclass(frozen=True)
class Round:
    """A round that has ended."""

    tables: tuple[Mapping[int, int], ...]
    """For each table the place of each entry, from 1; equals share it."""
    byes: tuple[int, ...] = ()
    rests: tuple[int, ...] = ()
    """The entries who sat it out."""

    def of(self, entries: Collection[int]) -> "Round":
        """The part of some entries who meet nobody else."""
        tables = tuple(table for table in self.tables if any(each in entries for each in table))
        byes, rests = (tuple(each for each in found if each in entries) for found in (self.byes, self.rests))
        return Round(tables, byes, rests)
