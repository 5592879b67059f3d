"""Tests of what a challenge leads to: proof, replacement, losses, refunds, double danger (C11, C12, C13, C14, C23)."""

import pytest

from games.engine import SPECTATOR
from tests.games.rules.coup.table import Table

DEAL = ["duke assassin", "contessa captain", "duke contessa"]


@pytest.fixture(params=["first", "sealed"])
def answers(request) -> str:
    return request.param


def table_with(coins: int, answers: str, deal: list[str] = DEAL, **options: object) -> Table:
    """Seat 1 of three to move with 3 coins (after one income each) or 5 (after a tax)."""
    table = Table(3, deal, answers=answers, **options)
    return table.play("1 income" if coins == 3 else "1 tax", "all allow", "2 income", "3 income")


def test_c11_a_challenged_player_may_prove_or_concede_also_when_holding_the_card(answers):
    table = Table(3, DEAL, answers=answers).play("1 tax", "2 challenge", "rest allow")
    assert table.question_kinds() == {1: "proof"}
    assert sorted(table.offered(1)) == ["concede assassin", "concede duke", "prove"]


def test_c11_conceding_a_card_one_has_loses_the_challenge(answers):
    table = Table(3, DEAL, answers=answers).play("1 tax", "2 challenge", "rest allow", "1 concede duke")
    assert (table.coins, table.lost, table.hand(1), table.turn) == ((2, 2, 2), ("duke", "", ""), "assassin", 2)


def test_c11_a_bluffer_is_asked_too_and_can_only_concede(answers):
    table = Table(3, DEAL, answers=answers).play("1 steal 2", "2 challenge", "rest allow")
    assert table.question_kinds() == {1: "proof"}
    assert sorted(table.offered(1)) == ["concede assassin", "concede duke"]
    table.refuses("1 prove")


def test_c11_that_a_bluffer_is_asked_tells_nobody_that_it_is_a_bluff(answers):
    def challenged(hand: str) -> Table:
        table = Table(3, [hand, "contessa captain", "assassin contessa"], answers=answers)
        return table.play("1 tax", "2 challenge", "rest allow")

    honest, bluffing = challenged("duke captain"), challenged("ambassador captain")
    for viewer in (2, 3, SPECTATOR):
        assert honest.encoded_view(viewer) == bluffing.encoded_view(viewer)
        assert honest.encoded_events(viewer) == bluffing.encoded_events(viewer)


def test_c11_with_one_card_conceding_needs_no_name(answers):
    table = Table(3, DEAL, answers=answers).play("1 steal 2", "2 challenge", "rest allow", "1 concede duke")
    table.play("2 income", "3 income", "1 steal 2", "2 challenge", "rest allow")
    assert table.offered(1) == ["concede"]
    table.play("1 concede")
    assert table.alive == (2, 3)


def test_c11_two_cards_of_one_character_are_one_way_to_concede(answers):
    table = Table(3, ["duke duke"], answers=answers).play("1 steal 2", "2 challenge", "rest allow")
    assert table.offered(1) == ["concede duke"]


def test_c12_a_proved_card_is_shown_to_all(answers):
    table = Table(3, DEAL, answers=answers).play("1 tax", "2 challenge", "rest allow")
    mark = table.mark
    table.will_draw("ambassador").play("1 prove")
    for viewer in (2, 3, SPECTATOR):
        assert "duke" in table.encoded_events(viewer, mark)
        assert "ambassador" not in table.encoded_events(viewer, mark)


def test_c12_a_proved_card_is_replaced_and_the_prover_keeps_two(answers):
    table = Table(3, DEAL, answers=answers).play("1 tax", "2 challenge", "rest allow")
    table.will_draw("ambassador").play("1 prove")
    assert (table.hand(1), table.court, table.cards) == ("ambassador assassin", 9, (2, 2, 2))


def test_c12_the_proved_card_itself_may_be_drawn_again(answers):
    table = Table(3, ["duke assassin", "duke duke"], answers=answers).play("1 tax", "2 challenge", "rest allow")
    table.will_draw("duke").play("1 prove")
    assert table.hand(1) == "assassin duke"
    assert table.chance.draws[-1][0] == 10


