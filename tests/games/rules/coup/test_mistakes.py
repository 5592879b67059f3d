"""Mistakes seen elsewhere (end of section 11), a test for each."""

import pytest

from games.engine import SPECTATOR
from tests.games.rules.coup.table import Table

DEAL = ["captain assassin", "contessa duke", "contessa duke", "duke captain"]


@pytest.fixture(params=["first", "sealed"])
def answers(request) -> str:
    return request.param


def test_a_block_by_someone_who_is_not_the_target_is_refused(answers):
    table = Table(4, DEAL, answers=answers).play("1 income", "2 income", "3 income", "4 income", "1 assassinate 2")
    table.refuses("3 block contessa")
    table = Table(4, DEAL, answers=answers).play("1 steal 3")
    table.refuses("4 block captain")
    table.refuses("2 block ambassador")


def test_a_replacement_is_not_drawn_before_the_proved_card_is_returned(answers):
    deal = ["captain assassin", "captain captain", "contessa duke", "duke duke"]
    table = Table(4, deal, answers=answers).play("1 steal 2", "2 challenge", "rest allow")
    assert table.court == 7
    table.will_draw("captain").play("1 prove")
    assert table.chance.draws[-1][0] == 8
    assert table.hand(1) == "assassin captain"


def test_an_examined_card_is_not_sent_to_everyone(answers):
    deal = ["inquisitor assassin", "contessa duke", "captain duke"]
    table = Table(3, deal, answers=answers, inquisitor=True).play("1 examine 2", "all allow")
    mark = table.mark
    table.play("2 show contessa", "1 return", "2 income")
    for viewer in (3, SPECTATOR):
        assert "contessa" not in table.encoded_events(viewer, mark)
        assert b'examined":"contessa' not in table.encoded_view(viewer)


def test_a_thief_is_not_paid_nothing_because_the_purse_was_emptied_first(answers):
    table = Table(3, ["captain assassin", "contessa duke", "contessa duke"], answers=answers)
    table.play("1 income", "2 steal 3", "1 challenge", "rest allow", "2 concede contessa", "3 income")
    table.play("1 steal 2", "2 block captain", "3 allow", "1 challenge", "rest allow", "2 concede")
    assert table.alive == (1, 3)
    assert table.coins == (5, 0, 3)


@pytest.mark.parametrize("hand", ["captain duke", "duke duke"])
def test_the_same_card_is_not_lost_twice_in_a_double_loss(answers, hand):
    table = Table(4, ["assassin captain", hand], answers=answers)
    table.play("1 income", "2 income", "3 income", "4 income", "1 assassinate 2", "2 block contessa", "rest allow")
    table.play("3 challenge", "rest allow", "2 concede")
    assert sorted(table.lost[1].split()) == hand.split()
    table = Table(4, ["assassin captain", hand], answers=answers)
    table.play("1 income", "2 income", "3 income", "4 income", "1 assassinate 2", "2 challenge", "rest allow")
    table.will_draw("assassin").play("1 prove", "2 lose duke", "2 allow")
    assert sorted(table.lost[1].split()) == hand.split()


@pytest.mark.parametrize("hand", ["captain duke", "duke duke"])
def test_the_same_card_is_not_lost_twice_to_a_bomb(answers, hand):
    table = Table(4, ["assassin captain", hand], answers=answers, anarchist=True)
    table.play("1 tax", "all allow", "2 income", "3 income", "4 income", "1 bomb 2", "2 defuse", "3 challenge")
    table.play("rest allow", "2 concede")
    assert sorted(table.lost[1].split()) == hand.split()


def test_an_embezzler_does_not_keep_the_cards_they_showed(answers):
    table = Table(4, ["assassin captain", "contessa duke"], answers=answers, reformation=True)
    table.play("1 empire", "1 convert", "2 income", "3 income", "4 income", "1 embezzle", "2 challenge", "rest allow")
    table.will_draw("contessa", "ambassador").play("1 prove")
    assert table.hand(1) == "ambassador contessa"
    table.play("2 lose duke", "2 exchange").will_draw("captain", "assassin").play("all allow")
    assert "keep assassin" in table.offered(2)
    assert "keep captain" in table.offered(2)
