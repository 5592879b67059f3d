"""Giving up in the middle of things: actor, bystander, target (C17, C29)."""

import pytest

from games.engine import SPECTATOR
from tests.games.rules.coup.table import Table

DEAL = ["duke assassin", "contessa captain", "duke captain", "contessa ambassador"]


@pytest.fixture(params=["first", "sealed"])
def answers(request) -> str:
    return request.param


def four(answers: str, coins: int = 2, deal: list[str] = DEAL, **options: object) -> Table:
    """Return a table of four at the turn of seat 1 with a number of coins, and others with about as many."""
    table = Table(4, deal, answers=answers, **options)
    while table.coins[0] < coins:
        table.play("1 tax" if coins - table.coins[0] >= 3 else "1 income", "all allow")
        table.play("2 income", "3 income", "4 income")
    return table


def test_c17_cards_are_turned_up_and_coins_go_to_the_treasury(answers):
    table = four(answers).resign(3)
    assert sorted(table.lost[2].split()) == ["captain", "duke"]
    assert (table.coins, table.treasury, table.alive) == ((2, 2, 0, 2), 44, (1, 2, 4))
    assert table.turn == 1


def test_c17_it_takes_effect_at_once_also_when_nothing_is_asked_of_the_one_who_resigns(answers):
    table = four(answers).play("1 tax", "3 allow").resign(3)
    assert table.alive == (1, 2, 4)
    assert table.question_kinds() == {2: "challenge", 4: "challenge"}


def test_c17_a_turn_question_whose_targets_change_is_asked_anew(answers):
    table = four(answers)
    before = table.question(1).id
    table.resign(3)
    assert table.question(1).id != before
    assert table.targets(1, "steal") == [2, 4]
    table.too_late("1 steal 3")
    table.too_late("1 income")


def test_c17_the_question_put_to_a_bystander_vanishes_and_the_window_may_close_by_it(answers):
    table = four(answers).play("1 tax", "2 allow", "4 allow").resign(3)
    assert (table.coins, table.turn) == ((5, 2, 0, 2), 2)


def test_c17_what_was_asked_of_one_who_resigned_can_no_longer_be_answered(answers):
    table = four(answers).play("1 tax").resign(2)
    table.too_late("2 challenge")
    table.too_late("2 allow")


def test_c17_a_hidden_challenge_in_an_open_window_is_withdrawn():
    table = four("sealed").play("1 tax", "3 challenge").resign(3)
    table.play("2 allow", "4 allow")
    assert (table.coins[0], table.turn) == (5, 2)


def test_c17_of_two_hidden_challengers_the_other_counts_when_one_resigns():
    table = four("sealed").play("1 tax", "2 challenge", "4 challenge").resign(2).play("3 allow")
    assert table.question_kinds() == {1: "proof"}
    assert table.challenger == 4


def test_c17_a_hidden_block_in_an_open_block_window_is_withdrawn():
    table = four("sealed").play("1 foreign-aid", "3 block duke").resign(3).play("2 allow", "4 allow")
    assert (table.coins[0], table.turn) == (4, 2)


def test_c17_a_hidden_block_in_an_open_challenge_window_is_withdrawn(answers):
    table = four(answers).play("1 steal 2", "2 block captain").resign(2).play("3 allow", "4 allow")
    assert (table.coins, table.turn) == ((4, 0, 2, 2), 3)


def test_c17_an_actor_who_resigns_instead_of_acting_ends_the_turn(answers):
    table = four(answers).resign(1)
    assert (table.alive, table.turn) == ((2, 3, 4), 2)


@pytest.mark.parametrize("action", ["tax", "steal 3", "exchange", "foreign-aid", "assassinate 2"])
def test_c17_an_actors_action_is_void_and_everything_asked_about_it_closes(answers, action):
    table = four(answers, 3).play(f"1 {action}")
    others = table.coins[1:]
    table.resign(1)
    assert table.question_kinds() == {2: "turn"}
    assert (table.coins[0], table.coins[1:]) == (0, others)
    assert table.cards == (0, 2, 2, 2)
    table.too_late("2 allow")


def test_c17_nothing_is_refunded_to_an_actor_who_resigns(answers):
    table = four(answers, 3).play("1 assassinate 2")
    treasury = table.treasury
    table.resign(1)
    assert table.treasury == treasury


