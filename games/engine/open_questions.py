"""Questions that the engine counts, and decisions in steps, for games that are written in few lines.

A state with a field ``open`` needs no ``questions``, and its ``decide`` gets legal answers to open questions alone::

    class State(Struct, frozen=True):
        open: OpenQuestions
"""

from collections.abc import Callable, Collection, Generator
from typing import Any, Concatenate, ParamSpec, TypeVar

import msgspec

from games.engine.chance import Chance
from games.engine.forms import is_legal
from games.engine.types import Event, Move, Question, SeatNumber, question_to
from games.engine.validation import find_question, not_possible

P = ParamSpec("P")
S = TypeVar("S")


class OpenQuestions(msgspec.Struct, frozen=True):
    """The open questions, all of one kind, and the number of questions that each seat has had."""

    counts: tuple[int, ...]
    seats: tuple[SeatNumber, ...] = ()
    kind: str = "turn"
    reason: str = "turn"

    def ask(self, *seats: SeatNumber, kind: str = "turn", reason: str = "") -> "OpenQuestions":
        """Ask these seats, and withdraw all other questions. Without seats, nothing is asked any more."""
        counts = tuple(count + (seat in seats) for seat, count in enumerate(self.counts, 1))
        return OpenQuestions(counts, seats, kind, reason or kind)

    def without(self, seat: SeatNumber) -> "OpenQuestions":
        """Close the question to a seat, which has answered."""
        return msgspec.structs.replace(self, seats=tuple(other for other in self.seats if other != seat))


def no_questions(seats: int) -> OpenQuestions:
    """Return the questions of a game that has just begun: none."""
    return OpenQuestions((0,) * seats)


def open_questions_of(state: Any) -> tuple[Question, ...]:
    """Return the open questions of a state with a field ``open``."""
    questions: OpenQuestions = state.open
    kind, reason = questions.kind, questions.reason
    return tuple(question_to(seat, questions.counts[seat - 1], kind, reason) for seat in questions.seats)


class CheckedDecide:
    """The ``decide`` function of a game with ``open_questions_of``. It refuses an answer that was not offered."""

    def __init__(self, rules: Any, decide: Callable[..., tuple[Any, ...]]) -> None:
        self.rules, self.decide = rules, decide

    def __call__(self, state: Any, seat: SeatNumber, move: Move, chance: Chance) -> tuple[Any, ...]:
        question = find_question(open_questions_of(state), seat, move.question)
        if not is_legal(self.rules, state, question, move):
            raise not_possible()
        return self.decide(state, seat, move, chance)


def in_steps(
    function: Callable[Concatenate[S, P], Generator[Event, S, None]],
) -> Callable[Concatenate[S, P], tuple[Event, ...]]:
    """Decorate a ``decide`` or ``resign`` that yields its events, and gets the state after each of them."""

    def run(state: S, /, *arguments: P.args, **more: P.kwargs) -> tuple[Event, ...]:
        steps = function(state, *arguments, **more)
        events: list[Event] = []
        try:
            while True:
                events.append(next(steps) if not events else steps.send(state))
                state = events[-1].after(state)
        except StopIteration:
            return tuple(events)

    return run


def next_seat(seat: int, seats: Collection[int], count: int) -> SeatNumber:
    """Return the first of these seats after a seat, clockwise at a table of ``count``. It may be the seat itself."""
    around = ((seat + step - 1) % count + 1 for step in range(1, count + 1))
    return SeatNumber(next(other for other in around if other in seats))
