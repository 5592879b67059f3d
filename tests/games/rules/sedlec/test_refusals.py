"""A refused move says why, with the ruling or the section of the rules."""

import pytest

from games.engine import RuleViolation
from games.rules.sedlec import RULES
from tests.games.rules.sedlec.random_play import RandomGame
from tests.games.rules.sedlec.table import Table, position


def refused(table: Table, text: str) -> tuple[str, str]:
    """Return the sentence and the ruling for a refused answer to the open question."""
    (question,) = RULES.questions(table.state)
    with pytest.raises(RuleViolation) as caught:
        RULES.parse(table.state, question, text, {})
    sentence = str(caught.value.phrase)
    return sentence[: sentence.index(" You can answer:")], caught.value.phrase.ruling


def test_a_turn_says_what_cannot_be_dug_or_collected() -> None:
    table = Table(deal="royal/royal", pile=1)
    assert refused(table, "collect 2") == ("Pile 2 has no face-up card.", "turn")
    assert refused(table, "dig 1 2") == ("Pile 1 has no face-down card on top.", "turn")
    assert refused(table, "take 1") == ("You take a card only after you’ve dug.", "turn")
    assert refused(table, "lay lover/priest left") == ("You don’t hold lover/priest.", "laying")
    table.play("1 dig 2 3")
    assert refused(table, "collect 1") == ("You’ve dug up cards: take one of them first.", "turn")


def test_a_full_hand_must_be_laid() -> None:
    table = position(hands=["lover/lover royal/royal"])
    assert refused(table, "dig 1 2") == ("You hold two cards, so you must lay one of them.", "turn")


@pytest.mark.parametrize("number", range(4))
def test_a_reason_is_never_an_error(number: int) -> None:
    for _, state in RandomGame(number).steps():
        for question in RULES.questions(state):
            for words in (["dig", "1"], ["dig", "1", "1"], ["collect", "9"], ["take"], ["lay", "royal/royal", "left"]):
                why = RULES.why_illegal(state, question, words)
                assert why is not None
                assert why.ruling
