"""The skulls, the cards of the deck (``deck.toml``), and the pyramid of a player with its points."""

import tomllib
from bisect import bisect_left
from collections.abc import Iterable, Mapping, Sequence
from functools import lru_cache
from pathlib import Path
from typing import Final, Literal, NewType, get_args

import msgspec

from games.engine import SeatNumber
from games.engine import gettext_noop as _

Card = NewType("Card", str)
"""Two skulls, one above the other, as the notation writes them: ``top/bottom``."""

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
    """Return the row and the column of a place such as ``on 1.2``, both counted from 0."""
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


Kind = Literal["royal", "peasant", "priest", "lover", "sinner"]
"""The person that a skull once was."""


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


KINDS: Final[tuple[Kind, ...]] = get_args(Kind)
"""The five kinds in the order in which they are scored."""

KIND_NAMES: Final = (
    _("royal"),
    _("peasant"),
    _("priest"),
    _("lover"),
    _("sinner"),
)
"""The msgids of the kinds."""

HALVES: Final[dict[Card, tuple[Kind, Kind]]] = {
    Card(f"{top}/{bottom}"): (top, bottom) for top in KINDS for bottom in KINDS
}
"""The top and the bottom skull of every possible card."""

DECK_SIZE: Final = 18


class DeckError(ValueError):
    """The deck file is not a valid deck. The message says why."""


def read_deck(text: str) -> tuple[Card, ...]:
    """Return the deck of a TOML text with a list ``cards``. Raises DeckError unless there are 18 cards of two kinds."""
    try:
        listed = tomllib.loads(text).get("cards")
    except tomllib.TOMLDecodeError as error:
        raise DeckError(f"The deck of Skulls of Sedlec cannot be read as TOML: {error}.") from error
    if not isinstance(listed, list):
        raise DeckError('The deck of Skulls of Sedlec needs a list named "cards".')
    for place, card in enumerate(listed, start=1):
        if not isinstance(card, str) or card not in HALVES:
            raise DeckError(
                f"Card {place} of the deck of Skulls of Sedlec is {card!r}, "
                f"but a card is top/bottom, two of the kinds {', '.join(KINDS)}."
            )
    if len(listed) != DECK_SIZE:
        raise DeckError(f"The deck of Skulls of Sedlec has {len(listed)} cards, but {DECK_SIZE} are needed.")
    return tuple(listed)


DECK: Final = read_deck(Path(__file__).with_name("deck.toml").read_text(encoding="utf-8"))
"""The deck that new games are played with."""


Graph = Mapping[Spot, Sequence[Spot]]


class Score(msgspec.Struct, frozen=True):
    """The points of a pyramid, in total and by kind of skull."""

    total: int
    royal: int
    peasant: int
    priest: int
    lover: int
    sinner: int

    @property
    def subtotals(self) -> tuple[int, ...]:
        """Return the points of the five kinds, highest first. Tied players compare them one after another."""
        return tuple(sorted((self.royal, self.peasant, self.priest, self.lover, self.sinner), reverse=True))


@lru_cache(maxsize=1024)
def score(pyramid: Pyramid) -> Score:
    """Return the points of a pyramid, full or not. Every view of a table needs them, so they are cached."""
    bones = skulls(pyramid)
    points = (royals(bones), peasants(bones), priests(bones), lovers(bones), sinners(bones))
    return Score(sum(points), *points)


def royals(bones: Mapping[Spot, Kind]) -> int:
    """Return 1 point for each royal or peasant on any level below the royal's own."""
    looking = [level for (level, _), kind in bones.items() if kind == "royal"]
    ranked = sorted([level for (level, _), kind in bones.items() if kind == "royal" or kind == "peasant"])
    return sum([bisect_left(ranked, level) for level in looking])


def peasants(bones: Mapping[Spot, Kind]) -> int:
    """Return 1 point for each peasant."""
    return list(bones.values()).count("peasant")


def priests(bones: Mapping[Spot, Kind]) -> int:
    """Return 2 points for each level with at least one priest."""
    return 2 * len({level for (level, _), kind in bones.items() if kind == "priest"})


def lovers(bones: Mapping[Spot, Kind]) -> int:
    """Return 6 points for each pair of adjacent lovers. No lover is in two pairs, and as many pairs as possible are
    made (Sedlec S7).
    """
    spots = [spot for spot, kind in bones.items() if kind == "lover"]
    return 6 * most_pairs({spot: neighbours(spot) for spot in spots})


def sinners(bones: Mapping[Spot, Kind]) -> int:
    """Return 2 points for each sinner that is adjacent to a priest."""
    near_priests = {near for spot, kind in bones.items() if kind == "priest" for near in neighbours(spot)}
    return 2 * sum([spot in near_priests for spot, kind in bones.items() if kind == "sinner"])


def most_pairs(graph: Graph) -> int:
    """Return the size of a maximum matching of ``graph``, which names the neighbours of each spot.

    Three skulls may touch one another (a bottom skull and the two below it), so the graph is not bipartite. The first
    spot is paired with each of its neighbours in turn, and the rest is solved in the same way. It need not stay alone:
    if a best matching leaves it alone, its neighbour is paired with another spot, and may as well be paired with it.
    """
    return _most_pairs(list(graph), graph)


def _most_pairs(spots: Sequence[Spot], graph: Graph) -> int:
    if len(spots) < 2:
        return 0
    first, *rest = spots
    most, beside = 0, graph[first]
    mates = [spot for spot in rest if spot in beside]
    for mate in mates:
        most = max(most, 1 + _most_pairs([spot for spot in rest if spot != mate], graph))
        if most == len(spots) // 2:
            break
    return most if mates else _most_pairs(rest, graph)


def winners(scores: Iterable[tuple[SeatNumber, Score]]) -> tuple[SeatNumber, ...]:
    """Return the seats with the most points. Tied seats compare the points of their kinds, highest first."""
    ranked = {seat: (points.total, points.subtotals) for seat, points in scores}
    best = max(ranked.values(), default=None)
    return tuple(sorted(seat for seat, rank in ranked.items() if rank == best))
