"""The worked example of section 10, step by step: M is seat 1, S seat 2, B seat 3."""

from collections import Counter

import pytest

from games.engine import SPECTATOR
from tests.games.rules.coup.table import Table, pack_of

M, S, B = 1, 2, 3
DEAL = ["contessa duke", "captain contessa", "assassin duke"]


def purses(table: Table) -> tuple[int, ...]:
    """The last four columns of the table in section 10."""
    return (*table.coins, table.treasury)


def played(table: Table) -> Table:
    """All eight steps."""
    table.play("1 tax", "all allow", "2 exchange").will_draw("assassin", "duke")
    table.play("all allow", "2 keep assassin captain", "3 tax", "2 challenge", "rest allow").will_draw("contessa")
    table.play("3 prove", "2 lose assassin", "1 tax", "all allow", "2 income", "3 assassinate 1")
    table.play("1 block contessa", "rest allow", "all allow", "1 coup 3", "3 lose contessa", "2 steal 3")
    return table.play("3 block ambassador", "rest allow", "2 challenge", "rest allow", "3 concede")


@pytest.fixture(params=["first", "sealed"])
def table(request) -> Table:
    return Table(3, DEAL, answers=request.param)


def test_the_worked_example_step_by_step(table):
    assert purses(table) == (2, 2, 2, 44)
    table.play("1 tax", "all allow")
    assert purses(table) == (5, 2, 2, 41)
    table.play("2 exchange").will_draw("assassin", "duke").play("all allow", "2 keep captain assassin")
    assert purses(table) == (5, 2, 2, 41)
    assert table.hand(S) == "assassin captain"
    table.play("3 tax", "2 challenge", "rest allow").will_draw("contessa").play("3 prove", "2 lose assassin")
    assert purses(table) == (5, 2, 5, 38)
    assert (table.cards, table.lost) == ((2, 1, 2), ("", "assassin", ""))
    assert table.hand(B) == "assassin contessa"
    table.play("1 tax", "all allow")
    assert purses(table) == (8, 2, 5, 35)
    table.play("2 income")
    assert purses(table) == (8, 3, 5, 34)
    table.play("3 assassinate 1", "1 block contessa", "rest allow", "all allow")
    assert purses(table) == (8, 3, 2, 37)
    table.play("1 coup 3", "3 lose contessa")
    assert purses(table) == (1, 3, 2, 44)
    table.play("2 steal 3", "1 allow", "3 block ambassador", "2 challenge", "rest allow", "3 concede")
    assert purses(table) == (1, 5, 0, 44)
    assert table.alive == (M, S)
    assert table.turn == M


def test_the_cards_at_its_end(table):
    played(table)
    hands = Counter(f"{table.hand(M)} {table.hand(S)}".split())
    up = Counter(" ".join(table.lost).split())
    assert hands == Counter(["contessa", "duke", "captain"])
    assert up == Counter({"assassin": 2, "contessa": 1})
    court = pack_of(3) - hands - up
    assert court == Counter({"duke": 2, "assassin": 1, "captain": 2, "ambassador": 3, "contessa": 1})
    assert table.court == court.total() == 9


def test_nobody_ever_learns_of_the_bluff_in_step_2(table):
    played(table)
    honest = played(Table(3, ["contessa duke", "captain ambassador", "assassin duke"], answers=table.options.answers))
    for viewer in (M, B, SPECTATOR):
        assert table.encoded_events(viewer) == honest.encoded_events(viewer)
        assert table.encoded_view(viewer) == honest.encoded_view(viewer)
    assert table.encoded_events(S) != honest.encoded_events(S)
