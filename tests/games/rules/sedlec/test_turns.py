"""A turn: dig, collect or lay, what each allows, and who comes next (S4, S5, S9, S10)."""

from itertools import combinations

import pytest

from tests.games.rules.sedlec.table import Table, position, rows

FULL_OF_2 = rows("royal/royal royal/royal", "royal/royal royal/royal royal/royal", " ".join(["royal/royal"] * 4))
EIGHT_OF_2 = rows("- royal/royal", "royal/royal royal/royal royal/royal", " ".join(["royal/royal"] * 4))
SEVEN_OF_2 = rows("- -", "royal/royal royal/royal royal/royal", " ".join(["royal/royal"] * 4))
FULL_OF_3 = rows("royal/royal", "royal/royal royal/royal", "royal/royal royal/royal royal/royal")


def verbs(table: Table, seat: int = 1) -> set[str]:
    """Return the kinds of legal moves of a seat."""
    return {text.split()[0] for text in table.offered(seat)}


def test_a_first_turn_offers_any_two_closed_piles_and_the_open_card():
    table = Table(pile=3)
    pairs = [f"dig {one} {two}" for one, two in combinations([1, 2, 4, 5, 6], 2)]
    assert table.offered(1) == [*pairs, "collect 3"]


def test_dig_turns_up_two_top_cards_and_one_of_them_is_taken():
    table = Table(deal="royal/royal peasant/peasant priest/priest lover/lover sinner/sinner", pile=6).play("1 dig 1 2")
    assert table.state.face_up[:2] == ("royal/royal", "lover/lover")
    assert table.asked == {1: "take"}
    assert table.offered(1) == ["take 1", "take 2"]
    table.play("1 take 2")
    assert table.state.hands == (("lover/lover",), ())
    assert table.state.face_up[:2] == ("royal/royal", None)
    assert table.asked == {2: "turn"}


def test_after_digging_another_face_up_card_cannot_be_taken_instead():
    table = Table(pile=6).play("1 dig 1 2")
    assert table.refused("1 take 6") == "illegal"
    assert table.refused("1 collect 6") == "illegal"
    assert table.refused("1 lay royal/royal left") == "illegal"


def test_when_a_card_is_taken_the_next_card_of_the_pile_stays_face_down():
    table = Table(pile=3).play("1 collect 3")
    assert table.state.face_up[2] is None
    assert len(table.state.face_down[2]) == 2
    assert "dig 3 4" in table.offered(2)
    assert "collect 3" not in table.offered(2)


def test_a_pile_with_a_face_up_card_is_not_dug():
    table = Table(pile=3)
    assert not any("3" in text for text in table.offered(1) if text.startswith("dig"))
    assert table.refused("1 dig 3 4") == "illegal"


def test_two_piles_are_dug_where_there_are_two():
    assert Table().refused("1 dig 2") == "illegal"
    assert Table().refused("1 dig 2 3 4") == "illegal"
    assert Table().refused("1 dig 2 2") == "illegal"


def test_dig_is_impossible_without_a_pile_whose_top_card_is_face_down():
    table = position(face_up=["royal/royal", "lover/lover"], face_down=["peasant/peasant"])
    assert table.offered(1) == ["collect 1", "collect 2"]


def test_collect_is_impossible_without_a_face_up_card():
    assert position(face_down=["royal/royal", "lover/lover"]).offered(1) == ["dig 1 2"]


def test_lay_is_impossible_with_an_empty_hand():
    assert verbs(Table()) == {"dig", "collect"}


def test_with_one_card_in_hand_all_three_are_possible():
    assert verbs(position(hands=["royal/royal"], face_up=["lover/lover"], face_down=["", "lover/sinner"])) == {
        "dig",
        "collect",
        "lay",
    }


def test_with_two_cards_in_hand_at_the_start_of_a_turn_one_must_lay():
    table = position(hands=["royal/royal lover/lover"], face_up=["priest/priest"], face_down=["", "lover/sinner"])
    assert table.offered(1) == ["lay royal/royal left", "lay lover/lover left"]
    assert table.question(1).reason == "hand-full"


def test_s9_digging_the_only_face_down_pile_takes_its_card_at_once():
    table = position(face_up=[None, "lover/lover"], face_down=["royal/royal peasant/peasant", "priest/priest"])
    assert table.offered(1) == ["dig 1", "collect 2"]
    table.play("1 dig 1")
    assert table.state.hands[0] == ("royal/royal",)
    assert table.asked == {2: "turn"}
    assert [type(event).__name__ for event in table.log[-3:]] == ["Dug", "Taken", "TurnBegan"]


