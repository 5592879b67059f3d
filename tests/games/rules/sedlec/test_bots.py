"""The bot: it knows its view alone, always answers legally, and beats chance."""

import random

import msgspec
import pytest

from games.engine import SeededChance, know, replay
from games.rules.sedlec import RULES
from games.rules.sedlec.bot import promise, share, unseen
from games.rules.sedlec.pyramid import score
from tests.games.rules.sedlec.random_play import RandomGame
from tests.games.rules.sedlec.table import Table, position, rows
from tests.long import SCALE

pytestmark = pytest.mark.long

GAMES = 100 * SCALE


def duel(number: int, bot: int, seats: int = 2) -> tuple[int, ...]:
    """Return the winners of a game between a bot and players who answer at random."""
    luck, chance = random.Random(number), SeededChance(number.to_bytes(32, "big"), "duel")
    state = replay(RULES, RULES.setup(RULES.options(), seats, chance))
    while RULES.outcome(state) is None:
        (question,) = RULES.questions(state)
        moves = RULES.legal_moves(state, question)
        if question.seat == bot:
            move = RULES.bot_move(know(RULES, state, bot, tuple), question, moves, chance)
            assert move in moves
        else:
            move = luck.choice(moves)
        state = replay(RULES, RULES.decide(state, question.seat, move, chance), state)
    return RULES.outcome(state).winners


def test_the_bot_beats_a_random_one_in_at_least_80_percent_of_two_player_games():
    """2,000 games in ``make long``."""
    won = sum(duel(number, bot := number % 2 + 1) == (bot,) for number in range(GAMES))
    assert won >= 0.8 * GAMES


def test_the_bot_beats_two_random_ones_more_often_than_not():
    games = GAMES // 4
    won = sum(duel(number, bot := number % 3 + 1, 3) == (bot,) for number in range(games))
    assert won >= 0.6 * games


EIGHT = rows("- sinner/sinner", "lover/sinner sinner/sinner sinner/sinner", " ".join(["sinner/sinner"] * 4))


def test_the_bot_takes_the_last_card_that_makes_a_pair():
    table = position(pyramids=[EIGHT], face_up=["royal/sinner", "royal/royal", "sinner/lover", "peasant/peasant"])
    assert bot_answer(table) == "collect 3"


def test_the_bot_digs_where_what_lies_open_is_worth_nothing():
    table = position(
        pyramids=[EIGHT], face_up=["sinner/sinner", None, None], face_down=["", "lover/lover", "royal/royal"]
    )
    assert bot_answer(table) == "dig 2 3"


def test_the_bot_lays_a_royal_above_peasants():
    under = rows("- sinner/sinner", "sinner/sinner sinner/sinner sinner/sinner", " ".join(["peasant/sinner"] * 4))
    table = position(hands=["royal/sinner"], pyramids=[under])
    assert bot_answer(table) == "lay royal/sinner on 2.1"


def bot_answer(table: Table) -> str:
    """Return the bot's answer to the open question."""
    (question,) = RULES.questions(table.state)
    moves = RULES.legal_moves(table.state, question)
    knowledge = know(RULES, table.state, question.seat, tuple)
    return RULES.text(RULES.bot_move(knowledge, question, moves, SeededChance(bytes(32))))


@pytest.mark.parametrize("number", range(8))
def test_the_unseen_cards_are_those_that_lie_face_down(number):
    for _, state in RandomGame(number).steps():
        assert sorted(unseen(RULES.view(state, 1))) == sorted(sum(state.face_down, ()))


@pytest.mark.parametrize(("number", "seats"), [(1, 2), (2, 3)])
def test_the_shares_of_all_players_add_up_to_the_whole_game_and_the_winner_has_it_in_the_end(number, seats):
    game = RandomGame(number, seats).played()
    state = None
    for event in game.log:
        state = RULES.evolve(state, event)
        assert sum(share(state, seat) for seat in range(1, seats + 1)) == pytest.approx(1)
    assert share(state, RULES.outcome(state).winners[0]) == 1 / len(RULES.outcome(state).winners)


def test_who_is_ahead_has_the_greater_share_and_more_of_it_the_fewer_cards_are_to_come():
    one_card = position(pyramids=[rows("", "", "peasant/sinner"), rows("", "", "sinner/sinner")]).state
    eight = rows("- sinner/sinner", "sinner/sinner sinner/sinner sinner/sinner", " ".join(["sinner/sinner"] * 4))
    late = position(pyramids=[EIGHT, eight]).state
    assert 0.5 < share(one_card, 1) < share(late, 1) < 1
    assert share(msgspec.structs.replace(late, forfeited=(2,)), 1) == 1


@pytest.mark.parametrize("seats", [2, 3])
def test_whoever_has_just_taken_a_card_is_ahead_only_where_it_is_better_than_most(seats):
    state = Table(seats).state
    good, poor = (
        msgspec.structs.replace(state, hands=((card,), *state.hands[1:])) for card in ("royal/peasant", "sinner/sinner")
    )
    assert share(poor, 1) < share(state, 1) < share(good, 1)


def test_two_cards_in_hand_promise_the_same_in_either_order():
    priest = rows("", "", "priest/lover")
    first, second = (
        position(hands=[hand], pyramids=[priest]).state
        for hand in ("lover/lover lover/priest", "lover/priest lover/lover")
    )
    assert share(first, 1) == share(second, 1)


@pytest.mark.parametrize("number", range(8))
def test_a_full_pyramid_promises_exactly_its_points(number):
    game = RandomGame(number).played()
    for pyramid, laid in zip(game.state.pyramids, game.state.laid, strict=True):
        if laid == game.state.size:
            assert promise(pyramid, game.state.width) == score(pyramid).total
