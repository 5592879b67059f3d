"""The anarchist's bomb: paying, exploding, defusing, handing on, and who may hold it (section 7, C22, C27)."""

import pytest

from games.engine import SPECTATOR, SeatNumber
from games.rules.coup import RULES
from tests.games.rules.coup.table import Table

DEAL = ["contessa duke", "contessa captain", "captain assassin", "duke ambassador"]


@pytest.fixture(params=["first", "sealed"])
def answers(request) -> str:
    return request.param


def bombed(target: int = 2, answers: str = "first", seats: int = 4, deal: list[str] = DEAL) -> Table:
    """Seat 1 had five coins and has handed the bomb to the target."""
    table = Table(seats, deal[:seats], answers=answers, anarchist=True, two_player_setup="dealt", starter=1)
    table.play("1 tax", "all allow") if seats > 2 else table.play("1 tax", "all allow", "2 income", "1 income")
    while table.turn != 1:
        table.play(f"{table.turn} income")
    return table.play(f"1 bomb {target}")


def wounded(seat: int, card: str, answers: str) -> Table:
    """Like ``bombed(2)``, but this seat has already lost this card."""
    table = Table(4, DEAL, answers=answers, anarchist=True).play("1 tax", "all allow")
    while table.turn != 1:
        if table.turn == seat:
            table.play(f"{seat} exchange", "1 challenge", "rest allow", f"{seat} concede {card}")
        else:
            table.play(f"{table.turn} income")
    return table.play("1 bomb 2")


def test_the_bomb_is_an_action_of_its_own_without_claim_block_or_challenge(answers):
    table = bombed(2, answers)
    assert table.coins == (0, 3, 3, 3)
    assert table.question_kinds() == {2: "bomb"}


@pytest.mark.parametrize("target", [2, 3, 4])
def test_the_bomb_is_handed_to_any_other_player(answers, target):
    assert bombed(target, answers).question_kinds() == {target: "bomb"}


def test_the_holder_of_the_bomb_has_three_choices(answers):
    assert sorted(bombed(2, answers).offered(2)) == [
        "defuse",
        "explode captain",
        "explode contessa",
        "hand 3",
        "hand 4",
    ]


@pytest.mark.parametrize("card", ["captain", "contessa"])
def test_exploding_costs_an_influence_of_ones_choice_and_the_bomb_is_back(answers, card):
    table = bombed(2, answers).play(f"2 explode {card}")
    assert (table.lost[1], table.cards, table.turn) == (card, (2, 1, 2, 2), 2)
    assert table.view().bomb is None


def test_exploding_needs_no_name_with_one_card(answers):
    table = wounded(2, "captain", answers)
    assert sorted(table.offered(2)) == ["defuse", "explode", "hand 3", "hand 4"]
    table.play("2 explode")
    assert (table.alive, table.turn) == ((1, 3, 4), 3)


@pytest.mark.parametrize("choice", ["defuse", "hand 3"])
def test_defusing_and_handing_on_open_a_challenge_window_for_all_living_others(answers, choice):
    table = bombed(2, answers).play(f"2 {choice}")
    assert set(table.question_kinds()) == {1, 3, 4}
    assert all(table.offered(seat) == ["allow", "challenge"] for seat in (1, 3, 4))


@pytest.mark.parametrize(
    ("choice", "to_the_third", "to_the_fourth"),
    [
        ("defuse", "to defuse the bomb", "to defuse the bomb"),
        ("hand 3", "to hand the bomb on to you", "to hand the bomb on to seat 3"),
    ],
)
def test_the_claim_about_the_bomb_says_what_it_is_for(answers, choice, to_the_third, to_the_fourth):
    table = bombed(2, answers).play(f"2 {choice}")
    for seat, purpose in ((3, to_the_third), (4, to_the_fourth)):
        question = str(RULES.words.asks(table.view(seat), table.question(seat)))
        sentences = [str(phrase) for _, phrase in RULES.words.story(table.visible_events(seat), SeatNumber(seat))]
        assert f"seat 2 claims the contessa {purpose}." in question
        assert f"seat 2 claimed the contessa {purpose}." in sentences[-1]


def test_an_unchallenged_defusal_puts_the_bomb_back(answers):
    table = bombed(3, answers).play("3 defuse", "all allow")
    assert (table.cards, table.turn) == ((2, 2, 2, 2), 2)
    assert table.view().bomb is None


def test_a_bomb_that_was_put_back_may_be_bought_again(answers):
    table = Table(4, DEAL, answers=answers, anarchist=True)
    table.play("1 tax", "all allow", "2 tax", "all allow", "3 income", "4 income")
    table.play("1 bomb 2", "2 defuse", "all allow", "2 bomb 1")
    assert table.question_kinds() == {1: "bomb"}
    assert sorted(table.targets(1, "hand")) == [3, 4]


