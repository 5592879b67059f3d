"""Parties, conversion, the reserve and embezzlement (section 5, C18, C19, C20, C26)."""

import pytest

from games.engine import SPECTATOR
from tests.games.rules.coup.table import Table

DEAL = ["captain assassin", "duke contessa", "captain contessa", "duke ambassador"]


@pytest.fixture(params=["first", "sealed"])
def answers(request) -> str:
    return request.param


def parties(first: str = "empire", seats: int = 4, answers: str = "first", **options: object) -> Table:
    """A table whose starter has chosen a party."""
    table = Table(seats, DEAL[:seats], answers=answers, reformation=True, **options)
    starter = int(options.get("starter", 1))
    return table.play(f"{starter} {first}")


def with_coins(coins: int, answers: str = "first", **options: object) -> Table:
    """Return a table of four on which seat 1, loyal to the empire like seat 3, has the turn with a number of coins."""
    table = parties(answers=answers, **options)
    while table.coins[0] < coins:
        table.play("1 tax" if coins - table.coins[0] >= 3 else "1 income", "all allow")
        table.play("2 income", "3 income", "4 income")
    return table


def one_party(answers: str = "first") -> Table:
    """All four of the empire and with a coin at least; seat 1 to move, 4 in the reserve."""
    table = parties(answers=answers).play("1 income", "2 income", "3 income", "4 income")
    table.play("1 income", "2 convert 4", "3 convert 2", "4 income")
    assert table.parties == ("empire",) * 4
    return table


def embezzling(hand: str, answers: str = "first") -> Table:
    """Seat 1 of three, holding ``hand``, has claimed a reserve of three and is challenged by seat 2."""
    table = Table(3, [hand, "contessa captain"], answers=answers, reformation=True)
    table.play("1 empire", "1 convert", "2 convert", "3 convert")
    assert (table.coins, table.reserve) == ((1, 1, 1), 3)
    return table.play("1 embezzle", "2 challenge", "rest allow")


@pytest.mark.parametrize(("first", "second"), [("empire", "resistance"), ("resistance", "empire")])
def test_the_starter_chooses_a_party_and_then_they_alternate_clockwise(first, second):
    table = parties(first, 4)
    assert table.parties == (first, second, first, second)
    table = parties(first, 4, starter=3)
    assert table.parties == (first, second, first, second)
    table = parties(first, 3, starter=2)
    assert table.parties == (first, first, second)


def test_the_starter_alone_is_asked_before_the_first_turn():
    table = Table(3, DEAL[:3], reformation=True, starter=2)
    assert table.question_kinds() == {2: "party"}
    assert sorted(table.offered(2)) == ["empire", "resistance"]
    assert table.play("2 empire").question_kinds() == {2: "turn"}


def test_with_an_odd_number_the_last_and_the_first_are_fellows():
    assert parties("empire", 3).parties == ("empire", "resistance", "empire")


def test_c18_at_the_deadline_the_party_is_random():
    table = Table(3, DEAL[:3], reformation=True)
    assert table.clock_choices(1) == {"empire", "resistance"}


@pytest.mark.parametrize("verb", ["coup", "assassinate", "steal"])
def test_c19_fellows_are_no_targets_of_a_coup_an_assassination_or_a_theft(verb):
    table = with_coins(7)
    assert table.targets(1, verb) == [2, 4]
    table.refuses(f"1 {verb} 3")


def test_c19_fellows_are_not_examined():
    table = Table(4, ["inquisitor duke"], reformation=True, inquisitor=True).play("1 empire")
    assert table.targets(1, "examine") == [2, 4]
    table.refuses("1 examine 3")


def test_c19_fellows_do_not_block_foreign_aid(answers):
    table = parties(answers=answers).play("1 foreign-aid")
    assert table.question_kinds() == {2: "block", 4: "block"}


def test_c19_fellows_may_challenge_a_block_of_foreign_aid_and_each_other(answers):
    table = parties(answers=answers).play("1 foreign-aid", "2 block duke", "rest allow")
    assert table.question_kinds() == {1: "challenge-block", 3: "challenge-block", 4: "challenge-block"}
    table.play("4 challenge", "rest allow")
    assert table.question_kinds() == {2: "proof"}


def test_c19_fellows_may_be_converted_and_handed_the_bomb():
    table = with_coins(5, anarchist=True)
    assert table.targets(1, "convert") == [2, 3, 4]
    assert table.targets(1, "bomb") == [2, 3, 4]
    table.play("1 bomb 3")
    assert sorted(table.offered(3)) == ["defuse", "explode captain", "explode contessa", "hand 2", "hand 4"]


