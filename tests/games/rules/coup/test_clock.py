"""The moves of the clock for players who do not answer (section 8, C18)."""

import pytest

from games.engine import SPECTATOR
from tests.games.rules.coup.table import Table

DEAL = ["duke assassin", "contessa captain", "ambassador captain"]


def test_at_a_turn_the_clock_takes_income():
    table = Table(3, DEAL)
    assert table.clock_choices(1) == {"income"}
    table.clock(1)
    assert (table.coins, table.turn) == ((3, 2, 2), 2)


def rich(starter: int, **options: object) -> Table:
    """A seat of four with ten coins and to move."""
    table = Table(4, starter=starter, **options)
    if options.get("reformation"):
        table.play(f"{starter} empire")
    while table.coins[starter - 1] < 10:
        table.play(f"{table.turn} tax" if table.turn == starter else f"{table.turn} income", "all allow")
    while table.turn != starter:
        table.play(f"{table.turn} income")
    return table


@pytest.mark.parametrize(("starter", "target"), [(1, 2), (3, 4), (4, 1)])
def test_with_ten_coins_the_clock_makes_a_coup_against_the_next_player_clockwise(starter, target):
    assert rich(starter).clock_choices(starter) == {f"coup {target}"}


def test_with_ten_coins_the_clock_spares_the_dead_and_the_fellows():
    assert rich(1).resign(2).clock_choices(1) == {"coup 3"}
    assert rich(3, reformation=True).resign(4).clock_choices(3) == {"coup 2"}
    assert rich(4).resign(1).clock_choices(4) == {"coup 2"}


@pytest.mark.parametrize("answers", ["first", "sealed"])
def test_in_a_window_the_clock_allows(answers):
    table = Table(3, DEAL, answers=answers).play("1 steal 2")
    assert table.clock_choices(2) == table.clock_choices(3) == {"allow"}
    table = Table(3, DEAL, answers=answers).play("1 foreign-aid")
    assert table.clock_choices(2) == {"allow"}
    table.play("2 block duke", "rest allow")
    assert table.clock_choices(1) == {"allow"}


def test_the_clock_proves_if_that_is_possible():
    assert Table(3, DEAL).play("1 tax", "2 challenge").clock_choices(1) == {"prove"}


def test_else_the_clock_concedes_a_card_at_random():
    table = Table(3, DEAL).play("1 steal 2", "2 challenge")
    assert table.clock_choices(1) == {"concede duke", "concede assassin"}


def test_the_clock_proves_an_embezzlers_empty_hands_or_concedes():
    table = Table(3, DEAL, reformation=True).play("1 empire", "1 convert", "2 embezzle", "1 challenge")
    assert table.clock_choices(2) == {"prove"}
    table = Table(3, DEAL, reformation=True).play("1 empire", "1 convert", "2 convert", "3 income", "1 embezzle")
    assert table.play("2 challenge").clock_choices(1) == {"concede duke", "concede assassin"}


def test_the_clock_loses_a_card_at_random():
    table = Table(3, DEAL).play("1 tax", "2 challenge").will_draw("duke").play("1 prove")
    assert table.clock_choices(2) == {"lose contessa", "lose captain"}


def test_the_clock_keeps_ones_own_cards_in_an_exchange():
    table = Table(3, DEAL).play("1 exchange").will_draw("contessa", "captain").play("all allow")
    assert table.clock_choices(1) == {"keep assassin duke"}
    table.clock(1)
    assert table.hand(1) == "assassin duke"


def test_the_clock_keeps_ones_own_single_card_in_an_exchange():
    table = Table(3, DEAL).play("1 income", "2 exchange", "3 challenge", "2 concede captain", "3 income", "1 income")
    table.play("2 exchange").will_draw("duke", "duke").play("all allow")
    assert table.clock_choices(2) == {"keep contessa"}


def test_the_clock_shows_a_card_at_random_and_gives_it_back():
    table = Table(3, ["inquisitor duke", "contessa captain"], inquisitor=True).play("1 examine 2", "all allow")
    assert table.clock_choices(2) == {"show contessa", "show captain"}
    table.clock(2)
    assert table.clock_choices(1) == {"return"}


def test_the_clock_lets_a_bomb_explode_on_a_card_at_random():
    table = Table(3, DEAL, anarchist=True).play("1 tax", "all allow", "2 income", "3 income", "1 bomb 2")
    assert table.clock_choices(2) == {"explode contessa", "explode captain"}


def test_the_clock_picks_at_random_in_the_draft_and_for_the_party():
    table = Table(2, reformation=True)
    assert len(table.clock_choices(1)) == 5
    table.play("1 pick duke").will_draw("duke", "captain").play("2 pick duke")
    assert table.clock_choices(1) == {"empire", "resistance"}


def test_the_clocks_random_card_is_an_even_choice():
    table = Table(3, DEAL).play("1 tax", "2 challenge").will_draw("duke").play("1 prove")
    choices = [table.clock_choice(2, seed) for seed in range(200)]
    assert 60 < choices.count("lose captain") < 140


def test_what_the_clock_played_is_as_secret_as_what_a_player_played():
    table = Table(3, DEAL, answers="sealed").play("1 tax")
    mark = table.mark
    table.clock(2)
    other = Table(3, DEAL, answers="sealed").play("1 tax", "2 challenge")
    for viewer in (1, 3, SPECTATOR):
        assert table.encoded_events(viewer, mark) == other.encoded_events(viewer, mark)