def test_s4_a_player_whose_cards_make_a_full_pyramid_takes_no_more():
    table = position(
        hands=["lover/lover"], pyramids=[EIGHT_OF_2], face_up=["priest/priest"], face_down=["", "lover/sinner"]
    )
    assert table.offered(1) == ["lay lover/lover on 2.1"]
    assert table.question(1).reason == "enough"


def test_s4_one_card_less_and_a_player_may_take():
    table = position(
        hands=["lover/lover"], pyramids=[SEVEN_OF_2], face_up=["priest/priest"], face_down=["", "lover/sinner"]
    )
    assert verbs(table) == {"dig", "collect", "lay"}


def test_s4_in_a_game_of_three_six_cards_are_enough():
    five = rows("-", "royal/royal royal/royal", "royal/royal royal/royal royal/royal")
    assert verbs(position(3, hands=["lover/lover"], pyramids=[five], face_up=["priest/priest"])) == {"lay"}
    assert verbs(position(2, hands=["lover/lover"], face_up=["priest/priest"])) == {"collect", "lay"}


def test_s5_a_player_whose_pyramid_is_full_is_skipped():
    table = position(
        3, hands=["lover/lover"], pyramids=[rows("-", "- -", "royal/royal royal/royal royal/royal"), FULL_OF_3]
    )
    table.play("1 lay lover/lover on 1.1")
    assert table.asked == {3: "turn"}


def test_s5_the_last_player_with_room_plays_on_alone():
    table = position(pyramids=[rows("royal/royal"), FULL_OF_2], face_up=["lover/lover", "priest/priest"])
    table.play("1 collect 1")
    assert table.asked == {1: "turn"}
    table.play("1 lay lover/lover left")
    assert table.asked == {1: "turn"}


def test_play_goes_clockwise():
    table = Table(3, starter=2, pile=1)
    table.play("2 collect 1", "3 dig 1 2", "3 take 1")
    assert table.asked == {1: "turn"}
    table.play("1 collect 2")
    assert table.asked == {2: "turn"}


def test_s10_with_one_card_in_hand_and_nothing_left_to_take_the_player_lays():
    table = position(hands=["lover/lover", "priest/priest"], pyramids=[EIGHT_OF_2, EIGHT_OF_2])
    assert table.offered(1) == ["lay lover/lover on 2.1"]


def test_s10_one_who_may_not_take_may_not_dig_just_to_turn_cards_up():
    table = position(hands=["lover/lover"], pyramids=[EIGHT_OF_2], face_down=["priest/priest", "lover/sinner"])
    assert table.refused("1 dig 1 2") == "illegal"
    full = position(hands=["lover/lover royal/sinner"], face_down=["priest/priest", "lover/sinner"])
    assert full.refused("1 dig 1 2") == "illegal"


def test_s10_equal_cards_of_an_operators_own_deck_are_one_choice():
    assert position(hands=["lover/lover lover/lover"]).offered(1) == ["lay lover/lover left"]


def test_s10_of_two_equal_cards_one_is_laid():
    table = position(hands=["lover/lover lover/lover"]).play("1 lay lover/lover left")
    assert table.state.hands[0] == ("lover/lover",)


def test_s10_equal_cards_on_two_piles_are_two_choices_for_the_piles_differ():
    table = position(face_up=["lover/lover", "lover/lover"], face_down=["priest/priest"])
    assert table.offered(1) == ["collect 1", "collect 2"]


def test_a_whole_game_with_a_deck_of_equal_cards_can_be_played():
    table = Table(deck=("lover/lover",) * 18)
    while table.asked:
        (seat,) = table.asked
        table.play(f"{seat} {table.offered(seat)[-1]}")
    assert table.state.winners == (1, 2)


def test_the_game_ends_when_every_pyramid_is_full():
    table = position(hands=["lover/lover"], pyramids=[EIGHT_OF_2, FULL_OF_2]).play("1 lay lover/lover on 2.1")
    assert table.asked == {}
    assert table.state.winners is not None
    assert type(table.log[-1]).__name__ == "GameEnded"


@pytest.mark.parametrize("seats", [2, 3])
def test_questions_are_numbered_by_seat_and_never_asked_twice(seats):
    table = Table(seats, pile=1)
    assert table.question(1).id == "1.1"
    table.play("1 dig 2 3")
    assert table.question(1).id == "1.2"
    table.play("1 take 2")
    assert table.question(2).id == "2.1"
