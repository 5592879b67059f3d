"""Lessons: scripted games with the real rules, in which a newcomer makes their first moves."""

from collections.abc import Mapping, Sequence
from functools import reduce
from typing import Any, Final

import msgspec

from games.engine.chance import Chance, ScriptedChance
from games.engine.phrases import Phrase
from games.engine.types import Event, Question, SeatNumber

LEARNER: Final = SeatNumber(1)
"""The seat of the learner."""


class Step(msgspec.Struct, frozen=True):
    """A move of the learner, and the answers of the other seats."""

    title: Phrase
    text: Phrase
    """The text before the move: what the learner sees, and what to do."""
    takes: tuple[str, ...]
    """The moves that are accepted, in notation. The first one is suggested."""
    then: tuple[tuple[SeatNumber, str], ...] = ()
    """The answers of the other seats that follow, in notation."""


class Lesson(msgspec.Struct, frozen=True):
    """A scripted game: its options, its draws, and the steps of the learner."""

    seats: int
    options: Mapping[str, Any]
    chance: tuple[object, ...]
    """All draws of the game, in order."""
    steps: tuple[Step, ...]
    end: Phrase
    """The text after the last step."""


class LessonPosition(msgspec.Struct, frozen=True):
    """A lesson after some of its steps."""

    events: tuple[Event, ...]
    before: int
    """The number of events that had happened before the learner's last move."""
    state: Any


def take_lesson(rules: Any, lesson: Lesson, moves: Sequence[str]) -> LessonPosition:
    """Return the position of a lesson after these moves of the learner. Raises ValueError for a wrong move."""
    if len(moves) > len(lesson.steps):
        raise ValueError(f"the lesson has {len(lesson.steps)} steps, not {len(moves)}")
    chance = ScriptedChance(lesson.chance)
    events = [*rules.setup(rules.options(**lesson.options), lesson.seats, chance)]
    state, before = reduce(rules.evolve, events, None), 0
    for step, move in zip(lesson.steps, moves, strict=False):
        if move not in step.takes:
            raise ValueError(f"the lesson takes {' or '.join(step.takes)} here, not {move!r}")
        before = len(events)
        for seat, notation in ((LEARNER, move), *step.then):
            new_events = _events_of_answer(rules, state, seat, notation, chance)
            events += new_events
            state = reduce(rules.evolve, new_events, state)
    return LessonPosition(tuple(events), before, state)


def question_of_learner(rules: Any, state: Any) -> Question | None:
    """Return the learner's open question, if there is one."""
    return next((question for question in rules.questions(state) if question.seat == LEARNER), None)


def _events_of_answer(rules: Any, state: Any, seat: SeatNumber, notation: str, chance: Chance) -> Sequence[Event]:
    for question in rules.questions(state):
        for move in rules.legal_moves(state, question):
            if question.seat == seat and rules.text(move) == notation:
                events: Sequence[Event] = rules.decide(state, seat, move, chance)
                return events
    raise ValueError(f"the lesson lets seat {seat} say {notation!r} where the rules do not")
