"""Views of the table, and other states with the same view, for tests and for bots that think ahead."""

from collections import Counter

import msgspec
from msgspec.structs import replace

from games.engine import EVERYONE, Chance, SeatNumber, Viewer
from games.rules.sedlec.pyramid import Card, Pyramid, Score, score
from games.rules.sedlec.state import State


class Pile(msgspec.Struct, frozen=True):
    """A pile of the graveyard."""

    face_up: Card | None
    """The card on top, if it was turned up."""
    face_down: tuple[Card | None, ...]
    """The cards below it, the uppermost first. None if hidden."""


class Player(msgspec.Struct, frozen=True):
    """The public cards of a player."""

    seat: SeatNumber
    hand: tuple[Card, ...]
    pyramid: Pyramid
    """Rows of cards, the lowest first, with None for a missing card. Each row has one place less than the row below."""
    score: Score
    """The points of the pyramid so far."""
    forfeited: bool


class View(msgspec.Struct, frozen=True):
    """The table as a viewer may know it."""

    deck: tuple[Card, ...]
    piles: tuple[Pile, ...]
    players: tuple[Player, ...]
    width: int
    """The number of cards in the bottom row of a full pyramid."""
    size: int
    """The number of cards in a full pyramid."""
    turn: SeatNumber | None
    """The seat whose turn it is; None once the game is over."""
    dug: tuple[int, ...]
    """The piles that were just turned up. The player in turn must take the card of one of them."""
    winners: tuple[SeatNumber, ...] | None
    """The winners, or None while the game is running."""


def view(state: State, viewer: Viewer) -> View:
    """Return a state as ``viewer`` may know it. Face-down cards are hidden from all viewers."""
    seats = len(state.hands)
    return View(
        deck=state.deck,
        piles=tuple(
            Pile(face_up, face_down if viewer == EVERYONE else _hidden(face_down))
            for face_up, face_down in zip(state.face_up, state.face_down, strict=True)
        ),
        players=tuple(_player(state, SeatNumber(seat)) for seat in range(1, seats + 1)),
        width=state.width,
        size=state.size,
        turn=state.turn if state.turn and state.winners is None else None,
        dug=state.dug,
        winners=state.winners,
    )


def _player(state: State, seat: SeatNumber) -> Player:
    pyramid = state.pyramids[seat - 1]
    return Player(seat, state.hands[seat - 1], pyramid, score(pyramid), seat in state.forfeited)


def _hidden(cards: tuple[Card | None, ...]) -> tuple[None, ...]:
    return (None,) * len(cards)


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
