"""Other states that look the same, for tests and for bots that think ahead."""

from collections import Counter

from msgspec.structs import replace

from games.engine import EVERYONE, Chance, Viewer
from games.rules.sedlec.cards import Card
from games.rules.sedlec.state import State


def worlds(state: State, viewer: Viewer, chance: Chance) -> State:
    """Return the state with its face-down cards in another order. No player knows them."""
    if viewer == EVERYONE:
        return state
    hidden = face_down(state)
    shuffled = iter(chance.take(hidden, len(hidden)))
    return replace(state, face_down=tuple(tuple(next(shuffled) for _ in pile) for pile in state.face_down))


def face_down(state: State) -> list[Card]:
    """Return the cards of the deck that lie face down."""
    left = Counter(state.deck)
    left.subtract(card for card in state.face_up if card is not None)
    for hand, pyramid in zip(state.hands, state.pyramids, strict=True):
        left.subtract(hand)
        left.subtract(card for row in pyramid for card in row if card is not None)
    return sorted(left.elements(), key=str)
