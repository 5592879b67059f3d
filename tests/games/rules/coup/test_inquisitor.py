"""The inquisitor: exchanging one card, examining another's, barring thieves (section 6, C21)."""

import pytest

from games.engine import SPECTATOR
from tests.games.rules.coup.table import Table

DEAL = ["inquisitor duke", "captain contessa", "assassin duke"]


@pytest.fixture(params=["first", "sealed"])
def answers(request) -> str:
    return request.param


def table_of(answers: str, deal: list[str] = DEAL, seats: int = 3, **options: object) -> Table:
    return Table(seats, deal, answers=answers, inquisitor=True, **options)


def examined_card(answers: str, card: str = "captain") -> Table:
    """Return a table on which seat 1 examines a card of seat 2."""
    return table_of(answers).play("1 examine 2", "all allow", f"2 show {card}")


def test_an_examination_may_be_aimed_at_any_opponent(answers):
    assert table_of(answers).targets(1, "examine") == [2, 3]


def test_an_examination_claims_the_inquisitor_and_can_be_challenged(answers):
    table = table_of(answers).play("1 examine 2", "3 challenge", "rest allow")
    assert sorted(table.offered(1)) == ["concede duke", "concede inquisitor", "prove"]
    table.will_draw("captain").play("1 prove", "3 lose duke")
    assert table.question_kinds() == {2: "show"}


def test_a_bluffed_examination_is_void_when_disproved(answers):
    table = table_of(answers, ["captain duke", "captain contessa"])
    table.play("1 examine 2", "2 challenge", "rest allow", "1 concede duke")
    assert (table.cards, table.turn) == ((1, 2, 2), 2)


def test_an_examination_cannot_be_blocked(answers):
    table = table_of(answers).play("1 examine 2")
    table.refuses("2 block contessa")
    table.refuses("2 block inquisitor")
    table.play("all allow")
    assert table.question_kinds() == {2: "show"}


def test_the_target_chooses_which_card_to_show(answers):
    table = table_of(answers).play("1 examine 2", "all allow")
    assert sorted(table.offered(2)) == ["show captain", "show contessa"]
    for card in ("captain", "contessa"):
        assert examined_card(answers, card).view(1).examined == card


def test_only_the_two_of_them_see_the_card(answers):
    table = table_of(answers).play("1 examine 2", "all allow")
    mark = table.mark
    table.play("2 show captain")
    assert (table.view(1).examined, table.view(2).examined) == ("captain", "captain")
    assert (table.view(3).examined, table.view(SPECTATOR).examined) == (None, None)
    assert "captain" in table.encoded_events(1, mark)
    assert "captain" in table.encoded_events(2, mark)
    assert "captain" not in table.encoded_events(3, mark)
    assert "captain" not in table.encoded_events(SPECTATOR, mark)


@pytest.mark.parametrize("end", ["1 return", "1 swap"])
def test_nobody_else_can_tell_which_card_was_shown(answers, end):
    tables = []
    for card in ("captain", "contessa"):
        table = examined_card(answers, card)
        tables.append(table.will_draw("duke").play(end) if end == "1 swap" else table.play(end))
    for viewer in (3, SPECTATOR):
        assert tables[0].encoded_view(viewer) == tables[1].encoded_view(viewer)
        assert tables[0].encoded_events(viewer) == tables[1].encoded_events(viewer)


def test_a_card_that_is_given_back_is_the_targets_again(answers):
    table = examined_card(answers).play("1 return")
    assert (table.hand(2), table.court, table.turn) == ("captain contessa", 9, 2)
    assert table.view(1).examined is None


def test_a_forced_swap_takes_the_shown_card_and_gives_one_of_the_court(answers):
    table = examined_card(answers).will_draw("duke").play("1 swap")
    assert (table.hand(2), table.court, table.cards, table.turn) == ("contessa duke", 9, (2, 2, 2), 2)


