"""The part of a game that each player has as it stands, for bots that think ahead and for analyses."""

from math import exp
from typing import Final

from games.engine import SeatNumber
from games.rules.sedlec.bot import best, promise
from games.rules.sedlec.state import State

# Fitted to 240 games of bots: how often a lead of so many points with so many cards to come was a win.
SETTLED: Final = 1.5
"""The lead in points by which the odds grow e-fold once no card is to be taken any more."""
TO_COME: Final = 0.4
"""By how much that lead grows with each card that is to be taken."""


def share(state: State, seat: SeatNumber) -> float:
    """Return the part of the game that a seat has: what its pyramid promises against the others'."""
    if state.winners is not None:
        return (seat in state.winners) / max(1, len(state.winners))
    if seat in state.forfeited:
        return 0.0
    held = sum(state.laid) + sum(map(len, state.hands))
    scale = SETTLED + TO_COME * (state.size * len(state.hands) - held)
    mine = hope(state, seat)
    rivals = [SeatNumber(each) for each in range(1, len(state.hands) + 1) if each not in state.forfeited]
    return 1 / sum(exp((hope(state, each) - mine) / scale) for each in rivals)


def hope(state: State, seat: SeatNumber) -> float:
    """Return the points that a seat's pyramid promises once the cards in its hand lie where they promise most."""
    pyramid = state.pyramids[seat - 1]
    for card in state.hands[seat - 1]:
        pyramid = best(pyramid, card, state.width)
    return promise(pyramid, state.width)
