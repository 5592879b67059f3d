"""The options and the state of a game."""

from itertools import compress
from typing import Annotated, Final, Literal, TypeVar

import msgspec
from msgspec.structs import replace

from games.engine import Question, SeatNumber, question_to
from games.rules.sedlec.pyramid import Card, Pyramid

T = TypeVar("T")

HAND_SIZE: Final = 2
PILES: Final = (1, 2, 3, 4, 5, 6)
"""The piles of the graveyard."""
REASONS: Final = ("turn", "hand-full", "enough", "dug")
"""Every reason of a question."""


class State(msgspec.Struct, frozen=True, gc=False):
    """Everything about a game. Tuples by seat or by pile begin with seat 1 and pile 1."""

    deck: tuple[Card, ...]
    """The cards the game is played with."""
    size: int
    """The number of cards in a full pyramid."""
    width: int
    """The number of cards in the bottom row of a full pyramid."""
    face_down: tuple[tuple[Card | None, ...], ...]
    """The face-down cards of each pile, the uppermost first, or None if hidden. The only secret of the game."""
    face_up: tuple[Card | None, ...]
    """The face-up card on top of each pile, or None."""
    hands: tuple[tuple[Card, ...], ...]
    pyramids: tuple[Pyramid, ...]
    laid: tuple[int, ...]
    """The number of cards in each pyramid."""
    asked: tuple[int, ...]
    """The number of questions that each seat has been asked."""
    turn: SeatNumber
    """The seat whose turn it is; 0 before the first turn."""
    question: Question | None = None
    """The question to the seat in turn, or None if there is none."""
    dug: tuple[int, ...] = ()
    """The two piles that the player in turn has just turned up. The player must take a card of one of them."""
    forfeited: tuple[SeatNumber, ...] = ()
    """The seats that gave up, in order."""
    winners: tuple[SeatNumber, ...] | None = None
    """The winners, or None while the game is running."""


def closed_piles(state: State) -> list[int]:
    """Return the piles whose top card is face down, ascending."""
    face_up = state.face_up
    return [pile for pile in compress(PILES, state.face_down) if face_up[pile - 1] is None]


def open_piles(state: State) -> list[int]:
    """Return the piles whose top card is face up, ascending."""
    return [*compress(PILES, state.face_up)]


def why_lay(state: State, seat: SeatNumber) -> str | None:
    """Return why a seat must lay a card and may not take one, or None if it may.

    ``hand-full``: it holds two cards. ``enough``: its laid cards and its hand make a full pyramid (Sedlec S4). So there
    is nothing left to take only when every seat has enough (S10).
    """
    hand_size = len(state.hands[seat - 1])
    if hand_size == HAND_SIZE:
        return "hand-full"
    return "enough" if hand_size + state.laid[seat - 1] == state.size else None


def next_seat(state: State, laid: tuple[int, ...]) -> SeatNumber | None:
    """Return the next seat clockwise that is not full (Sedlec S5), or None if all are. ``laid``
    counts cards by seat.
    """
    seat: int = state.turn
    for _ in laid:
        seat = seat % len(laid) + 1
        if laid[seat - 1] < state.size:
            return SeatNumber(seat)
    return None


def ask(state: State, seat: SeatNumber, kind: str, reason: str) -> State:
    """Return ``state`` with a question to the seat in turn, under a new id."""
    counts = one_more(state.asked, seat)
    return replace(state, turn=seat, asked=counts, question=question_to(seat, counts[seat - 1], kind, reason))


def turn_up(state: State, piles: tuple[int, ...], cards: tuple[Card, ...], dug: tuple[int, ...] = ()) -> State:
    """Return ``state`` with the top cards of these piles turned up. One of the piles that were dug must be taken."""
    face_down, face_up = list(state.face_down), list(state.face_up)
    for pile, card in zip(piles, cards, strict=True):
        face_down[pile - 1] = face_down[pile - 1][1:]
        face_up[pile - 1] = card
    return replace(state, face_down=tuple(face_down), face_up=tuple(face_up), dug=dug)


def put(items: tuple[T, ...], number: int, item: T) -> tuple[T, ...]:
    """Return ``items``, counted from 1, with another item at this place."""
    changed = list(items)
    changed[number - 1] = item
    return tuple(changed)


def one_more(counts: tuple[int, ...], seat: SeatNumber) -> tuple[int, ...]:
    """Return ``counts`` by seat with one more for ``seat``."""
    return put(counts, seat, counts[seat - 1] + 1)


def questions(state: State) -> tuple[Question, ...]:
    """Return the open questions: one for the seat in turn, or none when the game is over."""
    return () if state.question is None else (state.question,)


class Options(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The options of a game."""

    starting_player: Literal["random", "previous_winner"] | Annotated[int, msgspec.Meta(ge=1, le=3)] = "random"
    """The player who starts (Sedlec S3): a random one, the winner of the previous game, or the seat of this number."""
    previous_winners: tuple[Annotated[int, msgspec.Meta(ge=1)], ...] = ()
    """The seats that won the previous game. The server fills it in for a rematch."""
