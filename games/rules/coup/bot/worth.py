"""The worth of a hand to the bot: which cards to keep, to lose and to show."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any, Final, TypeVar

from games.rules.coup.cards import (
    AMBASSADOR,
    ASSASSIN,
    CAPTAIN,
    CONTESSA,
    DUKE,
    INQUISITOR,
    Character,
)
from games.rules.coup.visibility.views import View

M = TypeVar("M")

WORTH: Final = {DUKE: 1.0, CAPTAIN: 0.9, ASSASSIN: 0.85, CONTESSA: 0.8, INQUISITOR: 0.7, AMBASSADOR: 0.6}
"""The value of one card of each character when nothing is known about the other hands."""

IN_A_DUEL: Final = {DUKE: 0.3, CONTESSA: 0.1, ASSASSIN: -0.2}
"""The addition to that worth when only two players are left."""

SECOND: Final = 0.4
"""The part of its worth that a second card of the same character has."""

PICKS: Final[Mapping[Character, int]] = {DUKE: 5, CONTESSA: 3, CAPTAIN: 2, AMBASSADOR: 1, INQUISITOR: 1, ASSASSIN: 1}
"""The share of drafts in which each card is kept."""


def worth(view: View, character: Character) -> float:
    """Return the value of a card for the viewer in the present state of the game."""
    value = WORTH[character]
    others = [seat for seat in view.seats if seat.alive and seat.seat != view.viewer]
    if len(others) == 1:
        value += IN_A_DUEL.get(character, 0.0)
    if character == CONTESSA and view.options.anarchist:
        value += 0.15
    if character == CONTESSA and all(seat.coins < 2 for seat in others):
        value -= 0.2
    if character == ASSASSIN and view.seats[view.viewer - 1].coins >= 3:
        value += 0.1
    return value


def worth_of(view: View, cards: Iterable[Character]) -> float:
    """Return the value of a hand. A second card of the same character adds little."""
    total, characters = 0.0, set()
    for card in cards:
        total += worth(view, card) * (SECOND if card in characters else 1.0)
        characters.add(card)
    return total


def least_missed(view: View, hand: Sequence[Character], moves: Sequence[M], price: Callable[[M], Any]) -> M:
    """Return the move that gives away the least useful card, or the first move if no move names a card."""

    def left(move: M) -> float:
        rest = list(hand)
        if price(move) in rest:
            rest.remove(price(move))
        return worth_of(view, rest)

    return max(moves, key=left)
