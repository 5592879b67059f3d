"""The table of actions, row by row, with costs and limits (section 2, C3, C4)."""

import pytest

from tests.games.rules.coup.table import Table

DEAL = ["duke assassin", "captain contessa", "ambassador duke"]


def rich(coins: int, seats: int = 3, deal: list[str] = DEAL, **options: object) -> Table:
    """Return a table at the turn of seat 1 with a number of coins (2 to about 10). Others have a few more than two."""
    table = Table(seats, deal, **options)
    if options.get("reformation"):
        table.play("1 empire")
    while table.coins[0] < coins:
        table.play("1 tax" if coins - table.coins[0] >= 3 else "1 income", "all allow")
        while table.turn != 1:
            table.play(f"{table.turn} income")
    assert table.coins[0] == coins
    return table


def test_an_action_must_be_chosen_and_there_is_no_passing():
    assert set(Table(3, DEAL).offered(1)) == {"income", "foreign-aid", "tax", "steal 2", "steal 3", "exchange"}


def test_exactly_one_action_a_turn():
    table = Table(3, DEAL).play("1 income")
    assert table.turn == 2
    table.too_late("1 income")


def test_income_takes_one_coin_from_the_treasury():
    table = Table(3, DEAL).play("1 income")
    assert (table.coins, table.treasury) == ((3, 2, 2), 43)


def test_foreign_aid_takes_two_coins():
    table = Table(3, DEAL).play("1 foreign-aid", "all allow")
    assert (table.coins, table.treasury, table.turn) == ((4, 2, 2), 42, 2)


def test_foreign_aid_is_blocked_by_any_opponents_duke():
    table = Table(3, DEAL).play("1 foreign-aid")
    assert sorted(table.offered(2)) == sorted(table.offered(3)) == ["allow", "block duke"]
    table.play("3 block duke", "rest allow", "all allow")
    assert (table.coins, table.turn) == ((2, 2, 2), 2)


def test_a_coup_costs_seven_and_takes_an_influence():
    table = rich(7).play("1 coup 2")
    assert table.coins[0] == 0
    assert table.question_kinds() == {2: "loss"}
    assert sorted(table.offered(2)) == ["lose captain", "lose contessa"]
    table.play("2 lose captain")
    assert (table.lost, table.cards, table.turn) == (("", "captain", ""), (2, 1, 2), 2)


def test_tax_takes_three_coins():
    table = Table(3, DEAL).play("1 tax", "all allow")
    assert (table.coins, table.treasury) == ((5, 2, 2), 41)


def test_an_assassination_costs_three_and_takes_an_influence():
    table = rich(3).play("1 assassinate 3")
    assert table.coins[0] == 0
    table.play("all allow")
    assert table.question_kinds() == {3: "loss"}
    table.play("3 lose duke")
    assert table.lost == ("", "", "duke")
    assert table.turn == 2


def test_an_assassination_is_blocked_by_the_targets_contessa():
    table = rich(3).play("1 assassinate 2", "2 block contessa", "all allow", "all allow")
    assert table.cards == (2, 2, 2)
    assert table.coins[0] == 0


def test_stealing_takes_two_coins_from_the_target():
    table = Table(3, DEAL).play("1 steal 2", "all allow")
    assert (table.coins, table.treasury) == ((4, 0, 2), 44)


def test_stealing_takes_one_coin_where_there_is_only_one():
    table = Table(3, DEAL).play("1 steal 2", "all allow", "2 income")
    assert table.coins == (4, 1, 2)
    table.play("3 steal 2", "all allow")
    assert (table.coins, table.treasury) == ((4, 0, 3), 43)


@pytest.mark.parametrize("character", ["captain", "ambassador"])
def test_stealing_is_blocked_by_the_targets_captain_or_ambassador(character):
    table = Table(3, DEAL).play("1 steal 2")
    assert sorted(table.offered(2)) == ["allow", "block ambassador", "block captain", "challenge"]
    table.play(f"2 block {character}", "rest allow", "all allow")
    assert (table.coins, table.turn) == ((2, 2, 2), 2)


