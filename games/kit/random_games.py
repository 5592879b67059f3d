"""Random games with every set of options, including resignations and timeouts, and comparison of facts."""

from collections.abc import Callable, Iterator, Sequence
from itertools import product
from typing import Any, Final, NamedTuple

import msgspec

from games.engine.chance import SeededChance
from games.engine.forms import any_answer, examples, fill, forms_of
from games.engine.rules import AnyRules, replay
from games.engine.types import EVERYONE, SPECTATOR, Event, Move, Question, SeatNumber, Viewer
from games.engine.validation import FILLED_IN, NOT_OFFERED

LONGEST: Final = 5_000
"""The number of decisions after which a game counts as endless."""
RESIGNING: Final = (0, 0, 1, 20)
"""The number of resignations in a thousand decisions, in games with resignations."""
TIMING_OUT: Final = (0, 0, 100, 500)
"""The number of default moves in a thousand decisions."""

_MOST_VALUES: Final = 4


class EndlessGameError(Exception):
    """A random game that did not end."""


class Decision(NamedTuple):
    """A decision of a seat, and its result."""

    before: Any
    """The state before it. None before the set-up."""
    seat: SeatNumber
    move: Move | None
    """The move, or None for the set-up and for a resignation."""
    events: Sequence[Event]
    after: Any
    draws: Sequence[Any] = ()
    """The results of the draws of chance, in order."""


class NotedChance(SeededChance):
    """Seeded draws whose results are recorded."""

    def __init__(self, seed: bytes, game: str) -> None:
        super().__init__(seed, game)
        self.results: list[Any] = []

    def _index(self, options: Sequence[object]) -> int:
        index = super()._index(options)
        self.results.append(options[index])
        return index


class RandomGame:
    """A game that plays itself. ``decisions`` yields each decision."""

    def __init__(self, rules: AnyRules, number: int) -> None:
        seed = number.to_bytes(32, "big")
        self.rules = rules
        self.luck = SeededChance(seed, "players")
        """The random numbers of the players and of the checks."""
        self.chance = NotedChance(seed, "game")
        self.seats = rules.players[number % len(rules.players)]
        self.viewers: tuple[Viewer, ...] = (*map(SeatNumber, range(1, self.seats + 1)), SPECTATOR)
        self.chosen = self.luck.choose(option_sets(rules))
        self.resigning = self.luck.choose(RESIGNING)
        self.timing_out = self.luck.choose(TIMING_OUT)
        self.state: Any = None
        self.history: list[Decision] = []

    def decisions(self) -> Iterator[Decision]:
        """Yield the decisions of the game. Raises EndlessGameError if it does not end."""
        options = self.rules.options(**self.chosen)
        yield self._took(SeatNumber(0), None, lambda: self.rules.setup(options, self.seats, self.chance))
        while self.rules.outcome(self.state) is None:
            if len(self.history) > LONGEST:
                raise EndlessGameError
            yield self._next()

    def any_answer(self, state: Any, question: Question) -> Any:
        """Return a random legal answer to a question."""
        forms = forms_of(self.rules, state, question)
        return any_answer(self.rules.legal_moves(state, question), forms, question, self.luck)

    def log(self) -> list[Event]:
        """Return all events so far, in order."""
        return [event for decision in self.history for event in decision.events]

    def happens(self, of_a_thousand: int) -> bool:
        """Return at random whether something with this frequency happens now."""
        return of_a_thousand > 0 and self.luck.choose(range(1000)) < of_a_thousand

    def _next(self) -> Decision:
        question = self.luck.choose(self.rules.questions(self.state))
        if self.happens(self.resigning):
            return self._took(question.seat, None, lambda: self.rules.resign(self.state, question.seat, self.chance))
        move = self._answer(question)
        return self._took(question.seat, move, lambda: self.rules.decide(self.state, question.seat, move, self.chance))

    def _answer(self, question: Question) -> Any:
        if self.happens(self.timing_out):
            return self.rules.default_move(self.state, question, self.chance)
        return self.any_answer(self.state, question)

    def _took(self, seat: SeatNumber, move: Any, decide: Callable[[], Sequence[Event]]) -> Decision:
        first = len(self.chance.results)
        events = decide()
        before, self.state = self.state, replay(self.rules, events, self.state)
        decision = Decision(before, seat, move, events, self.state, self.chance.results[first:])
        self.history.append(decision)
        return decision


