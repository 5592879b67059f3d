"""The lesson of Sedlec, and the help in a first game."""

from games.engine.lesson import LEARNER, take_lesson
from games.rules.sedlec import RULES
from games.rules.sedlec.pyramid import HALVES, score
from games.rules.sedlec.state import State
from games.rules.sedlec.views import face_down
from tests.games.rules.sedlec.table import Table


def risks(state: State) -> list[str]:
    """Return the sentences about the risk of the answers to the open question."""
    [question] = RULES.questions(state)
    return [str(risk) for risk in RULES.words.coaching.risks(RULES.view(state, question.seat), question)]


def test_the_lesson_ends_with_the_ten_points_that_its_last_text_counts() -> None:
    position = take_lesson(RULES, RULES.lesson, [step.takes[0] for step in RULES.lesson.steps])
    points = score(position.state.pyramids[LEARNER - 1])
    assert (points.total, points.lover, points.sinner, points.priest) == (10, 6, 2, 2)
    assert "10 points: 6 for a pair of lovers" in str(RULES.lesson.end)


def test_digging_has_the_odds_of_a_lover_among_the_face_down_cards() -> None:
    table = Table(2, "lover/lover lover/royal")
    hidden = face_down(table.state)
    lovers = sum("lover" in HALVES[card] for card in hidden)
    assert f"{lovers} of the 17 face-down cards have a lover" in risks(table.state)[0]


def test_a_dig_and_a_full_hand_say_what_the_choice_risks() -> None:
    table = Table(2).play("1 dig 2 3")
    assert risks(table.state) == ["The card that you leave stays face up: the next player can collect it."]
    table.play("1 take 2", "2 collect 3", "1 collect 1", "2 dig 4 5", "2 take 4")
    assert risks(table.state)[0].startswith("A card never moves once it’s laid.")