def test_c17_an_actor_who_is_challenged_and_resigns_costs_the_challenger_nothing(answers):
    table = four(answers).play("1 tax", "2 challenge", "rest allow").resign(1)
    assert (table.cards, table.turn) == ((0, 2, 2, 2), 2)


def test_c17_a_block_need_not_be_proved_when_the_actor_resigns(answers):
    table = four(answers).play("1 foreign-aid", "2 block duke", "rest allow", "3 challenge", "rest allow")
    assert table.question_kinds() == {2: "proof"}
    table.resign(1)
    assert (table.question_kinds(), table.cards) == ({2: "turn"}, (0, 2, 2, 2))


def test_c17_a_block_window_closes_when_the_actor_resigns(answers):
    table = four(answers).play("1 foreign-aid", "2 block duke", "rest allow").resign(1)
    assert table.question_kinds() == {2: "turn"}


def test_c17_cards_drawn_for_an_exchange_go_back_to_the_court_when_the_actor_resigns(answers):
    table = four(answers).play("1 exchange").will_draw("assassin", "duke").play("all allow").resign(1)
    assert (table.court, table.turn) == (7, 2)
    table.play("2 exchange").will_draw("assassin", "duke").play("all allow")
    assert sorted(table.lost[0].split()) == ["assassin", "duke"]


def test_c17_a_card_need_not_be_shown_when_the_inquisitor_resigns(answers):
    deal = ["inquisitor duke", "contessa captain"]
    table = four(answers, deal=deal, inquisitor=True).play("1 examine 2", "all allow").resign(1)
    assert (table.question_kinds(), table.hand(2)) == ({2: "turn"}, "captain contessa")


def test_c17_a_card_shown_goes_back_when_the_inquisitor_resigns(answers):
    deal = ["inquisitor duke", "contessa captain"]
    table = four(answers, deal=deal, inquisitor=True).play("1 examine 2", "all allow", "2 show captain").resign(1)
    assert (table.question_kinds(), table.hand(2), table.court) == ({2: "turn"}, "captain contessa", 7)


def test_c17_a_blocker_who_resigns_in_the_window_lets_the_action_go_on(answers):
    table = four(answers).play("1 foreign-aid", "3 block duke", "rest allow").resign(3)
    assert (table.coins, table.turn) == ((4, 2, 0, 2), 2)


def test_c17_a_blocker_who_resigns_instead_of_proving_lets_the_action_go_on(answers):
    table = four(answers).play("1 foreign-aid", "3 block duke", "rest allow", "2 challenge", "rest allow").resign(3)
    assert (table.coins, table.turn, table.cards) == ((4, 2, 0, 2), 2, (2, 2, 0, 2))


@pytest.mark.parametrize("challenged", [True, False])
def test_c17_a_robbed_blocker_who_resigns_still_pays(answers, challenged):
    table = four(answers).play("1 steal 2", "2 block captain", "rest allow")
    if challenged:
        table.play("3 challenge", "rest allow")
    table.resign(2)
    assert (table.coins, table.turn, table.cards) == ((4, 0, 2, 2), 3, (2, 0, 2, 2))


def test_c17_an_assassins_target_who_blocks_and_resigns_is_simply_out(answers):
    table = four(answers, 3).play("1 assassinate 2", "2 block contessa", "rest allow").resign(2)
    assert (table.coins, table.turn) == ((0, 0, 3, 3), 3)


def test_c17_a_challenger_who_resigns_leaves_the_claim_as_if_proved_but_unshown(answers):
    table = four(answers).play("1 tax", "3 challenge", "rest allow")
    mark = table.mark
    table.resign(3)
    assert (table.coins, table.hand(1), table.turn) == ((5, 2, 0, 2), "assassin duke", 2)
    assert "assassin" not in table.encoded_events(2, mark)


def test_c17_nobody_else_may_challenge_the_claim_of_a_challenger_who_resigned(answers):
    table = four(answers).play("1 steal 2", "3 challenge", "rest allow").resign(3)
    assert table.question_kinds() == {2: "block"}
    assert sorted(table.offered(2)) == ["allow", "block ambassador", "block captain"]


