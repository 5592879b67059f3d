"""Lessons: scripted games in which a newcomer makes the first moves of their life, through the real rules."""

from collections.abc import Mapping, Sequence
from functools import reduce
from typing import Any, Final

import msgspec

from games.engine.chance import Chance, ScriptedChance
from games.engine.phrases import Phrase
from games.engine.types import Event, Question, SeatNumber

LEARNER: Final = SeatNumber(1)
"""The seat of whoever takes the lesson."""


class Step(msgspec.Struct, frozen=True):
    """One move of the learner, and what it brings about."""

    title: Phrase
    says: Phrase
    """Said before the move: what there is to see, and what to do."""
    takes: tuple[str, ...]
    """The moves that go on, in notation: the first one unless the learner may choose."""
    then: tuple[tuple[SeatNumber, str], ...] = ()
    """The answers of the others that follow, in notation."""


class Lesson(msgspec.Struct, frozen=True):
    """A scripted game: its options, its draws, and the steps of the learner."""

    seats: int
    options: Mapping[str, Any]
    chance: tuple[object, ...]
    """All draws of the game, in order."""
    steps: tuple[Step, ...]
    end: Phrase
    """Said when all steps are done."""


class LessonPosition(msgspec.Struct, frozen=True):
    """A lesson after some of its steps."""

    events: tuple[Event, ...]
    before: int
    """The number of events that had happened before the learner's last move."""
    state: Any


def take_lesson(rules: Any, lesson: Lesson, moves: Sequence[str]) -> LessonPosition:
    """Return the lesson after these moves of the learner. ValueError for moves that it does not take."""
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
            happened = _answered(rules, state, seat, notation, chance)
            events += happened
            state = reduce(rules.evolve, happened, state)
    return LessonPosition(tuple(events), before, state)


def question_of_learner(rules: Any, state: Any) -> Question | None:
    """Return what the learner is asked; None where nothing is."""
    return next((each for each in rules.questions(state) if each.seat == LEARNER), None)


def _answered(rules: Any, state: Any, seat: SeatNumber, notation: str, chance: Chance) -> Sequence[Event]:
    for question in rules.questions(state):
        for move in rules.legal_moves(state, question):
            if question.seat == seat and rules.text(move) == notation:
                happened: Sequence[Event] = rules.decide(state, seat, move, chance)
                return happened
    raise ValueError(f"the lesson lets seat {seat} say {notation!r} where the rules do not")