def test_the_inquisitor_does_not_see_what_was_drawn_instead(answers):
    ambassadors = [examined_card(answers).will_draw(card).play("1 swap") for card in ("duke", "assassin")]
    for viewer in (1, 3, SPECTATOR):
        assert ambassadors[0].encoded_view(viewer) == ambassadors[1].encoded_view(viewer)
        assert ambassadors[0].encoded_events(viewer) == ambassadors[1].encoded_events(viewer)
    assert "duke" in ambassadors[0].hand(2)


def test_c21_a_forced_swap_draws_before_the_shown_card_is_returned(answers):
    table = examined_card(answers).will_draw("duke").play("1 swap")
    assert table.chance.draws[-1][0] == 9
    three = table_of(answers, ["inquisitor duke", "captain contessa", "captain captain"])
    three.play("1 examine 2", "all allow", "2 show captain")
    with pytest.raises(ValueError, match="captain"):
        three.will_draw("captain").play("1 swap")


def test_c21_then_the_shown_card_lies_in_the_court(answers):
    table = table_of(answers, ["inquisitor duke", "captain contessa", "captain captain"])
    table.play("1 examine 2", "all allow", "2 show captain").will_draw("duke").play("1 swap", "2 exchange")
    table.will_draw("captain").play("all allow")
    assert "keep captain duke" in table.offered(2)


def test_c21_a_swap_may_draw_another_card_of_the_same_character(answers):
    table = examined_card(answers).will_draw("captain").play("1 swap")
    assert table.hand(2) == "captain contessa"


def test_a_player_with_one_card_shows_it_at_once(answers):
    table = table_of(answers).play("1 income", "2 exchange", "3 challenge", "rest allow", "2 concede contessa")
    table.play("3 income", "1 examine 2", "all allow")
    assert table.question_kinds() == {1: "examine"}
    assert table.view(1).examined == "captain"
    assert table.view(3).examined is None
    table.will_draw("duke").play("1 swap")
    assert (table.hand(2), table.turn) == ("duke", 2)


def test_a_target_who_challenged_in_vain_and_is_left_with_one_card_shows_it_at_once(answers):
    table = table_of(answers).play("1 examine 2", "2 challenge", "rest allow").will_draw("inquisitor")
    table.play("1 prove", "2 lose captain")
    assert table.question_kinds() == {1: "examine"}
    assert table.view(1).examined == "contessa"


def test_the_inquisitor_bars_a_thief_by_a_claim_that_can_be_challenged(answers):
    table = table_of(answers, ["captain duke", "inquisitor contessa"]).play("1 steal 2", "2 block inquisitor")
    table.play("rest allow", "1 challenge", "rest allow").will_draw("duke").play("2 prove", "1 lose captain")
    assert (table.coins, table.lost[0]) == ((2, 2, 2), "captain")


def test_a_false_inquisitor_does_not_bar_a_thief(answers):
    table = table_of(answers, ["captain duke", "duke contessa"]).play("1 steal 2", "2 block inquisitor")
    table.play("rest allow", "1 challenge", "rest allow", "2 concede duke")
    assert (table.coins, table.lost[1]) == ((4, 0, 2), "duke")


def test_holding_the_inquisitor_is_no_immunity_from_theft(answers):
    table = table_of(answers, ["captain duke", "inquisitor contessa"]).play("1 steal 2", "all allow")
    assert table.coins == (4, 0, 2)


def test_the_inquisitors_exchange_with_one_card_keeps_one_of_two(answers):
    table = table_of(answers).play("1 income", "2 exchange", "3 challenge", "rest allow", "2 concede contessa")
    table.play("3 income", "1 income", "2 exchange").will_draw("duke").play("all allow")
    assert sorted(table.offered(2)) == ["keep captain", "keep duke"]
    table.play("2 keep duke")
    assert (table.hand(2), table.court) == ("duke", 9)
