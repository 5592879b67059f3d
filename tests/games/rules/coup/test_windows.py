"""Tests of who is asked what, in which order: challenges, blocks, one prompt for both (C5, C6, C8, C9, C10)."""

import msgspec
import pytest

from games.engine import SPECTATOR
from tests.games.rules.coup.table import Table

DEAL = ["captain assassin", "duke contessa", "duke duke", "captain contessa"]


@pytest.fixture(params=["first", "sealed"])
def answers(request) -> str:
    return request.param


def at_three_coins(answers: str, deal: list[str] = DEAL, seats: int = 4, **options: object) -> Table:
    """Seat 1 to move with the three coins of an assassination."""
    table = Table(seats, deal, answers=answers, **options).play("1 income")
    while table.turn != 1:
        table.play(f"{table.turn} income")
    return table


@pytest.mark.parametrize("action", ["tax", "exchange"])
def test_c5_tax_and_exchange_open_only_a_challenge_window(answers, action):
    table = Table(4, DEAL, answers=answers).play(f"1 {action}")
    assert table.question_kinds() == {2: "challenge", 3: "challenge", 4: "challenge"}
    assert all(table.offered(seat) == ["allow", "challenge"] for seat in (2, 3, 4))


def test_c5_embezzling_opens_only_a_challenge_window(answers):
    table = Table(4, DEAL, answers=answers, reformation=True).play("1 empire", "1 convert", "2 embezzle")
    assert table.question_kinds() == {1: "challenge", 3: "challenge", 4: "challenge"}
    assert all(table.offered(seat) == ["allow", "challenge"] for seat in (1, 3, 4))


def test_c5_income_opens_no_window(answers):
    assert Table(4, DEAL, answers=answers).play("1 income").question_kinds() == {2: "turn"}


def test_c5_convert_opens_no_window(answers):
    table = Table(4, DEAL, answers=answers, reformation=True).play("1 empire", "1 convert")
    assert table.question_kinds() == {2: "turn"}
    assert table.play("2 convert 3").question_kinds() == {3: "turn"}


def test_c5_a_coup_opens_no_window(answers):
    table = Table(3, ["duke duke"], answers=answers)
    table.play("1 tax", "all allow", "2 income", "3 income", "1 foreign-aid", "all allow", "2 income", "3 income")
    assert table.play("1 coup 2").question_kinds() == {2: "loss"}


def test_c5_paying_for_the_bomb_opens_no_window(answers):
    table = Table(3, ["duke duke"], answers=answers, anarchist=True)
    table.play("1 tax", "all allow", "2 income", "3 income", "1 bomb 2")
    assert table.question_kinds() == {2: "bomb"}


def test_c5_foreign_aid_opens_only_a_block_window(answers):
    table = Table(4, DEAL, answers=answers).play("1 foreign-aid")
    assert table.question_kinds() == {2: "block", 3: "block", 4: "block"}
    assert all(table.offered(seat) == ["allow", "block duke"] for seat in (2, 3, 4))


def test_c5_a_block_opens_a_challenge_window_for_every_living_player_but_the_blocker(answers):
    table = Table(4, DEAL, answers=answers).play("1 foreign-aid", "2 block duke", "rest allow")
    assert table.question_kinds() == {1: "challenge-block", 3: "challenge-block", 4: "challenge-block"}
    assert all(table.offered(seat) == ["allow", "challenge"] for seat in (1, 3, 4))
    table.play("all allow")
    assert (table.coins, table.turn) == ((2, 2, 2, 2), 2)


def test_c5_challenges_come_first_then_blocks(answers):
    table = at_three_coins(answers).play("1 assassinate 2")
    assert table.question_kinds() == {2: "challenge", 3: "challenge", 4: "challenge"}
    table.play("3 challenge", "rest allow").will_draw("assassin").play("1 prove", "3 lose duke")
    assert table.question_kinds() == {2: "block"}
    assert table.offered(2) == ["allow", "block contessa"]
    table.play("2 block contessa")
    assert table.question_kinds() == {1: "challenge-block", 3: "challenge-block", 4: "challenge-block"}


def test_c6_whoever_could_also_block_is_asked_once(answers):
    table = at_three_coins(answers).play("1 assassinate 2")
    assert sorted(table.offered(2)) == ["allow", "block contessa", "challenge"]
    assert table.offered(3) == table.offered(4) == ["allow", "challenge"]


def test_c6_a_block_given_there_is_the_block_if_nobody_challenges(answers):
    table = at_three_coins(answers).play("1 assassinate 2", "2 block contessa", "3 allow", "4 allow")
    assert table.question_kinds() == {1: "challenge-block", 3: "challenge-block", 4: "challenge-block"}
    assert table.blocker == 2


