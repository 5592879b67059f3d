"""A season of a league, as a format."""

from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass

from games.tournaments.core.formats import Format, RoundRobin
from games.tournaments.core.rounds import Draw, Round
from games.tournaments.core.standings import Standing, by_points


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