def test_c12_the_replacement_happens_before_the_challenger_chooses_what_to_lose(answers):
    table = Table(3, DEAL, answers=answers).play("1 tax", "2 challenge", "rest allow")
    table.will_draw("ambassador").play("1 prove")
    assert table.question_kinds() == {2: "loss"}
    assert table.hand(1) == "ambassador assassin"
    assert table.coins == (2, 2, 2)


def test_c12_the_loser_chooses_freely_what_to_lose(answers):
    for choice in ("captain", "contessa"):
        table = Table(3, DEAL, answers=answers).play("1 tax", "2 challenge", "rest allow")
        table.will_draw("ambassador").play("1 prove")
        assert sorted(table.offered(2)) == ["lose captain", "lose contessa"]
        table.play(f"2 lose {choice}")
        assert (table.lost, table.coins, table.turn) == (("", choice, ""), (5, 2, 2), 2)


def test_c12_with_one_card_left_there_is_no_choice_to_make(answers):
    table = Table(3, DEAL, answers=answers).play("1 tax", "2 challenge", "rest allow").will_draw("duke")
    table.play("1 prove", "2 lose captain", "2 income", "3 income", "1 tax", "2 challenge", "rest allow")
    table.will_draw("duke").play("1 prove")
    assert (table.lost, table.alive, table.turn) == (("", "captain contessa", ""), (1, 3), 3)
    assert table.coins == (8, 0, 3)


def test_c12_a_proved_block_is_replaced_too(answers):
    table = Table(3, DEAL, answers=answers).play("1 foreign-aid", "3 block duke", "rest allow")
    table.play("2 challenge", "rest allow").will_draw("captain").play("3 prove", "2 lose captain")
    assert (table.hand(3), table.coins, table.turn) == ("captain contessa", (2, 2, 2), 2)


def test_c13_a_disproved_action_is_void(answers):
    table = Table(3, DEAL, answers=answers).play("1 steal 2", "3 challenge", "rest allow", "1 concede assassin")
    assert (table.coins, table.lost, table.turn) == ((2, 2, 2), ("assassin", "", ""), 2)


def test_c13_a_disproved_assassination_is_refunded(answers):
    table = table_with(3, answers, ["duke captain", "contessa captain", "duke contessa"])
    table.play("1 assassinate 2", "2 challenge", "rest allow")
    assert (table.coins[0], table.treasury) == (0, 44)
    table.play("1 concede captain")
    assert (table.coins, table.treasury) == ((3, 3, 3), 41)


def test_c13_a_disproved_assassination_is_refunded_before_the_loss(answers):
    table = table_with(3, answers, ["duke captain", "contessa captain", "duke contessa"])
    table.play("1 assassinate 2", "2 challenge", "rest allow", "1 concede captain")
    refunded = table.when(lambda view: view.seats[0].coins == 3)
    lost = table.when(lambda view: view.seats[0].lost == ("captain",))
    assert refunded < lost


def test_c13_a_blocked_assassinations_cost_stays_spent(answers):
    table = table_with(3, answers).play("1 assassinate 2", "2 block contessa", "rest allow", "all allow")
    assert (table.coins, table.treasury, table.turn) == ((0, 3, 3), 44, 2)


def test_c13_a_block_that_is_challenged_and_proved_leaves_the_cost_spent(answers):
    table = table_with(3, answers).play(
        "1 assassinate 2", "2 block contessa", "rest allow", "1 challenge", "rest allow"
    )
    table.will_draw("ambassador").play("2 prove", "1 lose duke")
    assert (table.coins, table.treasury) == ((0, 3, 3), 44)


def test_c14_a_target_who_challenges_an_assassin_in_vain_and_is_then_killed_loses_two(answers):
    table = table_with(3, answers).play("1 assassinate 2", "2 challenge", "rest allow")
    table.will_draw("assassin").play("1 prove", "2 lose contessa", "2 allow")
    assert (table.lost, table.alive, table.turn) == (("", "contessa captain", ""), (1, 3), 3)


def test_c14_a_target_whose_contessa_is_disproved_loses_two(answers):
    table = table_with(3, answers, ["duke assassin", "duke captain", "duke contessa"])
    table.play("1 assassinate 2", "2 block contessa", "rest allow", "3 challenge", "rest allow")
    assert table.offered(2) == ["concede"]
    table.play("2 concede")
    assert (table.alive, table.turn) == ((1, 3), 3)
    assert sorted(table.lost[1].split()) == ["captain", "duke"]


