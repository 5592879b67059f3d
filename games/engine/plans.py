"""Standing orders: what a game says of answers given ahead, and how they are asked for theirs. Pure."""

from collections.abc import Callable, Mapping, Sequence
from typing import Any, Generic, NamedTuple, TypeVar

import msgspec

from games.engine.phrases import Phrase
from games.engine.types import Move, Question, SeatNumber

View = TypeVar("View", bound=msgspec.Struct)
M = TypeVar("M", bound=Move)
O = TypeVar("O", bound=msgspec.Struct)  # noqa: E741


class Slot(msgspec.Struct, frozen=True):
    """A word of an order that is chosen from a list."""

    label: Phrase
    choices: tuple[tuple[str, Phrase], ...]
    """What may be chosen: the word in notation, or nothing, and what it means."""


class OrderForm(msgspec.Struct, frozen=True):
    """One kind of order as a form offers it: its notation is ``begins`` and the words chosen."""

    title: Phrase
    begins: str
    slots: tuple[Slot, ...] = ()


class Orders(msgspec.Struct, Generic[View, M, O], frozen=True):
    """The standing orders of a game: answers given ahead.

    ``obey`` is handed its owner's view; whether and when it answers must not depend on what of it the others may not
    know, only what it answers may. The other functions that are handed a view speak to the owner alone.
    """

    order_type: Any
    """The union of the game's orders, tagged by ``type``."""
    rank: Callable[[O], Any]
    """By what the orders of one seat are sorted before they are asked."""
    subject: Callable[[O], Any]
    """What an order is about: of two about the same the second would never be asked, so there may not be two.

    None for orders of which several may wait for their turn to come.
    """
    is_once: Callable[[O], bool]
    """Whether an order is gone once it has answered."""
    is_spent: Callable[[View, Question, O], bool]
    """Whether an order that has not answered this question has lapsed with it."""
    obey: Callable[[View, Question, Sequence[M], O], M | None]
    """One of the legal moves; None where the order says nothing about this question."""
    wrong: Callable[[View, SeatNumber, O], Phrase | None]
    """Why a seat cannot give an order as the game stands; None where it can."""
    text: Callable[[O], str]
    """An order in its one canonical notation."""
    parse: Callable[[View, SeatNumber, str, Mapping[str, SeatNumber]], O]
    """``parse(view, seat, text, names)``: an order as people write it, else RuleViolation ``malformed``."""
    describe: Callable[[O], Phrase]
    """An order as a sentence."""
    examples: Callable[[View, SeatNumber], Sequence[O]]
    """An order of each kind that the seat could give: by them people learn the notation."""
    forms: Callable[[View, SeatNumber], Sequence[OrderForm]]
    """All kinds of orders, for a page."""


class Obedience(NamedTuple):
    """What a seat's orders make of a question."""

    answer: Move | None
    """One of the legal moves; None where no order says anything."""
    which: int | None
    """The index of the order that answers."""
    spent: tuple[int, ...]
    """The indexes of those that have lapsed with the question."""


def first_answer(rules: Any, state: Any, question: Question, orders: Sequence[Any]) -> Obedience:
    """The answer of the first of a seat's orders that has one; they are given in the order in which they are asked."""
    law = rules.orders
    view = rules.view(state, question.seat)
    moves = rules.legal_moves(state, question)
    spent: list[int] = []
    for index, order in enumerate(orders):
        answer = law.obey(view, question, moves, order)
        if answer is not None:
            return Obedience(answer, index, tuple(spent))
        if law.is_spent(view, question, order):
            spent.append(index)
    return Obedience(None, None, tuple(spent))