def test_c6_an_allow_given_there_is_not_asked_again(answers):
    table = at_three_coins(answers).play("1 assassinate 2", "2 allow", "3 allow", "4 allow")
    assert table.question_kinds() == {2: "loss"}


@pytest.mark.parametrize("waiting", ["hidden", "number", "public"])
def test_c6_which_answer_it_was_stays_hidden_until_the_window_has_closed(answers, waiting):
    blocked = at_three_coins(answers, waiting=waiting).play("1 assassinate 2")
    mark = blocked.mark
    allowed = at_three_coins(answers, waiting=waiting).play("1 assassinate 2")
    blocked.play("2 block contessa")
    allowed.play("2 allow")
    for viewer in (1, 3, 4, SPECTATOR):
        assert blocked.encoded_view(viewer) == allowed.encoded_view(viewer)
        assert blocked.encoded_events(viewer, mark) == allowed.encoded_events(viewer, mark)
    assert blocked.question_kinds() == allowed.question_kinds() == {3: "challenge", 4: "challenge"}


def test_c6_a_block_lapses_unshown_if_somebody_challenges_in_vain_and_the_window_asks_anew(answers):
    def after(answer: str) -> Table:
        table = at_three_coins(answers).play("1 assassinate 2", f"2 {answer}", "3 challenge", "rest allow")
        return table.will_draw("assassin").play("1 prove", "3 lose duke")

    blocked, allowed = after("block contessa"), after("allow")
    assert blocked.question_kinds() == allowed.question_kinds() == {2: "block"}
    assert blocked.offered(2) == ["allow", "block contessa"]
    for viewer in (1, 3, 4, SPECTATOR):
        assert blocked.encoded_view(viewer) == allowed.encoded_view(viewer)
        assert blocked.encoded_events(viewer) == allowed.encoded_events(viewer)
    blocked.play("2 allow")
    assert blocked.question_kinds() == {2: "loss"}


def test_c6_a_block_lapses_unshown_if_somebody_challenges_with_success(answers):
    def after(answer: str) -> Table:
        table = at_three_coins(answers, ["captain duke", "duke contessa"])
        return table.play("1 assassinate 2", f"2 {answer}", "3 challenge", "rest allow", "1 concede duke")

    blocked, allowed = after("block contessa"), after("allow")
    assert blocked.turn == allowed.turn == 2
    for viewer in (1, 3, 4, SPECTATOR):
        assert blocked.encoded_view(viewer) == allowed.encoded_view(viewer)
        assert blocked.encoded_events(viewer) == allowed.encoded_events(viewer)


def test_c6_measurements_compare_with_a_window_for_challenges_and_another_for_blocks(answers):
    table = at_three_coins(answers, prompts="separate").play("1 assassinate 2")
    assert table.question_kinds() == {2: "challenge", 3: "challenge", 4: "challenge"}
    assert table.offered(2) == ["allow", "challenge"]
    table.play("all allow")
    assert table.question_kinds() == {2: "block"}
    assert table.play("2 block contessa").question_kinds() == {
        1: "challenge-block",
        3: "challenge-block",
        4: "challenge-block",
    }


def test_c6_a_game_says_nothing_of_prompts_unless_it_is_measured():
    assert b"prompts" not in msgspec.json.encode(Table(4, DEAL).options)


def test_c6_the_target_of_an_action_that_cannot_be_blocked_has_two_answers(answers):
    table = Table(3, ["inquisitor duke", "contessa duke"], answers=answers, inquisitor=True).play("1 examine 2")
    assert table.offered(2) == ["allow", "challenge"]


@pytest.mark.parametrize("challenger", [2, 3, 4])
def test_c8_any_living_player_but_the_claimant_may_challenge_an_action(answers, challenger):
    table = Table(4, DEAL, answers=answers).play("1 steal 2", f"{challenger} challenge", "rest allow")
    assert table.question_kinds() == {1: "proof"}
    assert challenger in (2, 3, 4)
    assert table.challenger == challenger


@pytest.mark.parametrize("challenger", [1, 3, 4])
def test_c8_any_living_player_but_the_blocker_may_challenge_a_block(answers, challenger):
    table = Table(4, DEAL, answers=answers).play("1 steal 2", "2 block captain", "3 allow", "4 allow")
    table.play(f"{challenger} challenge", "rest allow")
    assert table.question_kinds() == {2: "proof"}


def test_c8_fellows_may_challenge_each_other(answers):
    table = Table(4, DEAL, answers=answers, reformation=True).play("1 empire", "1 tax")
    assert table.parties == ("empire", "resistance", "empire", "resistance")
    assert "challenge" in table.offered(3)


