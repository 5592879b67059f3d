"""The one road of a move: from the door to the events."""

from datetime import timedelta

import pytest

from accounts.models import Account
from games.engine.validation import RuleViolation
from games.event_log import log_store
from games.event_log.log_store import decode
from games.models import Game, Move, OpenQuestion
from games.play import resolve, timeouts
from games.rules.registry import RULES
from tests.third_game import fist
from tests.third_game.table import (
    LATER,
    NOON,
    create_fist,
    fresh,
    lie,
    open_question,
    play,
    sent,
    state,
    truth,
    with_fist,
)

pytestmark = pytest.mark.django_db
__all__ = ["with_fist"]


@pytest.fixture
def game(maryam: Account, bahareh: Account) -> Game:
    return create_fist(maryam, bahareh)


def test_a_table_that_is_full_begins_and_asks_its_first_question(game: Game) -> None:
    assert game.state == Game.State.RUNNING
    question = game.open_questions.get()
    assert (question.seat, question.kind, question.question) == (1, "turn", "1.1")
    assert question.due_at == NOON + timedelta(days=2)
    assert game.version == len(log_store.read(game))


def test_a_move_is_stored_first_and_changes_nothing_until_it_is_resolved(game: Game) -> None:
    move = sent(game, 1, "claim 3")
    assert move.state == Move.State.RECEIVED
    assert fresh(game).version == game.version
    resolve.resolve(game.id, LATER)
    move.refresh_from_db()
    assert move.state == Move.State.APPLIED
    assert (move.first_event, move.last_event) == (game.version + 1, game.version + 1)
    assert [row.question for row in game.open_questions.all()] == ["2.1"]


def test_of_two_challengers_the_first_received_is_applied_and_the_other_told(
    maryam: Account, bahareh: Account, dariush: Account
) -> None:
    game = create_fist(maryam, bahareh, dariush)
    play(game, 1, f"claim {lie(game, 1)}")
    late = sent(game, 2, "doubt", LATER + timedelta(seconds=1))
    first = sent(game, 3, "doubt", LATER)
    resolve.resolve(game.id, LATER)
    first.refresh_from_db()
    late.refresh_from_db()
    assert first.state == Move.State.APPLIED
    assert (late.state, late.code) == (Move.State.REJECTED, "question-closed")
    assert state(game).winners == (3,)


def test_resolving_again_changes_nothing(game: Game) -> None:
    play(game, 1, "claim 3")
    before = log_store.read(fresh(game))
    resolve.resolve(game.id, LATER)
    resolve.resolve(game.id, LATER + timedelta(days=1))
    assert log_store.read(fresh(game)) == before


@pytest.mark.parametrize(
    ("text", "code"), [("claim 9", "illegal"), ("mumble", "malformed"), ("resign", "malformed"), ("claim", "malformed")]
)
def test_a_refused_move_says_why_and_changes_nothing(text: str, code: str, game: Game) -> None:
    move = play(game, 1, text)
    assert (move.state, move.code) == (Move.State.REJECTED, code)
    assert move.phrase
    assert fresh(game).version == game.version
    assert open_question(game, 1) == "1.1"


def test_a_second_answer_to_a_question_finds_it_closed(game: Game) -> None:
    play(game, 1, "claim 3")
    assert play(game, 1, "claim 3", question="1.1").code == "question-closed"
    assert play(game, 1, "claim 3", question="1.7").code == "question-closed"
    assert play(game, 1, "allow", question="2.1").code == "question-closed"


def test_a_number_that_is_sent_as_a_text_is_no_number() -> None:
    move_type = RULES["coup"].move_type
    assert decode(move_type, '{"type": "steal", "target": 2}', "1.1").target == 2
    for target in ('"2"', "2.0", "true", "[2]"):
        with pytest.raises(RuleViolation, match="This isn’t a move of this game"):
            decode(move_type, f'{{"type": "steal", "target": {target}}}', "1.1")


def test_resigning_takes_two_words_and_no_question(game: Game) -> None:
    assert play(game, 2, "resign yes", question="").state == Move.State.APPLIED
    assert fresh(game).state == Game.State.OVER
    assert fresh(game).ended_at == LATER
    assert not OpenQuestion.objects.filter(game=game).exists()


def test_an_answer_after_its_time_comes_too_late_even_before_the_clock_has_played(game: Game) -> None:
    due = game.open_questions.get().due_at
    assert play(game, 1, "claim 3", due + timedelta(seconds=1)).code == "question-closed"
    assert play(game, 1, "claim 3", due).state == Move.State.APPLIED


def test_what_was_received_in_time_counts_however_late_it_is_resolved(game: Game) -> None:
    due = game.open_questions.get().due_at
    move = sent(game, 1, f"claim {lie(game, 1)}", due - timedelta(seconds=1))
    timeouts.sweep(due + timedelta(hours=1))
    move.refresh_from_db()
    assert move.state == Move.State.APPLIED
    assert state(game).claims == (lie(game, 1),)


def test_a_game_is_played_to_its_end(game: Game) -> None:
    for seat in (1, 2):
        play(game, seat, f"claim {truth(game, seat)}")
        play(game, 3 - seat, "allow")
    assert fresh(game).state == Game.State.OVER
    assert isinstance(log_store.read(fresh(game))[-2].event, fist.Won)
