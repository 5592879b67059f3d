"""Losing influence, going out, and the end of the game (section 4, C15, C16, C25)."""

import pytest
from msgspec.structs import replace

from games.engine import SPECTATOR, RuleViolation, SeatNumber
from games.rules.coup import RULES
from games.rules.coup.state import next_living
from tests.games.rules.coup.table import Table

DEAL = ["duke captain", "contessa captain", "duke assassin"]


@pytest.fixture(params=["first", "sealed"])
def answers(request) -> str:
    return request.param


def concession(seat: int, card: str, doubter: int) -> tuple[str, ...]:
    """A turn in which a seat exchanges, is challenged and gives the card up: it costs nothing else."""
    return f"{seat} exchange", f"{doubter} challenge", "rest allow", f"{seat} concede {card}"


def with_one_card(answers: str, seats: int = 3, **options: object) -> Table:
    """Seat 1 to move with 3 coins; seat 2 holds a captain alone and 2 coins; the rest have 3."""
    table = Table(seats, DEAL, answers=answers, **options)
    table.play("1 income", *concession(2, "contessa", 1))
    for seat in range(3, seats + 1):
        table.play(f"{seat} income")
    return table


def duel(answers: str) -> Table:
    """Two players; seat 1 to move with 2 coins and two cards, seat 2 with 2 coins and a captain alone."""
    table = Table(2, DEAL[:2], answers=answers, two_player_setup="dealt")
    return table.play("1 income", *concession(2, "contessa", 1))


def test_a_lost_influence_is_turned_up_in_front_of_its_owner_and_stays_there(answers):
    table = with_one_card(answers)
    assert table.lost == ("", "contessa", "")
    table.play("1 tax", "all allow", "2 income")
    assert table.lost == ("", "contessa", "")
    assert table.cards == (2, 1, 2)


def test_with_none_left_the_player_is_out_and_their_coins_go_to_the_treasury(answers):
    table = with_one_card(answers)
    treasury = table.treasury
    table.play("1 tax", "2 challenge", "rest allow").will_draw("duke").play("1 prove")
    assert (table.alive, table.turn, table.coins) == ((1, 3), 3, (6, 0, 3))
    assert table.treasury == treasury + 2 - 3
    assert table.lost[1] == "contessa captain"


def test_a_player_who_is_out_is_asked_nothing_and_cannot_resign(answers):
    table = with_one_card(answers).resign(2)
    table.play("1 tax")
    assert table.question_kinds() == {3: "challenge"}
    with pytest.raises(RuleViolation) as caught:
        RULES.resign(table.state, 2, table.chance)
    assert caught.value.code == "illegal"


def test_c15_a_thief_is_paid_although_the_targets_block_was_disproved_and_they_are_out(answers):
    table = with_one_card(answers).play("1 steal 2", "2 block ambassador", "rest allow", "3 challenge", "rest allow")
    assert table.offered(2) == ["concede"]
    treasury = table.treasury
    table.play("2 concede")
    assert (table.coins, table.treasury, table.alive) == ((5, 0, 3), treasury, (1, 3))


def test_c15_a_thief_is_paid_although_the_targets_challenge_failed_and_they_are_out(answers):
    table = with_one_card(answers).play("1 steal 2", "2 challenge", "rest allow")
    table.will_draw("captain").play("1 prove")
    assert (table.coins, table.alive, table.turn) == ((5, 0, 3), (1, 3), 3)


def test_c15_the_thief_gets_two_and_the_rest_goes_to_the_treasury(answers):
    table = Table(3, DEAL, answers=answers).play("1 income", *concession(2, "contessa", 1), "3 income")
    table.play("1 income", "2 tax", "all allow", "3 income")
    assert table.coins == (4, 5, 4)
    treasury = table.treasury
    table.play("1 steal 2", "2 challenge", "rest allow").will_draw("captain").play("1 prove")
    assert (table.coins, table.treasury) == ((6, 0, 4), treasury + 3)


def test_c15_the_thief_gets_one_where_there_was_only_one(answers):
    table = with_one_card(answers).play("1 income", "2 income", "3 steal 2", "all allow", "1 steal 2")
    assert table.coins == (4, 1, 5)
    table.play("2 challenge", "rest allow").will_draw("captain").play("1 prove")
    assert table.coins == (5, 0, 5)


def test_c15_an_assassination_of_a_player_already_out_does_nothing_more(answers):
    table = Table(3, ["assassin captain", *DEAL[1:]], answers=answers)
    table.play("1 income", *concession(2, "contessa", 1), "3 income")
    treasury = table.treasury
    table.play("1 assassinate 2", "2 challenge", "rest allow").will_draw("duke").play("1 prove")
    assert (table.coins, table.turn, table.cards) == ((0, 0, 3), 3, (2, 0, 2))
    assert table.treasury == treasury + 3 + 2


def test_c15_an_examination_of_a_player_already_out_does_nothing_more(answers):
    table = Table(3, ["inquisitor captain", *DEAL[1:]], answers=answers, inquisitor=True)
    table.play("1 income", *concession(2, "contessa", 1), "3 income")
    table.play("1 examine 2", "2 challenge", "rest allow").will_draw("duke").play("1 prove")
    assert (table.alive, table.turn) == ((1, 3), 3)


