"""The data of rounds: the pairings, and the results."""

from collections.abc import Collection, Mapping
from dataclasses import dataclass
from typing import Final

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
