"""The points of the players at a table.

The winner gets 100 points and the last player none. The others are spaced evenly between them, at tables of any size:
each player behind counts one part, and each player on the same place half a part.
"""

from collections.abc import Mapping

from games.tournaments.core.rounds import REST, WIN, Round


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