def test_c16_the_game_ends_the_moment_one_player_is_left(answers):
    table = duel(answers).play("1 tax", "2 challenge").will_draw("duke").play("1 prove")
    assert table.winner == 1
    assert table.question_kinds() == {}
    assert RULES.outcome(table.state).winners == (1,)


def test_c16_whatever_was_pending_is_dropped(answers):
    table = duel(answers)
    coins = table.coins[0]
    table.play("1 tax", "2 challenge").will_draw("duke").play("1 prove")
    assert table.coins[0] == coins


def test_c16_it_ends_after_the_first_of_two_losses(answers):
    table = Table(2, ["assassin duke", "captain captain"], answers=answers, two_player_setup="dealt")
    table.play("1 income", *concession(2, "captain", 1), "1 income", "2 income", "1 assassinate 2", "2 block contessa")
    table.play("1 challenge", "2 concede")
    assert table.winner == 1
    assert table.lost[1] == "captain captain"


def test_c16_a_double_loss_of_the_last_opponent_ends_the_game(answers):
    table = Table(2, ["assassin duke", "captain duke"], answers=answers, two_player_setup="dealt")
    table.play("1 income", "2 income", "1 income", "2 income", "1 assassinate 2", "2 block contessa", "1 challenge")
    table.play("2 concede")
    assert table.winner == 1
    assert table.cards == (2, 0)


def test_c16_the_actor_may_lose_the_game_by_their_own_bluff(answers):
    table = duel(answers).play("1 income", "2 tax", "1 challenge", "2 concede")
    assert table.winner == 1


def test_c16_there_is_no_second_place(answers):
    table = with_one_card(answers).resign(2).resign(1)
    assert RULES.outcome(table.state).winners == (3,)


def test_c16_nothing_can_be_played_or_resigned_once_the_game_is_over(answers):
    table = duel(answers).resign(2)
    table.too_late("1 income")
    for seat in (1, 2):
        with pytest.raises(RuleViolation) as caught:
            RULES.resign(table.state, seat, table.chance)
        assert caught.value.code == "illegal"


def test_c25_a_finished_claim_against_an_embezzler_replaces_then_costs_the_challenger_then_pays(answers):
    deal = ["captain assassin", "contessa captain", "duke duke"]
    table = Table(3, deal, answers=answers, reformation=True).play("1 empire", "1 convert", "2 convert", "3 convert")
    table.play("1 embezzle", "2 challenge", "rest allow").will_draw("contessa", "ambassador").play("1 prove")
    assert table.hand(1) == "ambassador contessa"
    assert table.question_kinds() == {2: "loss"}
    assert (table.coins[0], table.reserve) == (1, 3)
    table.play("2 lose captain")
    assert (table.coins[0], table.reserve, table.turn) == (4, 0, 2)


def test_c25_a_refund_goes_to_the_treasury_with_the_rest_if_the_loss_puts_its_owner_out(answers):
    table = Table(3, DEAL, answers=answers).play(*concession(1, "duke", 2), "2 income", "3 income")
    table.play("1 income", "2 income", "3 income")
    assert table.coins == (3, 4, 4)
    treasury = table.treasury
    table.play("1 assassinate 2", "3 challenge", "rest allow", "1 concede")
    assert (table.coins, table.treasury, table.alive) == ((0, 4, 4), treasury + 3, (2, 3))
    assert table.when(lambda view: view.seats[0].coins == 3) < table.when(lambda view: not view.seats[0].alive)


def test_c25_if_the_targets_going_out_ends_the_game_the_thief_is_paid_nothing(answers):
    table = duel(answers)
    coins = table.coins[0]
    table.play("1 steal 2", "2 challenge").will_draw("captain").play("1 prove")
    assert table.winner == 1
    assert table.coins[0] == coins


def test_c25_while_a_theft_is_pending_the_purse_of_a_target_who_is_out_stays_visible(answers):
    table = with_one_card(answers, 4).play("1 steal 2", "3 allow")
    treasury = table.treasury
    table.resign(2)
    assert table.question_kinds() == {4: "challenge"}
    assert table.alive == (1, 3, 4)
    assert (table.coins, table.treasury) == ((3, 2, 3, 3), treasury)
    table.play("4 allow")
    assert (table.coins, table.treasury) == ((5, 0, 3, 3), treasury)


def test_once_the_game_is_over_everything_is_open(answers):
    table = duel(answers).resign(2)
    for viewer in (1, 2, SPECTATOR):
        view = table.view(viewer)
        assert sorted(view.seats[0].hand) == ["captain", "duke"]
        assert view.winner == 1


@pytest.mark.parametrize("seat", [1, 2, 3])
def test_the_turn_goes_round_to_the_next_who_lives_and_to_nobody_where_none_does(seat: int) -> None:
    state = Table(3, DEAL).state
    assert next_living(state, SeatNumber(seat)) == seat % 3 + 1
    alone = replace(state, hands=tuple(hand if place == 2 else () for place, hand in enumerate(state.hands, start=1)))
    assert next_living(alone, SeatNumber(seat)) == 2
    with pytest.raises(LookupError, match="nobody"):
        next_living(replace(state, hands=((), (), ())), SeatNumber(seat))