def test_c17_blocks_given_before_have_lapsed_when_the_challenger_resigns(answers):
    table = four(answers).play("1 steal 2", "2 block captain", "3 challenge", "rest allow").resign(3)
    assert table.question_kinds() == {2: "block"}
    table.play("2 allow")
    assert table.coins == (4, 0, 0, 2)


def test_c17_a_target_who_challenged_a_theft_and_resigns_still_pays(answers):
    table = four(answers).play("1 steal 2", "2 challenge", "rest allow").resign(2)
    assert (table.coins, table.turn, table.hand(1)) == ((4, 0, 2, 2), 3, "assassin duke")


def test_c17_a_challenger_of_a_block_who_resigns_leaves_the_block_standing(answers):
    table = four(answers).play("1 steal 2", "2 block captain", "rest allow", "3 challenge", "rest allow").resign(3)
    assert (table.coins, table.turn, table.hand(2)) == ((2, 2, 0, 2), 2, "captain contessa")


def test_c17_an_embezzlers_challenger_who_resigns_leaves_them_the_reserve_unshown(answers):
    table = Table(4, DEAL, answers=answers, reformation=True)
    table.play("1 empire", "1 convert", "2 embezzle", "3 challenge", "rest allow").resign(3)
    assert (table.coins, table.reserve, table.hand(2)) == ((1, 3, 0, 2), 0, "captain contessa")
    assert table.turn == 4


def test_c17_a_robbed_target_who_resigns_leaves_the_challenge_window_to_the_others(answers):
    table = four(answers).play("1 steal 2").resign(2)
    assert table.question_kinds() == {3: "challenge", 4: "challenge"}
    table.play("all allow")
    assert (table.coins, table.turn) == ((4, 0, 2, 2), 3)


def test_c17_a_robbed_target_who_resigns_as_the_last_to_answer_closes_the_window(answers):
    table = four(answers).play("1 steal 2", "3 allow", "4 allow").resign(2)
    assert (table.coins, table.turn) == ((4, 0, 2, 2), 3)


def test_c17_the_claim_against_a_target_who_resigned_can_still_be_disproved(answers):
    table = four(answers).play("1 steal 2").resign(2)
    table.play("4 challenge", "rest allow", "1 concede duke")
    assert (table.coins, table.treasury, table.cards) == ((2, 0, 2, 2), 44, (1, 0, 2, 2))
    assert table.turn == 3


def test_c17_an_assassination_of_a_target_who_resigned_can_still_be_disproved_with_refund(answers):
    table = four(answers, 3).play("1 assassinate 2").resign(2)
    table.play("3 challenge", "rest allow", "1 concede duke")
    assert (table.coins, table.cards, table.turn) == ((3, 0, 3, 3), (1, 0, 2, 2), 3)


def test_c17_an_assassination_of_a_target_who_resigned_does_nothing_more(answers):
    table = four(answers, 3).play("1 assassinate 2").resign(2).play("all allow")
    assert (table.coins, table.cards, table.turn) == ((0, 0, 3, 3), (2, 0, 2, 2), 3)


def test_c17_a_proof_owed_to_a_third_goes_on_when_the_target_resigns(answers):
    table = four(answers, deal=["captain assassin", *DEAL[1:]])
    table.play("1 steal 2", "3 challenge", "rest allow").resign(2)
    assert table.question_kinds() == {1: "proof"}
    table.will_draw("captain").play("1 prove", "3 lose duke")
    assert (table.coins, table.cards, table.turn) == ((4, 0, 2, 2), (2, 0, 1, 2), 3)


def test_c17_a_robbed_target_who_resigns_in_the_block_window_pays(answers):
    table = four(answers, deal=["captain assassin", *DEAL[1:]])
    table.play("1 steal 2", "3 challenge", "rest allow").will_draw("captain").play("1 prove", "3 lose duke").resign(2)
    assert (table.coins, table.turn) == ((4, 0, 2, 2), 3)


def test_c17_a_thief_who_resigns_after_the_target_leaves_that_purse_to_the_treasury(answers):
    table = four(answers).play("1 steal 2").resign(2)
    assert table.coins == (2, 2, 2, 2)
    table.resign(1)
    assert (table.coins, table.treasury, table.turn) == ((0, 0, 2, 2), 46, 3)


def test_c17_a_player_may_resign_in_the_draft_and_the_other_has_won(answers):
    table = Table(2, answers=answers).play("1 pick duke").resign(2)
    assert (table.winner, table.question_kinds()) == (1, {})


