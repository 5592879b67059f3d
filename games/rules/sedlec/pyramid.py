"""The pyramid of a player: the places for a card, and the skulls that touch."""

from functools import lru_cache
from typing import Final, Literal, get_args

from games.rules.sedlec.cards import HALVES, Card, Kind

Pyramid = tuple[tuple[Card | None, ...], ...]
"""Three rows of cards, the lowest first, with None where a card is missing.

The bottom row has no gaps. The card at ``(row, column)`` rests on ``(row - 1, column)`` and
``(row - 1, column + 1)``, so that each row has one place less than the row below it.
"""

EMPTY: Final[Pyramid] = ((), (), ())

Place = Literal["left", "right", "on 1.1", "on 1.2", "on 1.3", "on 2.1", "on 2.2"]
"""The place of a card: an end of the bottom row, or above the n-th card of a row and the next one."""

PLACES: Final[tuple[Place, ...]] = get_args(Place)

_ON: Final[dict[Place, tuple[int, int]]] = {place: (int(place[3]), int(place[5])) for place in PLACES[2:]}
_ABOVE: Final[tuple[tuple[Place, ...], ...]] = (("on 1.1", "on 1.2", "on 1.3"), ("on 2.1", "on 2.2"))

Spot = tuple[int, int]
"""A skull's level (1 is the lowest) and its position on the level in half cards from the left."""


def width(seats: int) -> int:
    """Return how many cards the bottom row of a full pyramid has."""
    return 4 if seats == 2 else 3


def size(seats: int) -> int:
    """Return how many cards a full pyramid has: rows of 4, 3, 2 for two players, of 3, 2, 1 for three."""
    return 9 if seats == 2 else 6


@lru_cache(maxsize=256)
def places(pyramid: Pyramid, widest: int) -> tuple[Place, ...]:
    """Return the places for the next card. ``widest`` limits the bottom row, and so all rows (Sedlec S6)."""
    bottom = pyramid[0]
    if not bottom:
        return ("left",)
    free: list[Place] = ["left", "right"] if len(bottom) < widest else []
    for row, names in enumerate(_ABOVE):
        below = pyramid[row]
        number = 0
        for column, card in enumerate(pyramid[row + 1]):
            if below[column] is not None:
                if card is None and below[column + 1] is not None:
                    free.append(names[number])
                number += 1
    return tuple(free)


def spot_of(pyramid: Pyramid, place: Place) -> tuple[int, int]:
    """Return the row (from 0) and the column of a place ``on`` two cards."""
    row, number = _ON[place]
    columns = [column for column, card in enumerate(pyramid[row - 1]) if card is not None]
    return row, columns[number - 1]


def lay(pyramid: Pyramid, card: Card, place: Place) -> Pyramid:
    """Return the pyramid with ``card`` on ``place``. If it grows to the left, its columns are renumbered."""
    bottom, middle, upper = pyramid
    if place == "left":
        return (card, *bottom), (None, *middle) if bottom else middle, (None, *upper) if middle else upper
    if place == "right":
        return (*bottom, card), (*middle, None) if bottom else middle, (*upper, None) if middle else upper
    row, column = spot_of(pyramid, place)
    grown = (*pyramid[row][:column], card, *pyramid[row][column + 1 :])
    return (bottom, grown, upper) if row == 1 else (bottom, middle, grown)


def skulls(pyramid: Pyramid) -> dict[Spot, Kind]:
    """Return every skull by its spot, level by level from the lowest, each from left to right."""
    kinds: dict[Spot, Kind] = {}
    for row, cards in enumerate(pyramid):
        for half in (1, 0):
            for column, card in enumerate(cards):
                if card is not None:
                    kinds[2 * row + 2 - half, 2 * column + row] = HALVES[card][half]
    return kinds


def neighbours(spot: Spot) -> tuple[Spot, ...]:
    """Return the spots whose skulls touch a skull on ``spot`` edge to edge.

    These are the spots on its left and right, the other skull of its card and, between two rows, the two below or the
    two above.
    """
    level, at = spot
    away = -1 if level % 2 else 1
    return (level, at - 2), (level, at + 2), (level - away, at), (level + away, at - 1), (level + away, at + 1)