def test_c14_a_contessa_may_be_conceded_although_she_is_held(answers):
    table = table_with(3, answers).play(
        "1 assassinate 2", "2 block contessa", "rest allow", "3 challenge", "rest allow"
    )
    assert sorted(table.offered(2)) == ["concede", "prove"]
    table.play("2 concede")
    assert table.alive == (1, 3)


def test_c14_after_a_vain_challenge_a_contessa_still_saves_the_second_card(answers):
    table = table_with(3, answers).play("1 assassinate 2", "2 challenge", "rest allow")
    table.will_draw("assassin").play("1 prove", "2 lose captain", "2 block contessa", "1 challenge", "rest allow")
    table.will_draw("duke").play("2 prove", "1 lose duke")
    assert (table.cards, table.turn) == ((1, 1, 2), 2)


def test_c14_a_third_partys_vain_challenge_costs_the_target_only_one(answers):
    table = table_with(3, answers).play("1 assassinate 2", "3 challenge", "rest allow")
    table.will_draw("assassin").play("1 prove", "3 lose duke", "2 allow", "2 lose captain")
    assert (table.cards, table.turn) == ((2, 1, 1), 2)


def test_c14_the_actor_who_challenges_the_contessa_in_vain_loses_one(answers):
    table = table_with(3, answers).play(
        "1 assassinate 2", "2 block contessa", "rest allow", "1 challenge", "rest allow"
    )
    table.will_draw("contessa").play("2 prove", "1 lose duke")
    assert (table.cards, table.hand(2), table.turn) == ((1, 2, 2), "captain contessa", 2)


def test_c23_a_loss_is_asked_with_two_cards_even_if_they_are_alike(answers):
    table = Table(3, ["duke assassin", "captain captain"], answers=answers).play("1 tax", "2 challenge", "rest allow")
    table.will_draw("duke").play("1 prove")
    assert table.question_kinds() == {2: "loss"}
    assert table.offered(2) == ["lose captain"]


def test_c23_that_two_cards_are_alike_is_seen_by_nobody_else(answers):
    def lost(hand: str) -> Table:
        table = Table(3, ["duke assassin", hand, "duke contessa"], answers=answers)
        return table.play("1 tax", "2 challenge", "rest allow").will_draw("duke").play("1 prove", "2 lose captain")

    alike, different = lost("captain captain"), lost("captain ambassador")
    for viewer in (1, 3, SPECTATOR):
        assert alike.encoded_view(viewer) == different.encoded_view(viewer)
        assert alike.encoded_events(viewer) == different.encoded_events(viewer)


def test_c23_an_exchange_is_always_asked_even_with_one_choice(answers):
    table = Table(3, ["duke duke", "captain contessa", "captain contessa"], answers=answers).play("1 exchange")
    table.will_draw("duke", "ambassador").play("all allow")
    assert table.question_kinds() == {1: "exchange"}
    assert sorted(table.offered(1)) == ["keep ambassador duke", "keep duke duke"]


def test_c23_two_alike_on_each_side_of_an_exchange_are_listed_once(answers):
    table = Table(3, ["duke captain", "contessa contessa"], answers=answers).play("1 exchange")
    table.will_draw("duke", "captain").play("all allow")
    assert sorted(table.offered(1)) == ["keep captain captain", "keep captain duke", "keep duke duke"]


def test_c23_an_examination_is_asked_with_two_cards_even_if_they_are_alike(answers):
    table = Table(3, ["inquisitor duke", "captain captain"], answers=answers, inquisitor=True)
    table.play("1 examine 2", "all allow")
    assert table.question_kinds() == {2: "show"}
    assert table.offered(2) == ["show captain"]


def test_c23_with_one_card_the_examination_follows_at_once(answers):
    table = Table(3, ["inquisitor duke", "captain captain"], answers=answers, inquisitor=True)
    table.play("1 tax", "2 challenge", "rest allow").will_draw("duke").play("1 prove", "2 lose captain")
    table.play("2 income", "3 income", "1 examine 2", "all allow")
    assert table.question_kinds() == {1: "examine"}


def test_c23_a_question_with_one_legal_answer_waits_for_its_player(answers):
    table = Table(3, ["duke duke", "captain captain"], answers=answers).play("1 steal 2", "2 challenge", "rest allow")
    assert table.offered(1) == ["concede duke"]
    assert table.question_kinds() == {1: "proof"}
    assert table.cards == (2, 2, 2)