def test_c17_an_examined_target_who_resigns_ends_the_examination(answers):
    deal = ["inquisitor duke", "contessa captain"]
    for lines in ([], ["2 show captain"]):
        table = four(answers, deal=deal, inquisitor=True).play("1 examine 2", "all allow", *lines).resign(2)
        assert (table.turn, table.alive) == (3, (1, 3, 4))
        assert sorted(table.lost[1].split()) == ["captain", "contessa"]


def test_c17_a_player_who_owes_a_card_and_resigns_loses_both(answers):
    table = four(answers, 7).play("1 coup 2").resign(2)
    assert (table.alive, table.turn) == ((1, 3, 4), 3)


def test_c17_a_challenger_who_resigns_instead_of_choosing_a_card_leaves_the_claim_proved(answers):
    deal = ["captain assassin", *DEAL[1:]]
    table = four(answers, deal=deal).play("1 steal 2", "3 challenge", "rest allow").will_draw("captain")
    table.play("1 prove").resign(3)
    assert table.question_kinds() == {2: "block"}
    table = four(answers, deal=deal).play("1 steal 2", "2 challenge", "rest allow").will_draw("captain")
    table.play("1 prove").resign(2)
    assert (table.coins, table.turn) == ((4, 0, 2, 2), 3)


def test_c17_a_robbed_blocker_who_resigns_after_the_proof_still_pays(answers):
    table = four(answers).play("1 steal 2", "2 block captain", "rest allow", "3 challenge", "rest allow")
    table.will_draw("captain").play("2 prove").resign(2)
    assert table.question_kinds() == {3: "loss"}
    table.play("3 lose duke")
    assert (table.coins, table.cards, table.turn) == ((4, 0, 2, 2), (2, 0, 1, 2), 3)


def test_c17_then_the_game_may_be_over(answers):
    table = four(answers).resign(2).resign(4).resign(1)
    assert table.winner == 3
    assert table.view(SPECTATOR).winner == 3


def test_c29_a_card_being_chosen_after_a_coup_is_still_lost_when_the_actor_resigns(answers):
    table = four(answers, 7).play("1 coup 3").resign(1)
    assert table.question_kinds() == {3: "loss"}
    table.play("3 lose duke")
    assert (table.cards, table.turn) == ((0, 2, 1, 2), 2)


def test_c29_a_card_being_chosen_after_an_assassination_is_still_lost_when_the_actor_resigns(answers):
    table = four(answers, 3).play("1 assassinate 3", "all allow").resign(1)
    assert table.question_kinds() == {3: "loss"}
    table.play("3 lose duke")
    assert (table.cards, table.turn) == ((0, 2, 1, 2), 2)


def test_c29_a_card_being_chosen_after_a_lost_challenge_is_still_lost_and_the_action_void(answers):
    table = four(answers).play("1 tax", "3 challenge", "rest allow").will_draw("duke").play("1 prove").resign(1)
    assert table.question_kinds() == {3: "loss"}
    table.play("3 lose duke")
    assert (table.cards, table.coins, table.turn) == ((0, 2, 1, 2), (0, 2, 2, 2), 2)


def test_c29_a_card_being_chosen_is_still_lost_when_the_blocker_resigns_and_the_action_goes_on(answers):
    table = four(answers).play("1 foreign-aid", "3 block duke", "rest allow", "2 challenge", "rest allow")
    table.will_draw("duke").play("3 prove").resign(3)
    assert table.question_kinds() == {2: "loss"}
    table.play("2 lose captain")
    assert (table.cards, table.coins, table.turn) == ((2, 1, 0, 2), (4, 2, 0, 2), 2)


def test_c29_a_card_being_chosen_is_still_lost_when_the_target_resigns_and_the_thief_is_paid(answers):
    table = four(answers, deal=["captain assassin", *DEAL[1:]]).play("1 steal 2", "3 challenge", "rest allow")
    table.will_draw("captain").play("1 prove").resign(2)
    assert table.question_kinds() == {3: "loss"}
    table.play("3 lose duke")
    assert (table.cards, table.coins, table.turn) == ((2, 0, 1, 2), (4, 0, 2, 2), 3)