def option_sets(rules: AnyRules) -> list[dict[str, Any]]:
    """Yield all combinations of options that are booleans or have named values. Other options keep their defaults."""
    values: dict[str, Sequence[Any]] = {}
    for field in msgspec.structs.fields(rules.option_type):
        if field.name not in (FILLED_IN, NOT_OFFERED) and (
            values_of_field := named_values(msgspec.inspect.type_info(field.type))
        ):
            values[field.name] = values_of_field[:_MOST_VALUES]
    return [dict(zip(values, choice, strict=True)) for choice in product(*values.values())]


def named_values(kind: msgspec.inspect.Type) -> Sequence[Any]:
    """Return the named values of an option type, or nothing if they are not all known."""
    match kind:
        case msgspec.inspect.BoolType():
            return (False, True)
        case msgspec.inspect.LiteralType(values=values):
            return values
        case msgspec.inspect.UnionType(types=types):
            return tuple(value for type_ in types for value in named_values(type_))
    return ()


def described(game: RandomGame) -> str:
    """Return a sentence part that names the game and its position."""
    options = ", ".join(f"{name}={value}" for name, value in game.chosen.items())
    return f"{game.seats} seats{', ' + options if options else ''}; after {len(game.history) - 1} decisions"


Examiner = Callable[[RandomGame, Decision], Iterator[str]]
"""A check of a game after a decision. It yields faults as sentences."""


MISSING: Final = object()


def facts(value: Any) -> Any:
    """Return a view, event or state as a program would receive it."""
    return msgspec.to_builtins(value)


def beyond(more: Any, allowed: Any, path: str = "") -> Iterator[str]:
    """Yield the place of each fact of ``more`` that ``allowed`` hides or contradicts.

    An empty list reveals nothing. ``more`` may say that all viewers look.
    """
    if isinstance(more, dict):
        for name, value in more.items():
            yield from beyond(value, _within(allowed, name), f"{path}.{name}" if path else str(name))
    elif isinstance(more, list | tuple):
        for index, value in enumerate(more):
            yield from beyond(value, _within(allowed, index), f"{path}[{index}]")
    elif more is not None and more != EVERYONE and more != allowed:
        yield f"`{path}` is {more!r}, and there " + ("it is hidden" if allowed in (None, MISSING) else f"{allowed!r}")


def _within(allowed: Any, at: Any) -> Any:
    """Return the value at a place within another value, or MISSING."""
    if isinstance(allowed, dict):
        return allowed.get(at, MISSING)
    if isinstance(allowed, list | tuple) and isinstance(at, int):
        return allowed[at] if at < len(allowed) else MISSING
    return MISSING


def less_or_equal(visible: Any, whole: Any) -> bool:
    """Return whether ``visible`` is ``whole`` with some facts replaced by None, lengths kept."""
    if visible is None:
        return True
    if isinstance(visible, dict):
        return visible.keys() == whole.keys() and all(less_or_equal(visible[key], whole[key]) for key in visible)
    if isinstance(visible, list | tuple):
        return len(visible) == len(whole) and all(map(less_or_equal, visible, whole))
    return bool(visible == whole)


def difference(one: Any, other: Any) -> str:
    """Return the first difference between two values, for a sentence."""
    return next(beyond(facts(one), facts(other)), None) or next(beyond(facts(other), facts(one)), "the order differs")


def who(viewer: int) -> str:
    """Return a viewer in words, for a sentence."""
    return f"seat {viewer}" if viewer > 0 else "a spectator"


def own_questions(rules: AnyRules, state: Any, viewer: Viewer) -> list[Question]:
    """Return the questions to a viewer."""
    return [question for question in rules.questions(state) if question.seat == viewer]


def alike(rules: AnyRules, one: Any, two: Any, viewer: Viewer) -> bool:
    """Return whether a viewer has the same view and the same questions in two states."""
    if rules.view(one, viewer) != rules.view(two, viewer):
        return False
    return own_questions(rules, one, viewer) == own_questions(rules, two, viewer)


def answers(rules: AnyRules, state: Any, question: Question) -> tuple[Any, ...]:
    """Return the answers to a question: the moves of the list, and the first and the last answer of each form."""
    forms = forms_of(rules, state, question)
    filled = [fill(form, text.split()[1:], question.id) for form in forms for text in dict.fromkeys(examples(form))]
    return (*rules.legal_moves(state, question), *filled)