def test_c19_while_all_the_living_are_of_one_party_everything_is_allowed(answers):
    table = one_party(answers)
    assert table.targets(1, "steal") == [2, 3, 4]
    table.play("1 foreign-aid")
    assert table.question_kinds() == {2: "block", 3: "block", 4: "block"}


def test_c19_only_the_living_count(answers):
    table = parties(answers=answers).resign(2).resign(4)
    assert table.parties[0] == table.parties[2] == "empire"
    assert table.targets(1, "steal") == [3]
    table.play("1 foreign-aid")
    assert table.question_kinds() == {3: "block"}


def test_c19_one_of_the_other_party_protects_the_fellows_again():
    table = one_party().play("1 income", "2 income", "3 income", "4 convert")
    assert table.targets(1, "steal") == [4]
    assert table.targets(1, "coup") == []


def test_c19_the_party_is_looked_at_when_the_action_is_declared(answers):
    table = parties(answers=answers)
    table.play("1 convert 2")
    assert table.parties == ("empire", "empire", "empire", "resistance")
    assert table.targets(2, "steal") == [4]


def test_c19_who_may_block_is_looked_at_when_the_window_opens_and_not_again(answers):
    table = parties(seats=3, answers=answers).play("1 foreign-aid")
    assert table.question_kinds() == {2: "block"}
    table.resign(2)
    assert (table.coins, table.turn) == ((4, 0, 2), 3)


def test_c19_a_forced_coup_always_has_a_target():
    table = parties(seats=3).play("1 tax", "all allow", "2 income", "3 income", "1 tax", "all allow", "2 income")
    table.play("3 income", "1 foreign-aid", "all allow").resign(2)
    assert table.parties[0] == table.parties[2]
    table.play("3 income")
    assert table.coins[0] == 10
    assert table.offered(1) == ["coup 3"]


def test_c19_a_forced_coup_spares_the_fellows_while_there_are_others():
    table = with_coins(10)
    assert table.offered(1) == ["coup 2", "coup 4"]


def test_converting_flips_the_party_and_pays_the_reserve():
    table = parties().play("1 convert", "2 convert 3")
    assert table.parties == ("resistance", "resistance", "resistance", "resistance")
    assert (table.coins, table.reserve, table.treasury) == ((1, 0, 2, 2), 3, 42)


def test_c26_another_may_be_converted_whichever_party_they_are_of():
    assert parties().targets(1, "convert") == [2, 3, 4]
    assert parties().play("1 convert 3").parties == ("empire", "resistance", "resistance", "resistance")
    assert parties().play("1 convert 2").parties == ("empire", "empire", "empire", "resistance")


def test_c26_nobody_converts_the_dead_or_themselves_for_two():
    table = parties().resign(3)
    assert table.targets(1, "convert") == [2, 4]
    table.refuses("1 convert 3")
    table.refuses("1 convert 1")


def test_c26_fellows_are_asked_in_challenge_windows(answers):
    table = parties(answers=answers).play("1 tax")
    assert table.question_kinds() == {2: "challenge", 3: "challenge", 4: "challenge"}
    table = parties(answers=answers).play("1 steal 2")
    assert table.question_kinds() == {2: "challenge", 3: "challenge", 4: "challenge"}


def test_c26_only_the_block_window_of_foreign_aid_leaves_fellows_out(answers):
    assert 3 not in parties(answers=answers).play("1 foreign-aid").question_kinds()


def test_the_reserve_never_goes_to_the_treasury():
    table = parties().play("1 convert", "2 convert", "3 convert 4")
    assert (table.coins, table.reserve) == ((1, 1, 0, 2), 4)
    treasury = table.treasury
    table.resign(1)
    assert (table.reserve, table.treasury) == (4, treasury + 1)
    table.resign(2)
    assert (table.reserve, table.treasury) == (4, treasury + 2)


def test_embezzlement_unchallenged_takes_all_of_it_duke_or_not(answers):
    table = Table(3, ["duke duke"], answers=answers, reformation=True)
    table.play("1 empire", "1 convert", "2 convert", "3 convert", "1 embezzle", "all allow")
    assert (table.coins, table.reserve, table.turn) == ((4, 1, 1), 0, 2)


def test_embezzlement_by_a_fellow_may_be_challenged(answers):
    table = Table(3, DEAL[:3], answers=answers, reformation=True).play("1 empire", "1 convert 2", "2 embezzle")
    assert "challenge" in table.offered(1)


def test_c20_with_a_duke_the_embezzler_must_concede(answers):
    table = embezzling("duke captain", answers)
    assert table.question_kinds() == {1: "proof"}
    assert sorted(table.offered(1)) == ["concede captain", "concede duke"]
    table.refuses("1 prove")


