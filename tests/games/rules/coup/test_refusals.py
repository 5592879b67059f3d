"""A refused move says why, with the number of its ruling."""

import pytest

from games.engine import RuleViolation, SeatNumber
from games.rules.coup import RULES
from tests.games.rules.coup.random_play import games
from tests.games.rules.coup.table import Table

DEAL = ["duke assassin", "contessa captain", "duke captain"]


def refused(table: Table, seat: int, text: str) -> tuple[str, str]:
    """The sentence and the ruling of a refused move."""
    question = next(question for question in RULES.questions(table.state) if question.seat == seat)
    with pytest.raises(RuleViolation) as caught:
        RULES.parse(table.state, question, text, {"sepideh": SeatNumber(2)})
    sentence = str(caught.value.phrase)
    return sentence[: sentence.index(" You can answer:")], caught.value.phrase.ruling


@pytest.mark.parametrize(
    ("text", "why", "ruling"),
    [
        ("coup 2", "“coup” costs 7 coins, and you have 2.", "§2"),
        ("assassinate sepideh", "“assassinate” costs 3 coins, and you have 2.", "§2"),
        ("steal 1", "You can’t aim “steal” at yourself.", "§2"),
        ("steal 7", "There’s no seat 7 in this game.", "§2"),
        ("examine 2", "This game is played without “examine”.", "C1"),
        ("allow", "It’s your turn: nobody has done anything to answer with “allow”.", "C5"),
    ],
)
def test_an_action_that_cannot_be_done_says_why(text: str, why: str, ruling: str) -> None:
    assert refused(Table(3, DEAL), 1, text) == (why, ruling)


@pytest.mark.parametrize(
    ("text", "nearest"),
    [
        ("incmoe", "income"),
        ("foriegn-aid", "foreign-aid"),
        ("steal sepideeh", "steal 2"),
        ("3rd", "tax"),
        ("②", "foreign-aid"),
    ],
)
def test_a_mistyped_move_is_refused_with_the_move_that_was_probably_meant(text: str, nearest: str) -> None:
    table = Table(3, DEAL)
    with pytest.raises(RuleViolation, match=f"Did you mean “{nearest}”"):
        RULES.parse(table.state, RULES.questions(table.state)[0], text, {"sepideh": SeatNumber(2)})


def test_a_mistyped_move_that_is_not_offered_is_not_suggested() -> None:
    table = Table(3, DEAL)
    with pytest.raises(RuleViolation) as refusal:
        RULES.parse(table.state, RULES.questions(table.state)[0], "assasinate 2", {"sepideh": SeatNumber(2)})
    assert "Did you mean" not in str(refusal.value.phrase)


def test_a_player_without_coins_cannot_be_robbed() -> None:
    table = Table(3, DEAL).play("1 income", "2 steal 3", "all allow")
    assert refused(table, 3, "assassinate 1")[1] == "§2"
    table.play("3 income", "1 steal 3", "all allow")
    assert refused(table, 2, "steal 3") == ("seat 3 has no coins to steal.", "C3")


def test_ten_coins_leave_a_coup_only() -> None:
    table = Table(2, DEAL[:2], two_player_setup="dealt")
    while table.state.coins[0] < 10:
        table.play("1 tax", "2 allow", "2 income")
    why = f"You have {table.state.coins[0]} coins. With 10 or more you must launch a coup."
    assert refused(table, 1, "tax") == (why, "§2")


def test_a_fellow_is_protected() -> None:
    """D11: a refusal says which rule forbids the move."""
    table = Table(4, [*DEAL, "ambassador contessa"], reformation=True).play("1 empire")
    assert refused(table, 1, "steal 3") == ("You can’t aim “steal” at seat 3: you’re both in the empire.", "C19")


def test_a_block_says_who_may_and_as_whom() -> None:
    table = Table(3, DEAL).play("1 steal 2")
    assert refused(table, 3, "block captain") == ("Only seat 2 can block this.", "C9")
    assert refused(table, 2, "block duke") == ("It can be blocked with: ambassador, captain.", "C9")
    table = Table(3, DEAL).play("1 tax")
    assert refused(table, 2, "block duke") == ("“tax” can’t be blocked.", "C9")
    table = Table(3, DEAL).play("1 foreign-aid")
    assert refused(table, 2, "challenge")[1] == "C5"


def test_a_proof_needs_the_card() -> None:
    table = Table(3, ["captain assassin", *DEAL[1:]]).play("1 tax", "2 challenge")
    assert refused(table, 1, "prove") == ("You don’t hold the duke, so you can’t prove it.", "C11")
    assert refused(table, 1, "concede contessa") == ("You don’t hold the contessa.", "C12")


def test_what_is_legal_needs_no_reason_and_what_is_not_is_never_an_error() -> None:
    verbs = sorted(
        {
            notation.split()[0]
            for notation in ("income", "tax", "coup 2", "steal 1", "block duke", "hand 2", "keep duke")
        }
    )
    for game in games(12, first=900):
        for _, _ in game.batches():
            for question in RULES.questions(game.state)[:1]:
                legal = {RULES.text(move) for move in RULES.legal_moves(game.state, question)}
                for verb in (*verbs, "challenge", "prove", "explode", "bomb", "embezzle", "convert", "pick", "show"):
                    for rest in ([], ["1"], ["2"], ["seat 3"], ["duke"], ["11"]):
                        if " ".join([verb, *rest]) not in legal:
                            why = RULES.why_illegal(game.state, question, [verb, *rest])
                            assert why is None or (why.text and why.ruling)
