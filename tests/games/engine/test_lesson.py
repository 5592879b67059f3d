"""Lessons: every script follows the rules, and only the listed moves are accepted."""

import pytest

from games.engine import show_all
from games.engine.lesson import LEARNER, question_of_learner, take_lesson
from games.rules.registry import RULES

TAUGHT = [rules for rules in RULES.values() if rules.lesson]
EACH = pytest.mark.parametrize("rules", TAUGHT, ids=lambda rules: rules.name)
COUP = RULES["coup"]


@EACH
def test_a_lesson_can_be_taken_to_its_end_with_every_choice_it_leaves(rules) -> None:
    paths = [()]
    for step in rules.lesson.steps:
        for path in paths:
            state = take_lesson(rules, rules.lesson, path).state
            question = question_of_learner(rules, state)
            assert set(step.takes) <= {rules.text(move) for move in rules.legal_moves(state, question)}
        paths = [(*path, move) for path in paths for move in step.takes]
    for path in paths:
        assert take_lesson(rules, rules.lesson, path).state is not None


@EACH
def test_a_lesson_never_shows_more_than_its_learner_may_know(rules) -> None:
    path = [step.takes[0] for step in rules.lesson.steps]
    position = take_lesson(rules, rules.lesson, path)
    visible_events = show_all(rules, position.events, LEARNER)
    assert len(visible_events) <= len(position.events)
    assert visible_events != list(position.events)


@pytest.mark.parametrize("moves", [["income"], ["tax", "tax"], ["tax", "prove", "allow"], ["nonsense"], [""]])
def test_a_move_that_the_lesson_does_not_take_is_refused_with_those_that_it_takes(moves: list[str]) -> None:
    with pytest.raises(ValueError, match=r"the lesson takes .* here, not "):
        take_lesson(COUP, COUP.lesson, moves)


def test_the_lesson_of_coup_has_five_moves_and_ends_in_a_bluff_that_is_caught_and_survived() -> None:
    moves = ["tax", "prove", "challenge", "block duke", "concede captain"]
    before = take_lesson(COUP, COUP.lesson, moves[:3]).state
    assert "duke" not in before.hands[0]  # so that the block is a bluff
    after = take_lesson(COUP, COUP.lesson, moves).state
    assert after.lost[0] == ("captain",)
    assert after.hands[0] == ("contessa",)
    assert after.turn == LEARNER
    with pytest.raises(ValueError, match="the lesson has 5 steps, not 6"):
        take_lesson(COUP, COUP.lesson, [*moves, "income"])
