"""The part of a game that each player has as it stands, for bots that think ahead and for analyses."""

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
"""The growth of that lead for each card that is left to take."""

# The average over 500 games of bots.
NEXT_CARDS: Final = (0.0, 0.0, 2.0, 5.0, 9.0, 13.5, 18.5, 24.5, 30.5, 37.0)
"""The points that a player still gets with none, one, two ... cards left to take. Without this the player who took the
last card would seem ahead."""


def share(state: State, seat: SeatNumber) -> float:
    """Return the part of the game that a seat has: what its pyramid promises against the others'."""
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
    """Return the points that a seat may hope for: what its pyramid promises once the cards in its hand lie where they
    promise most, in the better order, and what the cards that it is still to take will bring.
    """
    hand = state.hands[seat - 1]
    promised = max(_promise(state.pyramids[seat - 1], order, state.width) for order in {hand, hand[::-1]})
    return promised + NEXT_CARDS[state.size - state.laid[seat - 1] - len(hand)]


def _promise(pyramid: Pyramid, cards: Sequence[Card], width: int) -> float:
    """Return the points that a pyramid promises once these cards lie in it, one after the other."""
    for card in cards:
        pyramid = best(pyramid, card, width)
    return promise(pyramid, width)