def test_stealing_is_blocked_by_the_inquisitor_where_he_plays():
    table = Table(3, ["duke duke", "captain inquisitor"], inquisitor=True).play("1 steal 2")
    assert sorted(table.offered(2)) == ["allow", "block captain", "block inquisitor", "challenge"]
    table.play("2 block inquisitor", "rest allow", "all allow")
    assert table.coins == (2, 2, 2)


def test_an_exchange_draws_two_keeps_as_many_as_held_and_returns_two():
    table = Table(3, DEAL).play("1 exchange")
    table.will_draw("captain", "contessa").play("all allow")
    assert table.question_kinds() == {1: "exchange"}
    assert sorted(table.offered(1)) == [
        "keep assassin captain",
        "keep assassin contessa",
        "keep assassin duke",
        "keep captain contessa",
        "keep captain duke",
        "keep contessa duke",
    ]
    table.play("1 keep captain contessa")
    assert (table.hand(1), table.court, table.turn) == ("captain contessa", 9, 2)


def test_an_exchange_with_one_card_keeps_one_of_three():
    table = rich(7, deal=["duke assassin", "captain contessa", "ambassador duke"])
    table.play("1 coup 3", "3 lose duke", "2 income", "3 exchange")
    table.will_draw("captain", "captain").play("all allow")
    assert sorted(table.offered(3)) == ["keep ambassador", "keep captain"]
    table.play("3 keep captain")
    assert (table.hand(3), table.court) == ("captain", 9)


def test_cards_returned_from_an_exchange_can_be_drawn_again():
    table = Table(3, ["duke duke", "captain contessa", "ambassador duke"]).play("1 exchange")
    table.will_draw("captain", "contessa").play("all allow", "1 keep captain contessa", "2 exchange")
    table.will_draw("duke", "duke").play("all allow")
    assert "keep duke duke" in table.offered(2)


def test_the_inquisitors_exchange_draws_one_and_returns_one():
    table = Table(3, ["inquisitor duke", "captain contessa"], inquisitor=True).play("1 exchange")
    table.will_draw("assassin").play("all allow")
    assert sorted(table.offered(1)) == ["keep assassin duke", "keep assassin inquisitor", "keep duke inquisitor"]
    table.play("1 keep assassin duke")
    assert (table.hand(1), table.court) == ("assassin duke", 9)


def test_an_examination_lets_the_inquisitor_give_the_card_back_or_swap_it():
    table = Table(3, ["inquisitor duke", "captain contessa"], inquisitor=True).play("1 examine 2", "all allow")
    assert table.question_kinds() == {2: "show"}
    table.play("2 show captain")
    assert table.question_kinds() == {1: "examine"}
    assert sorted(table.offered(1)) == ["return", "swap"]
    table.play("1 return")
    assert (table.hand(2), table.turn) == ("captain contessa", 2)


def test_examining_and_exchanging_as_inquisitor_meet_no_block():
    table = Table(3, ["inquisitor duke", "captain contessa"], inquisitor=True).play("1 examine 2")
    assert table.offered(2) == table.offered(3) == ["allow", "challenge"]
    table = Table(3, ["inquisitor duke", "captain contessa"], inquisitor=True).play("1 exchange")
    assert table.offered(2) == table.offered(3) == ["allow", "challenge"]


def test_converting_oneself_costs_one_coin_to_the_reserve():
    table = Table(3, DEAL, reformation=True).play("1 empire", "1 convert")
    assert table.parties == ("resistance", "resistance", "empire")
    assert (table.coins, table.reserve, table.treasury, table.turn) == ((1, 2, 2), 1, 44, 2)


def test_converting_another_costs_two_coins_to_the_reserve():
    table = Table(3, DEAL, reformation=True).play("1 empire", "1 convert 2")
    assert table.parties == ("empire", "empire", "empire")
    assert (table.coins, table.reserve, table.treasury) == ((0, 2, 2), 2, 44)


def test_embezzling_takes_the_whole_reserve():
    table = Table(3, DEAL, reformation=True).play("1 empire", "1 convert 2", "2 convert 3", "3 embezzle", "all allow")
    assert (table.coins, table.reserve, table.treasury) == ((0, 0, 6), 0, 44)


def test_a_bomb_costs_five_coins_and_is_handed_to_the_target():
    table = rich(5, anarchist=True).play("1 bomb 3")
    assert table.coins[0] == 0
    assert table.question_kinds() == {3: "bomb"}


