"""A game for programs that learn: answers as indexes, views as vectors, and rewards."""

from collections.abc import Iterator, Sequence
from itertools import islice
from typing import Any, Final
from zlib import crc32

import msgspec
import numpy as np

from games.engine import AnyRules, Outcome, Question, SeatNumber
from games.engine.forms import fillings, forms_of

FACTS: Final = 1024
"""The length of the vector into which the facts of a view are hashed."""
MOST: Final = 1024
"""The default limit for the number of answers to a question."""


def answers_to(rules: AnyRules, state: Any, question: Question, most: int) -> Sequence[Any]:
    """Return all answers to a question: the listed moves, and its forms filled in every way.

    Raises ValueError if there are more than ``most``.
    """
    filled = (move for form in forms_of(rules, state, question) for move in fillings(form, question.id))
    answers = [*rules.legal_moves(state, question), *islice(filled, most + 1)]
    if len(answers) > most:
        raise ValueError(f"a question offers more than {most} answers; give a larger `most`")
    return answers


def rewards(outcome: Outcome, seats: int) -> list[float]:
    """Return the reward of each seat, from seat 1: 1 for the first place, -1 for the last, 0 for
    all if all have won.
    """
    places = [outcome.place(SeatNumber(seat)) for seat in range(1, seats + 1)]
    last = max(places)
    return [1.0 - 2.0 * (place - 1) / (last - 1) if last > 1 else 0.0 for place in places]


def hashed(view: Any) -> np.ndarray[Any, np.dtype[np.float32]]:
    """Return the facts of a view as a vector: a number at the hash of its name, a word at the hash of name and word."""
    vector = np.zeros(FACTS, np.float32)
    for name, value in _facts(msgspec.to_builtins(view), ""):
        if isinstance(value, int | float) and not isinstance(value, bool):
            vector[crc32(name.encode()) % FACTS] += value
        else:
            vector[crc32(f"{name}={value}".encode()) % FACTS] += 1
    return vector


def _facts(value: Any, name: str) -> Iterator[tuple[str, Any]]:
    if isinstance(value, dict):
        for key, item in value.items():
            yield from _facts(item, f"{name}.{key}")
    elif isinstance(value, list | tuple):
        for index, item in enumerate(value):
            yield from _facts(item, f"{name}.{index}")
    else:
        yield name, value