def test_c29_a_bystander_who_resigns_does_not_disturb_a_card_being_chosen(answers):
    table = four(answers, 7).play("1 coup 3").resign(4)
    table.play("3 lose duke")
    assert (table.cards, table.turn) == ((2, 2, 1, 0), 2)


@pytest.mark.parametrize(
    ("luck", "parties"), [("empire", ("resistance", "empire")), ("resistance", ("empire", "resistance"))]
)
def test_c29_a_starter_who_resigns_instead_of_choosing_a_party_gets_one_by_lot(answers, luck, parties):
    table = Table(3, DEAL[:3], answers=answers, reformation=True).will_draw(luck).resign(1)
    assert table.parties[1:] == parties
    assert table.turn == 2


def test_c29_an_exchange_cut_short_returns_its_drawn_cards(answers):
    table = four(answers).play("1 exchange").will_draw("contessa", "captain").play("all allow")
    assert table.court == 5
    table.resign(1)
    assert table.court == 7


def test_c16_a_robbed_player_who_resigns_as_the_last_opponent_leaves_no_purse_behind(answers):
    table = Table(2, ["duke captain", "contessa ambassador"], two_player_setup="dealt", answers=answers)
    before = sum(table.coins) + table.treasury
    table.play("1 steal 2").resign(2)
    assert (table.alive, table.coins[1]) == ((1,), 0)
    assert sum(table.coins) + table.treasury == before


def test_c16_a_robbed_player_whose_wrong_challenge_ends_the_game_leaves_no_purse_behind(answers):
    table = Table(2, ["duke captain", "contessa ambassador"], two_player_setup="dealt", answers=answers)
    table.play("1 steal 2", "2 challenge").will_draw("captain").play("1 prove", "2 lose contessa", "2 allow")
    table.play("2 income", "1 steal 2", "2 challenge").will_draw("captain").play("1 prove")
    assert (table.alive, table.coins[1]) == ((1,), 0)


@pytest.fixture
def robbed(answers) -> Table:
    """Seat 1 has one card left and robs seat 2, who resigns while the challenge window is open."""
    table = Table(3, ["duke assassin", "contessa contessa", "ambassador ambassador"], answers=answers)
    table.play("1 exchange", "2 challenge", "rest allow", "1 concede duke", "2 income", "3 income")
    return table.play("1 steal 2").resign(2)


def test_c16_a_thief_whose_concession_ends_the_game_leaves_the_robbed_purse_to_the_treasury(robbed):
    before = sum(robbed.coins) + robbed.treasury
    robbed.play("3 challenge", "1 concede")
    assert (robbed.winner, robbed.coins[:2]) == (3, (0, 0))
    assert sum(robbed.coins) + robbed.treasury == before


def test_c16_a_thief_who_resigns_too_and_ends_the_game_leaves_the_robbed_purse_to_the_treasury(robbed):
    before = sum(robbed.coins) + robbed.treasury
    robbed.resign(1)
    assert (robbed.winner, robbed.coins[:2]) == (3, (0, 0))
    assert sum(robbed.coins) + robbed.treasury == before


def test_c16_a_thief_who_is_left_alone_does_not_get_the_robbed_purse_any_more(robbed):
    coins = robbed.coins[0]
    robbed.resign(3)
    assert (robbed.winner, robbed.coins) == (1, (coins, 0, 0))


def owing_a_card(answers: str) -> Table:
    """Seat 3 has challenged a theft from seat 2 in vain and chooses a card to lose."""
    table = four(answers, deal=["captain assassin", *DEAL[1:]])
    return table.play("1 steal 2", "3 challenge", "rest allow").will_draw("captain").play("1 prove")


def test_c15_the_purse_of_a_target_who_is_out_goes_to_the_treasury_as_soon_as_the_theft_is_void(answers):
    table = owing_a_card(answers).resign(2)
    assert table.coins == (2, 2, 2, 2)
    table.resign(1)
    assert (table.question_kinds(), table.coins) == ({3: "loss"}, (0, 0, 2, 2))


def test_c15_the_target_of_a_void_theft_who_resigns_leaves_their_coins_at_once(answers):
    table = owing_a_card(answers).resign(1)
    assert table.question_kinds() == {3: "loss"}
    table.resign(2)
    assert (table.question_kinds(), table.coins) == ({3: "loss"}, (0, 0, 2, 2))
