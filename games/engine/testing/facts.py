"""Compares what two viewers know: facts as JSON values, each with its place."""

from collections.abc import Iterator
from typing import Any, Final

import msgspec

from games.engine.answers.forms import examples, fill, forms_of
from games.engine.rules import AnyRules
from games.engine.types import EVERYONE, Question, Viewer

MISSING: Final = object()


def facts(value: Any) -> Any:
    """A view, event or state as what a program would get of it."""
    return msgspec.to_builtins(value)


def beyond(more: Any, allowed: Any, path: str = "") -> Iterator[str]:
    """Yield the place of each fact of ``more`` that ``known`` hides, or tells otherwise.

    An empty list tells nothing. ``more`` may say that everyone looks.
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
    """Return whether ``shown`` is ``whole`` with some facts replaced by None, lengths kept."""
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
    """A viewer, for a sentence."""
    return f"seat {viewer}" if viewer > 0 else "a spectator"


def own_questions(rules: AnyRules, state: Any, viewer: Viewer) -> list[Question]:
    """Return the questions to a viewer."""
    return [question for question in rules.questions(state) if question.seat == viewer]


def alike(rules: AnyRules, one: Any, two: Any, viewer: Viewer) -> bool:
    """Return whether a viewer sees the same in two states, and is asked the same."""
    if rules.view(one, viewer) != rules.view(two, viewer):
        return False
    return own_questions(rules, one, viewer) == own_questions(rules, two, viewer)


def answers(rules: AnyRules, state: Any, question: Question) -> tuple[Any, ...]:
    """The answers to a question: the moves of the list, and of each form the first and the last."""
    forms = forms_of(rules, state, question)
    filled = [fill(form, text.split()[1:], question.id) for form in forms for text in dict.fromkeys(examples(form))]
    return (*rules.legal_moves(state, question), *filled)
