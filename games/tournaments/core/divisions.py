"""Divisions of a league: who plays in which in the next season.

The people of a league stand in one order, the ladder: the first division from its first to its last, then the second,
and so on. Before a season the last ones of each division change places with the first ones of the next, whoever does
not go on leaves, and newcomers come last. Then the ladder is cut into divisions again.
"""

from collections.abc import Collection, Sequence
from itertools import pairwise


def promoted(divisions: Sequence[Sequence[int]], moves: int) -> list[int]:
    """The ladder after a season. ``divisions`` are in the order of their standings; ``moves`` go up, and as many down.

    No division is so small that somebody moves both ways.
    """
    ladder = [list(each) for each in divisions]
    for upper, lower in pairwise(ladder):
        count = min(moves, len(upper) // 2, len(lower) // 2)
        if count:
            upper[-count:], lower[:count] = lower[:count], upper[-count:]
    return [each for division in ladder for each in division]


def cut(ladder: Sequence[int], size: int) -> list[list[int]]:
    """Cut a ladder into divisions whose sizes are as near to this one as can be, the larger ones first."""
    count = max((2 * len(ladder) + size) // (2 * size), 1)
    least, larger = divmod(len(ladder), count)
    ends = [number * least + min(number, larger) for number in range(count + 1)]
    return [list(ladder[start:end]) for start, end in pairwise(ends)]


def next_ladder(
    divisions: Sequence[Sequence[int]], moves: int, staying: Collection[int], newcomers: Sequence[int]
) -> list[int]:
    """The ladder before the next season."""
    return [each for each in promoted(divisions, moves) if each in staying] + list(newcomers)
