"""Folds each event into the state."""

from collections.abc import Callable, Mapping
from typing import Any, Final, TypeVar

from msgspec.structs import replace

from games.engine import Event, SeatNumber, question_to
from games.rules.sedlec.cards import Card
from games.rules.sedlec.events import CardTurned, Dug, GameEnded, Laid, Resigned, SedlecEvent, SetUp, Taken, TurnBegan
from games.rules.sedlec.pyramid import EMPTY, lay, size, width
from games.rules.sedlec.state import State, why_lay

T = TypeVar("T")


def evolve(state: State | None, event: SedlecEvent) -> State:
    """The state after ``event``; ``state`` is None before the first. Takes shown events too."""
    return _EVOLVE[type(event)](state, event)


def _began(_: None, event: SetUp) -> State:
    seats = event.seats
    return State(
        deck=event.deck,
        size=size(seats),
        width=width(seats),
        face_down=event.piles,
        face_up=(None,) * len(event.piles),
        hands=((),) * seats,
        pyramids=(EMPTY,) * seats,
        laid=(0,) * seats,
        asked=(0,) * seats,
        turn=SeatNumber(0),
    )


def _card_turned(state: State, event: CardTurned) -> State:
    face_down, face_up = _turned_up(state, (event.pile,), (event.card,))
    return replace(state, face_down=face_down, face_up=face_up)


def _turn_began(state: State, event: TurnBegan) -> State:
    seat = event.seat
    if event.forfeited:
        return replace(state, turn=seat)
    asked = one_more(state.asked, seat)
    question = question_to(seat, asked[seat - 1], "turn", why_lay(state, seat) or "turn")
    return replace(state, turn=seat, asked=asked, question=question)


def _dug(state: State, event: Dug) -> State:
    seat = event.seat
    face_down, face_up = _turned_up(state, event.piles, event.cards)
    if len(event.piles) == 1:
        return replace(state, face_down=face_down, face_up=face_up, question=None)
    if seat in state.forfeited:
        return replace(state, face_down=face_down, face_up=face_up, dug=event.piles)
    asked = one_more(state.asked, seat)
    question = question_to(seat, asked[seat - 1], "take", "dug")
    return replace(state, face_down=face_down, face_up=face_up, dug=event.piles, asked=asked, question=question)


def _taken(state: State, event: Taken) -> State:
    hand = (*state.hands[event.seat - 1], event.card)
    return replace(
        state,
        face_up=_put(state.face_up, event.pile, None),
        hands=_put(state.hands, event.seat, hand),
        question=None,
        dug=(),
    )


def _laid(state: State, event: Laid) -> State:
    seat = event.seat
    hand = list(state.hands[seat - 1])
    hand.remove(event.card)
    return replace(
        state,
        hands=_put(state.hands, seat, tuple(hand)),
        pyramids=_put(state.pyramids, seat, lay(state.pyramids[seat - 1], event.card, event.place)),
        laid=one_more(state.laid, seat),
        question=None,
    )


def _resigned(state: State, event: Resigned) -> State:
    question = None if event.seat == state.turn else state.question
    return replace(state, forfeited=(*state.forfeited, event.seat), question=question)


def _ended(state: State, event: GameEnded) -> State:
    return replace(state, winners=event.winners, question=None, dug=())


def _turned_up(
    state: State, piles: tuple[int, ...], cards: tuple[Card, ...]
) -> tuple[tuple[tuple[Card | None, ...], ...], tuple[Card | None, ...]]:
    """Return what lies face down and face up once the top cards of ``piles`` were turned up."""
    face_down, face_up = list(state.face_down), list(state.face_up)
    for pile, card in zip(piles, cards, strict=True):
        face_down[pile - 1] = face_down[pile - 1][1:]
        face_up[pile - 1] = card
    return tuple(face_down), tuple(face_up)


def _put(items: tuple[T, ...], number: int, item: T) -> tuple[T, ...]:
    changed = list(items)
    changed[number - 1] = item
    return tuple(changed)


def one_more(counts: tuple[int, ...], seat: SeatNumber) -> tuple[int, ...]:
    """``counts`` by seat with one more for ``seat``."""
    more = list(counts)
    more[seat - 1] += 1
    return tuple(more)


_EVOLVE: Final[Mapping[type[Event], Callable[[Any, Any], State]]] = {
    SetUp: _began,
    CardTurned: _card_turned,
    TurnBegan: _turn_began,
    Dug: _dug,
    Taken: _taken,
    Laid: _laid,
    Resigned: _resigned,
    GameEnded: _ended,
}