@pytest.mark.parametrize("card", ["duke", "captain"])
def test_c20_conceding_costs_a_card_of_ones_choice_and_the_reserve_stays(answers, card):
    table = embezzling("duke captain", answers).play(f"1 concede {card}")
    assert (table.lost, table.coins, table.reserve) == ((card, "", ""), (1, 1, 1), 3)
    assert (table.cards, table.turn) == ((1, 2, 2), 2)


def test_c20_without_a_duke_the_embezzler_may_prove_or_concede(answers):
    table = embezzling("assassin captain", answers)
    assert sorted(table.offered(1)) == ["concede assassin", "concede captain", "prove"]
    table.play("1 concede assassin")
    assert (table.lost, table.coins, table.reserve) == (("assassin", "", ""), (1, 1, 1), 3)


def test_c20_a_proof_shows_all_face_down_cards_to_everyone(answers):
    table = embezzling("assassin ambassador", answers)
    mark = table.mark
    table.will_draw("duke", "contessa").play("1 prove")
    for viewer in (2, 3, SPECTATOR):
        assert "assassin" in table.encoded_events(viewer, mark)
        assert "ambassador" in table.encoded_events(viewer, mark)
        assert "duke" not in table.encoded_events(viewer, mark).replace('"character":"duke"', "")
    assert table.hand(1) == "contessa duke"


def test_c20_the_cards_shown_are_shuffled_into_the_court_and_as_many_drawn(answers):
    table = embezzling("assassin ambassador", answers).will_draw("assassin", "ambassador").play("1 prove")
    assert [bound for bound, _ in table.chance.draws[-2:]] == [11, 10]
    assert table.hand(1) == "ambassador assassin"
    assert (table.court, table.cards) == (9, (2, 2, 2))


def test_c20_then_the_challenger_loses_an_influence_and_then_the_reserve_is_taken(answers):
    table = embezzling("assassin ambassador", answers).will_draw("duke", "contessa").play("1 prove")
    assert table.question_kinds() == {2: "loss"}
    assert (table.coins[0], table.reserve) == (1, 3)
    table.play("2 lose contessa")
    assert (table.coins, table.reserve, table.lost, table.turn) == ((4, 1, 1), 0, ("", "contessa", ""), 2)


def test_c20_with_one_card_one_card_is_shown_and_one_drawn(answers):
    table = Table(3, ["assassin ambassador", "contessa captain"], answers=answers, reformation=True)
    table.play("1 empire", "1 steal 2", "2 challenge", "rest allow", "1 concede assassin", "2 convert", "3 convert")
    table.play("1 embezzle", "3 challenge", "rest allow")
    assert sorted(table.offered(1)) == ["concede", "prove"]
    table.will_draw("duke").play("1 prove")
    assert (table.hand(1), table.cards[0]) == ("duke", 1)
    assert table.question_kinds() == {3: "loss"}


def test_c20_a_face_up_duke_does_not_count(answers):
    table = Table(3, ["duke ambassador", "contessa captain"], answers=answers, reformation=True)
    table.play("1 empire", "1 steal 2", "2 challenge", "rest allow", "1 concede duke", "2 convert", "3 convert")
    table.play("1 embezzle", "3 challenge", "rest allow")
    assert sorted(table.offered(1)) == ["concede", "prove"]


def test_c20_an_embezzler_who_goes_out_leaves_the_reserve_where_it_is(answers):
    table = Table(3, ["assassin duke", "contessa captain"], answers=answers, reformation=True)
    table.play("1 empire", "1 steal 2", "2 challenge", "rest allow", "1 concede assassin", "2 convert", "3 convert")
    table.play("1 embezzle", "3 challenge", "rest allow", "1 concede")
    assert (table.alive, table.reserve, table.turn) == ((2, 3), 2, 2)


def test_c20_the_challengers_last_card_may_end_the_game_before_the_reserve_is_taken(answers):
    deal = ["assassin ambassador", "contessa captain"]
    table = Table(2, deal, answers=answers, two_player_setup="dealt", reformation=True)
    table.play("1 empire", "1 convert", "2 exchange", "1 challenge", "2 concede captain")
    table.play("1 embezzle", "2 challenge").will_draw("duke", "duke").play("1 prove")
    assert (table.winner, table.coins[0], table.reserve) == (1, 0, 1)


def test_parties_alternate_among_the_living(answers):
    table = Table(4, DEAL, answers=answers, reformation=True).resign(2).play("1 empire")
    assert [table.parties[seat - 1] for seat in table.alive] == ["empire", "resistance", "empire"]
