"""The divisions of a league: who plays in which division, and who goes up and down after a season.

The ladder is the order of all players of a league: the first division from its first to its last player, then the
second division, and so on. After a season the last players of each division change places with the first ones of the
next. Before the next season, players who do not play in it leave the ladder, and new players are added at its end. Then
the ladder is cut into divisions again.
"""

from collections.abc import Iterator, Sequence
from itertools import pairwise


def exchanges(divisions: Sequence[Sequence[int]], count: int) -> Iterator[tuple[list[int], list[int]]]:
    """Yield, for each division except the last, the players who go down and the players of the next one who come up.

    ``divisions`` are sorted by their standings. ``count`` players go up and as many go down, but at most half of a
    small division, so that no player does both.
    """
    for upper, lower in pairwise(divisions):
        moving = min(count, len(upper) // 2, len(lower) // 2)
        yield list(upper[len(upper) - moving :]), list(lower[:moving])


def ladder(divisions: Sequence[Sequence[int]], count: int) -> list[int]:
    """Return the ladder after a season."""
    places = [list(division) for division in divisions]
    for number, (down, up) in enumerate(exchanges(divisions, count)):
        places[number][len(places[number]) - len(down) :] = up
        places[number + 1][: len(up)] = down
    return [player for division in places for player in division]


def cut(ladder: Sequence[int], size: int, least: int) -> list[list[int]]:
    """Cut a ladder into divisions of this size. The last division has the remaining players.

    If they are fewer than half a division, or than ``least``, they play in the division before.
    """
    count, rest = divmod(len(ladder), size)
    if rest >= max(least, (size + 1) // 2) or not count:
        count += 1
    ends = [*range(0, count * size, size), len(ladder)]
    return [list(ladder[start:end]) for start, end in pairwise(ends)]