def test_c8_the_dead_are_not_asked(answers):
    table = Table(4, DEAL, answers=answers).resign(3).play("1 tax")
    assert table.question_kinds() == {2: "challenge", 4: "challenge"}


@pytest.mark.parametrize(
    ("action", "blocks"), [("steal 2", {"captain", "ambassador"}), ("assassinate 2", {"contessa"})]
)
def test_c9_stealing_and_assassination_are_blocked_by_the_target_alone(answers, action, blocks):
    table = at_three_coins(answers).play(f"1 {action}")
    for seat in (3, 4):
        assert table.offered(seat) == ["allow", "challenge"]
        for character in blocks:
            table.refuses(f"{seat} block {character}")
    assert set(table.offered(2)) == {"allow", "challenge"} | {f"block {character}" for character in blocks}


def test_c9_each_action_is_blocked_only_by_its_own_characters(answers):
    table = at_three_coins(answers).play("1 assassinate 2")
    table.refuses("2 block duke")
    table.refuses("2 block captain")
    table = at_three_coins(answers).play("1 foreign-aid")
    table.refuses("2 block contessa")


def test_c9_proving_with_another_character_that_would_block_does_not_count(answers):
    table = Table(3, ["captain duke", "captain contessa"], answers=answers)
    table.play("1 steal 2", "2 block ambassador", "rest allow", "1 challenge", "rest allow")
    assert table.question_kinds() == {2: "proof"}
    assert sorted(table.offered(2)) == ["concede captain", "concede contessa"]


def test_c9_the_first_block_is_the_only_one_and_disproved_the_action_goes_ahead(answers):
    table = Table(4, ["captain assassin", "captain contessa", "duke duke"], answers=answers)
    table.play("1 foreign-aid", "2 block duke", "rest allow", "1 challenge", "rest allow", "2 concede captain")
    assert (table.coins, table.turn) == ((4, 2, 2, 2), 2)


def test_c9_a_disproved_block_of_a_theft_lets_the_theft_go_ahead(answers):
    table = Table(3, ["captain duke", "contessa contessa"], answers=answers)
    table.play("1 steal 2", "2 block captain", "rest allow", "3 challenge", "rest allow", "2 concede contessa")
    assert (table.coins, table.turn) == ((4, 0, 2), 2)


def test_c9_a_proved_block_stops_the_action_and_costs_the_challenger_an_influence(answers):
    table = Table(3, ["captain duke", "captain contessa"], answers=answers)
    table.play("1 steal 2", "2 block captain", "rest allow", "1 challenge", "rest allow").will_draw("duke")
    table.play("2 prove", "1 lose duke")
    assert (table.coins, table.lost, table.turn) == ((2, 2, 2), ("duke", "", ""), 2)
    assert table.hand(2) == "contessa duke"


def test_c10_after_a_failed_challenge_by_another_the_target_may_still_block(answers):
    table = Table(3, ["captain duke", "captain contessa", "duke duke"], answers=answers)
    table.play("1 steal 2", "3 challenge", "rest allow").will_draw("captain").play("1 prove", "3 lose duke")
    assert table.question_kinds() == {2: "block"}
    assert sorted(table.offered(2)) == ["allow", "block ambassador", "block captain"]


def test_c10_a_target_whose_own_challenge_has_just_failed_may_still_block(answers):
    table = at_three_coins(answers).play("1 assassinate 2", "2 challenge", "rest allow")
    table.will_draw("assassin").play("1 prove", "2 lose duke")
    assert table.question_kinds() == {2: "block"}
    table.play("2 block contessa", "all allow")
    assert (table.cards, table.turn) == ((2, 1, 2, 2), 2)


def test_c10_a_target_who_went_out_by_their_own_challenge_is_asked_nothing_more(answers):
    table = at_three_coins(answers).play("1 steal 2", "2 challenge", "rest allow")
    table.will_draw("captain").play("1 prove", "2 lose duke", "2 allow")
    table.play("2 income", "3 income", "4 income", "1 steal 2", "2 challenge", "rest allow")
    table.will_draw("captain").play("1 prove")
    assert (table.cards, table.turn) == ((2, 0, 2, 2), 3)


def test_c10_a_claim_that_was_proved_opens_no_second_challenge_window(answers):
    table = Table(4, DEAL, answers=answers).play("1 steal 4", "2 challenge", "rest allow")
    table.will_draw("captain").play("1 prove", "2 lose duke")
    assert table.question_kinds() == {4: "block"}
    assert "challenge" not in table.offered(4)