def test_an_unchallenged_hand_gives_the_receiver_the_same_three_choices(answers):
    table = bombed(2, answers).play("2 hand 3", "all allow")
    assert table.question_kinds() == {3: "bomb"}
    assert sorted(table.offered(3)) == ["defuse", "explode assassin", "explode captain", "hand 4"]


@pytest.mark.parametrize("choice", ["defuse", "hand 4"])
def test_a_disproved_contessa_costs_both_cards(answers, choice):
    table = bombed(3, answers).play(f"3 {choice}", "4 challenge", "rest allow")
    assert table.question_kinds() == {3: "proof"}
    assert table.offered(3) == ["concede"]
    table.play("3 concede")
    assert (table.alive, table.turn) == ((1, 2, 4), 2)
    assert sorted(table.lost[2].split()) == ["assassin", "captain"]
    assert table.view().bomb is None


def test_a_contessa_that_is_held_may_be_conceded_and_costs_both_cards(answers):
    table = bombed(2, answers).play("2 defuse", "4 challenge", "rest allow")
    assert sorted(table.offered(2)) == ["concede", "prove"]
    table.play("2 concede")
    assert (table.alive, table.turn) == ((1, 3, 4), 3)


def test_a_disproved_contessa_costs_the_last_card_where_there_is_only_one(answers):
    table = wounded(2, "contessa", answers).play("2 defuse", "4 challenge", "rest allow", "2 concede")
    assert (table.lost[1], table.alive, table.turn) == ("contessa captain", (1, 3, 4), 3)


def test_a_proved_contessa_is_replaced_and_then_the_bomb_is_defused(answers):
    table = bombed(2, answers).play("2 defuse", "4 challenge", "rest allow")
    mark = table.mark
    table.will_draw("assassin").play("2 prove")
    assert "contessa" in table.encoded_events(SPECTATOR, mark)
    assert table.question_kinds() == {4: "loss"}
    table.play("4 lose duke")
    assert (table.hand(2), table.cards, table.turn) == ("assassin captain", (2, 2, 2, 1), 2)
    assert table.view().bomb is None


def test_a_proved_contessa_is_replaced_and_then_the_bomb_is_handed_on(answers):
    table = bombed(2, answers).play("2 hand 3", "4 challenge", "rest allow")
    table.will_draw("contessa").play("2 prove", "4 lose duke")
    assert (table.hand(2), table.question_kinds()) == ("captain contessa", {3: "bomb"})


def test_c22_the_bomb_never_goes_back_to_the_player_who_paid(answers):
    table = bombed(2, answers)
    assert 1 not in table.targets(2, "hand")
    table.refuses("2 hand 1")
    table.play("2 hand 3", "all allow")
    table.refuses("3 hand 1")


def test_c22_the_bomb_never_goes_to_one_who_has_held_it_in_this_turn(answers):
    table = bombed(2, answers).play("2 hand 4", "all allow")
    assert table.targets(4, "hand") == [3]
    table.refuses("4 hand 2")
    table.refuses("4 hand 4")


def test_c22_where_nobody_is_left_handing_on_is_not_offered(answers):
    table = bombed(2, answers).play("2 hand 4", "all allow", "4 hand 3", "all allow")
    assert table.question_kinds() == {3: "bomb"}
    assert sorted(table.offered(3)) == ["defuse", "explode assassin", "explode captain"]


def test_c22_between_two_players_handing_on_is_never_offered(answers):
    table = bombed(2, answers, seats=2)
    assert sorted(table.offered(2)) == ["defuse", "explode captain", "explode contessa"]


def test_c22_the_bomb_is_not_handed_to_the_dead(answers):
    table = bombed(2, answers).resign(3)
    assert table.targets(2, "hand") == [4]


def test_c22_a_named_receiver_who_challenged_and_went_out_puts_it_back(answers):
    table = wounded(3, "captain", answers).play("2 hand 3", "3 challenge", "rest allow")
    table.will_draw("contessa").play("2 prove")
    assert (table.alive, table.turn, table.cards) == ((1, 2, 4), 2, (2, 2, 0, 2))
    assert table.view().bomb is None


def test_c22_a_payer_who_goes_out_does_not_stop_the_bomb(answers):
    table = Table(4, DEAL, answers=answers, anarchist=True)
    table.play("1 exchange", "2 challenge", "rest allow", "1 concede duke", "2 income", "3 income", "4 income")
    table.play("1 tax", "all allow", "2 income", "3 income", "4 income", "1 bomb 2", "2 hand 3", "1 challenge")
    table.play("rest allow").will_draw("duke").play("2 prove")
    assert table.alive == (2, 3, 4)
    assert table.question_kinds() == {3: "bomb"}
    assert table.targets(3, "hand") == [4]
    table.play("3 explode captain")
    assert table.turn == 2


def test_c22_a_payer_who_resigns_does_not_stop_the_bomb(answers):
    table = bombed(2, answers).resign(1)
    assert set(table.question_kinds()) == {2}
    table.play("2 hand 3", "all allow", "3 defuse", "all allow")
    assert table.turn == 2


