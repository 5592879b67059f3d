"""The moves of a player, each with its canonical text, and the default moves."""

from collections.abc import Sequence
from itertools import combinations
from typing import Annotated, Final

import msgspec

from games.engine import Chance, Move, Question
from games.rules.sedlec.cards import KINDS, Card
from games.rules.sedlec.pyramid import Place, places
from games.rules.sedlec.state import State, closed_piles, open_piles, why_lay

PileNumber = Annotated[int, msgspec.Meta(ge=1, le=6, description="A pile of the graveyard.")]
_KIND: Final = f"({'|'.join(KINDS)})"


class Dig(Move, frozen=True, gc=False, tag="dig"):
    """Turn up the top cards of two piles, or of the only one left, and take one of them."""

    piles: Annotated[tuple[PileNumber, ...], msgspec.Meta(min_length=1, max_length=2)]


class Collect(Move, frozen=True, gc=False, tag="collect"):
    """Take the face-up card of a pile."""

    pile: PileNumber


class Lay(Move, frozen=True, gc=False, tag="lay"):
    """Put a card of your hand into your pyramid."""

    card: Annotated[Card, msgspec.Meta(pattern=f"^{_KIND}/{_KIND}$", description="A card, top/bottom.")]
    place: Place

    def __str__(self) -> str:
        return f"lay {self.card} {self.place}"  # as the engine writes it, in half the time


class Take(Move, frozen=True, gc=False, tag="take"):
    """Take one of the two cards that were just dug up."""

    pile: PileNumber


SedlecMove = Dig | Collect | Lay | Take


def legal_moves(state: State, question: Question) -> tuple[SedlecMove, ...]:
    """Return the answers to an open question: digs, collections and layings in this order. Empty for a closed one."""
    if question is not state.question and question != state.question:
        return ()
    question_id = question.id
    if state.dug:
        return tuple([Take(pile, question=question_id) for pile in state.dug])
    if question.reason != "turn":
        return tuple(layings(state, question_id))
    return (*digs(state, question_id), *collections(state, question_id), *layings(state, question_id))


def is_legal(state: State, move: SedlecMove) -> bool:
    """Return whether the seat in turn may make this move, without building the list of moves."""
    if isinstance(move, Take):
        return move.pile in state.dug
    if state.dug:
        return False
    seat = state.turn
    if isinstance(move, Lay):
        return move.card in state.hands[seat - 1] and move.place in places(state.pyramids[seat - 1], state.width)
    if why_lay(state, seat):
        return False
    if isinstance(move, Collect):
        return move.pile in open_piles(state)
    closed = closed_piles(state)
    return move.piles in ([tuple(closed)] if len(closed) == 1 else combinations(closed, 2))


def digs(state: State, question: str) -> list[Dig]:
    """Return the digs: two piles with a face-down top card, or the only such pile."""
    closed = closed_piles(state)
    if len(closed) == 1:
        return [Dig(piles=(closed[0],), question=question)]
    return [Dig(piles, question=question) for piles in combinations(closed, 2)]


def collections(state: State, question: str) -> list[Collect]:
    """Return the collections: any pile with a face-up card."""
    return [Collect(pile, question=question) for pile in open_piles(state)]


def layings(state: State, question: str) -> list[Lay]:
    """Return the layings: any card in hand at any free place. Equal cards are one choice (Sedlec S10)."""
    hand = state.hands[state.turn - 1]
    if not hand:
        return []
    free = places(state.pyramids[state.turn - 1], state.width)
    return [Lay(card, place, question=question) for card in dict.fromkeys(hand) for place in free]


def default_move(state: State, question: Question, chance: Chance) -> SedlecMove:
    """Return the default move: lay with a full hand, else collect, else dig, else lay; after a dig, take either card
    (Sedlec S8).
    """
    return chance.choose(default_moves(state, question.id))


def default_moves(state: State, question: str = "") -> Sequence[SedlecMove]:
    """Return the moves among which a default move is drawn, at a deadline and for a forfeited seat."""
    if state.dug:
        return [Take(pile=pile, question=question) for pile in state.dug]
    if why_lay(state, state.turn):
        return layings(state, question)
    return collections(state, question) or digs(state, question) or layings(state, question)
