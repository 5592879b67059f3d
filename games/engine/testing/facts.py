"""Comparison of facts that viewers know: JSON values, each with its place."""

from collections.abc import Iterator
from typing import Any, Final

import msgspec

from games.engine.answers.forms import examples, fill, forms_of
from games.engine.rules import AnyRules
from games.engine.types import EVERYONE, Question, Viewer

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
