"""The contract of a game for Sedlec: moves, decisions, resignations and the set-up."""

from collections.abc import Sequence
from functools import reduce
from itertools import combinations
from typing import Annotated, Final

import msgspec

from games.engine import Chance, Move, Outcome, Question, SeatNumber, evolve, places_by
from games.engine.validation import check_in_game, check_seat_count, choose_starter, find_question, not_possible
from games.rules.sedlec.events import CardTurned, Dug, GameEnded, Laid, Resigned, SedlecEvent, SetUp, Taken, TurnBegan
from games.rules.sedlec.pyramid import DECK, KINDS, Card, Place, places, score, winners
from games.rules.sedlec.state import (
    PILES,
    Options,
    State,
    closed_piles,
    next_seat,
    one_more,
    open_piles,
    questions,
    why_lay,
)

NAME: Final = "sedlec"

VERSION: Final = 1

PLAYERS: Final = range(2, 4)


def setup(options: Options, seats: int, chance: Chance, deck: tuple[Card, ...] = DECK) -> tuple[SedlecEvent, ...]:
    """Deal six piles of three cards, turn up one top card and choose the starter.

    Chance draws the cards in the order in which they are dealt (pile 1 from its top card down, then pile 2 and so on),
    then the pile (Sedlec S2), then the starting player (S3).
    """
    check_seat_count(PLAYERS, seats, "setup")
    shuffled = chance.take(deck, len(deck))
    high = len(deck) // len(PILES)
    piles = tuple(shuffled[first : first + high] for first in range(0, len(deck), high))
    pile = chance.choose(PILES)
    return (
        SetUp(rules=NAME, version=VERSION, seats=seats, options=options, deck=deck, piles=piles),
        CardTurned(pile=pile, card=piles[pile - 1][0]),
        TurnBegan(seat=choose_starter(options, seats, chance, "S3")),
    )


PileNumber = Annotated[int, msgspec.Meta(ge=1, le=6, description="A pile of the graveyard.")]


class Dig(Move, frozen=True, gc=False, tag="dig"):
    """Turn up the top cards of two piles, or of the only one left, and take one of them."""

    piles: Annotated[tuple[PileNumber, ...], msgspec.Meta(min_length=1, max_length=2)]


class Collect(Move, frozen=True, gc=False, tag="collect"):
    """Take the face-up card of a pile."""

    pile: PileNumber


_KIND: Final = f"({'|'.join(KINDS)})"


class Lay(Move, frozen=True, gc=False, tag="lay"):
    """Put a card of your hand into your pyramid."""

    card: Annotated[Card, msgspec.Meta(pattern=f"^{_KIND}/{_KIND}$", description="A card, top/bottom.")]
    place: Place

    def __str__(self) -> str:
        return f"lay {self.card} {self.place}"  # the same text as Move.__str__, in half the time


class Take(Move, frozen=True, gc=False, tag="take"):
    """Take one of the two cards that were just dug up."""

    pile: PileNumber


SedlecMove = Dig | Collect | Lay | Take


def decide(state: State, seat: SeatNumber, move: SedlecMove, chance: Chance) -> tuple[SedlecEvent, ...]:
    """Return the events that follow from ``move``, up to the next question or the end. Raises RuleViolation."""
    find_question(questions(state), seat, move.question)
    if not is_legal(state, move):
        raise not_possible("turn")
    return tuple(_played(state, move, chance))


def resign(state: State, seat: SeatNumber, chance: Chance) -> tuple[SedlecEvent, ...]:
    """Give up a seat. It is continued by default moves (Sedlec S8) and cannot win (S10)."""
    check_in_game(state.winners is None and 1 <= seat <= len(state.hands) and seat not in state.forfeited)
    resigned = Resigned(seat=seat)
    state = evolve(state, resigned)
    if len(state.forfeited) == len(state.hands):
        return resigned, _ended(state)
    if state.turn == seat:
        return resigned, *_played_on(state, chance)
    return (resigned,)


def outcome(state: State) -> Outcome | None:
    """Return the outcome, or None while the game is running."""
    if state.winners is None:
        return None
    points = [score(pyramid) for pyramid in state.pyramids]
    worths = [(seat not in state.forfeited, score.total, score.subtotals) for seat, score in enumerate(points, start=1)]
    return Outcome(state.winners, places_by(worths) if state.winners else (), tuple(point.total for point in points))


def _played(state: State, move: SedlecMove, chance: Chance) -> list[SedlecEvent]:
    """Return the events of a legal move, up to the next question or the end."""
    events = _effects(state, move)
    if len(events) == 1 and isinstance(events[0], Dug):
        goes_on = state.turn in state.forfeited
    else:
        laid = one_more(state.laid, state.turn) if isinstance(move, Lay) else state.laid
        seat = next_seat(state, laid)
        if seat is None:
            return [*events, _ended(reduce(evolve, events, state))]
        goes_on = seat in state.forfeited
        events.append(TurnBegan(seat=seat, forfeited=goes_on))
    if goes_on:
        events += _played_on(reduce(evolve, events, state), chance)
    return events


def _played_on(state: State, chance: Chance) -> list[SedlecEvent]:
    """Return the events of default moves while the seat in turn is forfeited (Sedlec S8)."""
    return _played(state, chance.choose(default_moves(state)), chance)


def _effects(state: State, move: SedlecMove) -> list[SedlecEvent]:
    """Return the events by which the seat in turn makes its move."""
    seat = state.turn
    if isinstance(move, Lay):
        return [Laid(seat=seat, card=move.card, place=move.place)]
    if isinstance(move, Dig):
        piles = move.piles
        cards = tuple([_card(state.face_down[pile - 1][0]) for pile in piles])
        dug = Dug(seat=seat, piles=piles, cards=cards)
        return [dug, Taken(seat=seat, pile=piles[0], card=cards[0])] if len(piles) == 1 else [dug]  # Sedlec S9
    return [Taken(seat=seat, pile=move.pile, card=_card(state.face_up[move.pile - 1]))]


def _card(card: Card | None) -> Card:
    """Return a card that must be known. A state with hidden cards cannot be played on."""
    if card is None:
        raise ValueError("this card is hidden: only the full state can be played on")
    return card


def _ended(state: State) -> GameEnded:
    """Count the points. A forfeited seat takes no part in winning or in the tie-break (Sedlec S10)."""
    scores = tuple(score(pyramid) for pyramid in state.pyramids)
    ranked = [(SeatNumber(seat), points) for seat, points in enumerate(scores, start=1)]
    return GameEnded(winners=winners(pair for pair in ranked if pair[0] not in state.forfeited), scores=scores)


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