def test_c22_in_the_next_turn_everybody_may_hold_it_again(answers):
    table = Table(4, DEAL, answers=answers, anarchist=True).play("1 tax", "all allow", "2 tax", "all allow")
    table.play("3 income", "4 income", "1 bomb 3", "3 hand 4", "all allow", "4 explode duke", "2 bomb 3")
    assert table.targets(3, "hand") == [1, 4]


@pytest.mark.parametrize("seats", [3, 5, 10])
def test_a_bomb_changes_hands_at_most_once_for_every_other_player(seats):
    table = Table(seats, ["duke duke"], anarchist=True).play("1 tax", "all allow")
    while table.turn != 1:
        table.play(f"{table.turn} income")
    table.play("1 bomb 2")
    hands = 1
    while table.targets(holder := next(iter(table.question_kinds())), "hand"):
        table.play(f"{holder} hand {table.targets(holder, 'hand')[-1]}", "all allow")
        hands += 1
    assert hands == seats - 1


def test_c27_a_named_receiver_who_challenged_and_lost_one_card_gets_the_bomb(answers):
    table = bombed(2, answers).play("2 hand 3", "3 challenge", "rest allow")
    table.will_draw("contessa").play("2 prove")
    assert table.question_kinds() == {3: "loss"}
    table.play("3 lose captain")
    assert table.question_kinds() == {3: "bomb"}
    assert sorted(table.offered(3)) == ["defuse", "explode", "hand 4"]


def test_c17_a_holder_who_resigns_puts_the_bomb_back_at_once(answers):
    table = bombed(2, answers).resign(2)
    assert (table.turn, table.alive) == (3, (1, 3, 4))
    assert table.view().bomb is None


@pytest.mark.parametrize("choice", ["defuse", "hand 4"])
def test_c17_a_holder_who_resigns_in_the_window_closes_it(answers, choice):
    table = bombed(3, answers).play(f"3 {choice}").resign(3)
    assert (table.question_kinds(), table.cards) == ({2: "turn"}, (2, 2, 0, 2))


def test_c17_a_holder_who_resigns_before_the_proof_costs_the_challenger_nothing(answers):
    table = bombed(3, answers).play("3 defuse", "4 challenge", "rest allow").resign(3)
    assert (table.question_kinds(), table.cards) == ({2: "turn"}, (2, 2, 0, 2))


def test_c17_a_named_receiver_who_resigns_in_the_window_puts_the_bomb_back(answers):
    table = bombed(2, answers).play("2 hand 3").resign(3)
    assert (table.question_kinds(), table.cards) == ({2: "turn"}, (2, 2, 0, 2))
    assert table.view().bomb is None


def test_c17_a_named_receiver_who_resigns_before_the_proof_spares_the_holder_the_proof(answers):
    for challenger in (3, 4):
        table = bombed(2, answers).play("2 hand 3", f"{challenger} challenge", "rest allow").resign(3)
        assert (table.question_kinds(), table.cards) == ({2: "turn"}, (2, 2, 0, 2))


def test_c17_a_challenger_who_resigns_leaves_the_contessa_as_if_proved_but_unshown(answers):
    table = bombed(3, answers).play("3 hand 2", "4 challenge", "rest allow").resign(4)
    assert table.question_kinds() == {2: "bomb"}
    assert table.hand(3) == "assassin captain"
    table = bombed(3, answers).play("3 defuse", "4 challenge", "rest allow").resign(4)
    assert table.question_kinds() == {2: "turn"}


def test_c17_a_bystander_who_resigns_leaves_the_bomb_where_it_is(answers):
    table = bombed(2, answers).play("2 hand 3").resign(4)
    assert set(table.question_kinds()) == {1, 3}
    table.play("all allow")
    assert table.question_kinds() == {3: "bomb"}
    assert sorted(table.offered(3)) == ["defuse", "explode assassin", "explode captain"]


@pytest.mark.parametrize("leaver", [2, 3])
def test_c29_a_challengers_card_is_still_lost_when_holder_or_receiver_resigns_after_the_proof(answers, leaver):
    table = bombed(2, answers).play("2 hand 3", "4 challenge", "rest allow").will_draw("contessa").play("2 prove")
    table.resign(leaver)
    assert table.question_kinds() == {4: "loss"}
    table.play("4 lose duke")
    assert table.cards[3] == 1
    assert table.turn == (2 if leaver == 3 else 3)


def test_c29_the_bomb_goes_on_to_the_receiver_when_the_payer_resigns_while_a_card_is_chosen(answers):
    table = bombed(2, answers).play("2 hand 3", "4 challenge", "rest allow").will_draw("contessa").play("2 prove")
    table.resign(1).play("4 lose duke")
    assert table.question_kinds() == {3: "bomb"}


def test_the_last_explosion_ends_the_game(answers):
    table = bombed(2, answers, seats=2).play("2 defuse", "1 challenge", "2 concede")
    assert table.winner == 1
