"""500 random games, twenty times as many in ``make long``: all end, no card is lost."""

from collections import Counter

import msgspec
import pytest

from games.rules.sedlec import RULES
from games.rules.sedlec.pyramid import score
from tests.examples import for_each
from tests.games.rules.sedlec.random_play import RandomGame
from tests.long import SCALE

pytestmark = pytest.mark.long

GAMES = 500 * SCALE
PARTS = 10


def check(state) -> None:
    """Check the invariants after every event."""
    laid = [card for pyramid in state.pyramids for row in pyramid for card in row if card is not None]
    up = [card for card in state.face_up if card is not None]
    everywhere = Counter([*sum(state.face_down, ()), *up, *sum(state.hands, ()), *laid])
    assert everywhere == Counter(state.deck)
    for hand, pyramid, count in zip(state.hands, state.pyramids, state.laid, strict=True):
        assert len(hand) <= 2
        assert count == sum(card is not None for row in pyramid for card in row)
        assert count + len(hand) <= state.size
        bottom, middle, upper = pyramid
        assert None not in bottom
        assert len(bottom) <= state.width
        assert (len(middle), len(upper)) == (max(0, len(bottom) - 1), max(0, len(bottom) - 2))
    for up_card, pile in zip(state.face_up, state.face_down, strict=True):
        assert len(pile) + (up_card is not None) <= 3


def check_question(state) -> None:
    """Check that the game, where it waits, asks one seat, which is in the game, has room, and has an answer."""
    questions = RULES.questions(state)
    if RULES.outcome(state) is not None:
        assert questions == ()
        return
    (question,) = questions
    assert question.seat == state.turn
    assert question.seat not in state.forfeited
    assert state.laid[question.seat - 1] < state.size
    moves = RULES.legal_moves(state, question)
    assert moves
    if question.kind == "turn" and question.reason != "turn":
        assert {RULES.text(move).split()[0] for move in moves} == {"lay"}


@for_each("part", range(PARTS))
def test_every_game_ends_and_no_card_is_lost(part):
    for number in range(part * GAMES // PARTS, (part + 1) * GAMES // PARTS):
        game = RandomGame(number)
        requests = []
        for _, state in game.steps():
            check(state)
            if state.question is not None and state.question.id not in requests[-1:]:
                requests.append(state.question.id)
        state = game.state
        assert len(set(requests)) == len(requests)
        assert len(game.log) < 120
        outcome = RULES.outcome(state)
        assert not set(outcome.winners) & set(state.forfeited)
        if len(state.forfeited) < game.seats:
            assert set(state.laid) == {state.size}
            assert outcome.winners
            best = max(score(state.pyramids[s - 1]).total for s in range(1, game.seats + 1) if s not in state.forfeited)
            assert {score(state.pyramids[seat - 1]).total for seat in outcome.winners} == {best}
        else:
            assert outcome.winners == ()


@for_each("number", range(60))
def test_the_game_asks_one_seat_at_a_time_and_there_is_always_an_answer(number):
    game = RandomGame(number)
    for event, state in game.steps():
        if type(event).__name__ in ("TurnBegan", "GameEnded") and not getattr(event, "forfeited", False):
            check_question(state)


def test_a_state_is_small_enough_for_its_row():
    for number in range(20):
        for _, state in RandomGame(number).steps():
            assert len(msgspec.json.encode(state)) < 1_900


def test_both_numbers_of_players_clocks_and_people_who_give_up_all_occur():
    games = [RandomGame(number).played() for number in range(60)]
    assert {game.seats for game in games} == {2, 3}
    assert any(game.state.forfeited for game in games)
    assert any(RULES.outcome(game.state).winners == () for game in games)
    assert any(len(RULES.outcome(game.state).winners) == 1 for game in games)