@pytest.mark.parametrize(
    ("verb", "cost"), [("coup 2", 7), ("assassinate 2", 3), ("bomb 2", 5), ("convert", 1), ("convert 2", 2)]
)
def test_an_action_is_offered_exactly_to_those_who_can_pay_for_it(verb, cost):
    options = {"anarchist": True, "reformation": True}
    for coins in range(2, 10):
        table = rich(coins, **options)
        assert (verb in table.offered(1)) == (coins >= cost), coins
    poor = Table(3, DEAL, **options).play("1 empire", "1 convert 2", "2 income", "3 income")
    assert verb not in poor.offered(1)
    poor.refuses(f"1 {verb}")


@pytest.mark.parametrize("verb", ["assassinate 2", "coup 2", "bomb 2"])
def test_costs_are_paid_publicly_when_the_action_is_declared(verb):
    table = rich(7, anarchist=True)
    treasury = table.treasury
    cost = {"assassinate 2": 3, "coup 2": 7, "bomb 2": 5}[verb]
    table.play(f"1 {verb}")
    assert table.view(3).seats[0].coins == 7 - cost
    assert table.view().treasury == treasury + cost


@pytest.mark.parametrize("coins", [10, 11, 12])
def test_with_ten_coins_or_more_only_a_coup_is_legal(coins):
    table = rich(9, 4, deal=["duke assassin"], anarchist=True)
    table.play("1 income" if coins == 10 else "1 foreign-aid" if coins == 11 else "1 tax", "all allow")
    table.play("2 income", "3 income", "4 income")
    assert table.coins[0] == coins
    assert table.offered(1) == ["coup 2", "coup 3", "coup 4"]
    table.refuses("1 income")


def test_with_ten_coins_only_a_coup_whatever_expansions_are_played():
    table = rich(9, 4, deal=["duke assassin"], anarchist=True, inquisitor=True, reformation=True)
    table.play("1 income", "2 income", "3 income", "4 income")
    assert table.offered(1) == ["coup 2", "coup 4"]


def test_with_nine_coins_everything_is_still_legal():
    assert {"income", "foreign-aid", "tax", "exchange", "coup 2", "assassinate 2", "steal 2"} <= set(rich(9).offered(1))


def test_a_target_is_another_living_player():
    table = rich(7)
    assert table.targets(1, "coup") == table.targets(1, "steal") == table.targets(1, "assassinate") == [2, 3]
    table.resign(2)
    assert table.targets(1, "coup") == table.targets(1, "steal") == table.targets(1, "assassinate") == [3]
    table.refuses("1 coup 2")
    table.refuses("1 coup 1")


def test_c3_a_player_without_coins_cannot_be_robbed():
    table = Table(3, DEAL).play("1 steal 2", "all allow")
    assert table.coins == (4, 0, 2)
    table.play("2 income", "3 steal 2", "all allow", "1 income")
    assert table.coins[1] == 0
    table.play("2 exchange").will_draw("duke", "captain").play("all allow", "2 keep duke captain")
    assert table.targets(3, "steal") == [1]
    table.refuses("3 steal 2")


def test_c3_an_empty_reserve_cannot_be_embezzled():
    table = Table(3, DEAL, reformation=True).play("1 empire")
    assert "embezzle" not in table.offered(1)
    table.refuses("1 embezzle")
    table.play("1 convert")
    assert "embezzle" in table.offered(2)


def test_c3_nothing_else_is_refused_for_being_useless():
    table = Table(3, DEAL, reformation=True).play("1 empire", "1 convert", "2 convert", "3 convert")
    assert {"convert", "exchange", "tax", "income"} <= set(table.offered(1))


def test_c4_the_treasury_never_refuses_and_all_coins_stay_fifty():
    table = Table(10)
    for _ in range(10):
        table.play(f"{table.turn} tax", "all allow")
    assert table.treasury == 0
    for _ in range(10):
        table.play(f"{table.turn} income")
    assert table.treasury == -10
    assert sum(table.coins) == 60
    assert {"income", "foreign-aid", "tax"} <= set(table.offered(1))
    table.play("1 assassinate 2", "all allow")
    assert table.treasury == -7
