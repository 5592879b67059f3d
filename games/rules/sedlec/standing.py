"""The share of the game that each player has in a position, for bots that think ahead and for analyses."""

from collections.abc import Sequence
from math import exp
from typing import Final

from games.engine import SeatNumber
from games.rules.sedlec.bot import best, promise
from games.rules.sedlec.cards import Card
from games.rules.sedlec.pyramid import Pyramid
from games.rules.sedlec.state import State

# Fitted to games of bots: how often a lead of some points, with some cards left to take, led to a win.
SETTLED: Final = 1.5
"""The lead in points by which the odds grow e-fold when no card is left to take."""
TO_COME: Final = 0.4
"""The growth of that lead for each card that can still be taken."""

# The average over 500 games of bots.
NEXT_CARDS: Final = (0.0, 0.0, 2.0, 5.0, 9.0, 13.5, 18.5, 24.5, 30.5, 37.0)
"""The points that a player still gets with none, one, two ... cards to take. Without them the player who took the last
card would seem ahead."""


def share(state: State, seat: SeatNumber) -> float:
    """Return a seat's share of the game: the expected points of its pyramid compared with the others'."""
    if state.winners is not None:
        return (seat in state.winners) / max(1, len(state.winners))
    if seat in state.forfeited:
        return 0.0
    cards = sum(state.laid) + sum(map(len, state.hands))
    scale = SETTLED + TO_COME * (state.size * len(state.hands) - cards)
    own_hope = hope(state, seat)
    rivals = [SeatNumber(number) for number in range(1, len(state.hands) + 1) if number not in state.forfeited]
    return 1 / sum(exp((hope(state, rival) - own_hope) / scale) for rival in rivals)


def hope(state: State, seat: SeatNumber) -> float:
    """Return the expected points of a seat: of its pyramid with the cards in hand on their best places, in the better
    order, and of the cards that it has yet to take.
    """
    hand = state.hands[seat - 1]
    promised = max(_promise(state.pyramids[seat - 1], order, state.width) for order in {hand, hand[::-1]})
    return promised + NEXT_CARDS[state.size - state.laid[seat - 1] - len(hand)]


def _promise(pyramid: Pyramid, cards: Sequence[Card], width: int) -> float:
    """Return the expected points of a pyramid after these cards are laid in order."""
    for card in cards:
        pyramid = best(pyramid, card, width)
    return promise(pyramid, width)
