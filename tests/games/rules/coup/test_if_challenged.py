"""The plan for a challenge: prove the claim, otherwise concede the named card, otherwise the remaining card."""

import pytest

from games.rules.coup.plans import IfChallenged
from tests.games.rules.coup.table import Table
from tests.games.rules.coup.test_anarchist import bombed
from tests.games.rules.coup.test_plans import answers
from tests.games.rules.coup.test_reformation import embezzling

DEAL = ["duke contessa", "captain assassin", "ambassador contessa"]


@pytest.mark.parametrize(
    ("claim", "lose", "answer"),
    [
        ("tax", "contessa", "prove"),
        ("tax", "duke", "prove"),
        ("steal 2", "contessa", "concede contessa"),
        ("steal 2", "duke", "concede duke"),
    ],
)
def test_what_can_be_proved_is_and_else_the_named_card_goes(claim: str, lose: str, answer: str) -> None:
    table = Table(3, DEAL).play(f"1 {claim}", "2 challenge", "rest allow")
    assert answers(table, 1, IfChallenged(lose)) == answer


def test_who_does_not_hold_the_named_card_concedes_another() -> None:
    table = Table(3, DEAL).play("1 steal 2", "2 challenge", "rest allow")
    assert answers(table, 1, IfChallenged("assassin")) in ("concede contessa", "concede duke")


@pytest.mark.parametrize("lose", ["assassin", "captain", "duke"])
def test_the_last_card_goes_whichever_was_named(lose: str) -> None:
    table = Table(3, DEAL).play("1 income", "2 tax", "3 challenge", "rest allow", "2 concede assassin")
    table.play("3 income", "1 income", "2 tax", "3 challenge", "rest allow")
    assert answers(table, 2, IfChallenged(lose)) == table.offered(2)[0]
    assert len(table.offered(2)) == 1
    table.play(f"2 {table.offered(2)[0]}")
    assert table.alive == (1, 3)


@pytest.mark.parametrize(
    ("hand", "lose", "answer"),
    [
        ("assassin captain", "captain", "prove"),
        ("duke captain", "captain", "concede captain"),
        ("duke captain", "duke", "concede duke"),
    ],
)
def test_c20_an_embezzler_proves_to_have_no_duke_or_concedes_the_named_card(hand: str, lose: str, answer: str) -> None:
    assert answers(embezzling(hand), 1, IfChallenged(lose)) == answer


@pytest.mark.parametrize(("seat", "answer"), [(2, "prove"), (3, "concede")])
def test_who_defuses_the_bomb_proves_the_contessa_or_loses_all(seat: int, answer: str) -> None:
    table = bombed(seat).play(f"{seat} defuse", "4 challenge", "rest allow")
    assert answers(table, seat, IfChallenged("captain")) == answer
