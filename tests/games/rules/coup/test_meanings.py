"""The meanings of offered moves for their player: bluffs, costs and possible reactions."""

from games.rules.coup import RULES
from games.rules.coup.moves import Block
from tests.games.rules.coup.random_play import games
from tests.games.rules.coup.table import Table


def meanings(table: Table, seat: int) -> dict[str, list[str]]:
    """Return the sentences for each offered move of a seat."""
    question = next(question for question in RULES.questions(table.state) if question.seat == seat)
    view = RULES.view(table.state, seat)
    return {
        RULES.text(move): [str(sentence) for sentence in RULES.words.meanings(view, move)]
        for move in RULES.legal_moves(table.state, question)
    }


def test_a_claim_says_whether_one_holds_the_card() -> None:
    texts = meanings(Table(3, ["duke", "contessa"]), 1)
    assert texts["tax"] == ["You hold the duke."]
    assert texts["steal 2"] == ["A bluff.", "Blocked by: ambassador, captain."]
    assert texts["foreign-aid"] == ["Blocked by: duke."]
    assert texts["income"] == []


def test_what_must_be_paid_is_said_where_the_label_does_not_say_it() -> None:
    table = Table(2, ["assassin", "duke", "duke", "duke"], two_player_setup="dealt")
    table.play("1 income", "2 income", "1 income", "2 income")
    assert "It costs 3 coins." in meanings(table, 1)["assassinate 2"]


def test_a_claim_to_hold_none_is_true_for_who_holds_none() -> None:
    for card, sentence in (("duke", "A bluff: you hold a duke."), ("captain", "True: you hold no duke.")):
        table = Table(3, [card, "contessa"], reformation=True)
        table.play("1 empire", "1 convert", "2 income", "3 income")
        assert meanings(table, 1)["embezzle"] == [sentence]


def test_a_block_says_whether_one_holds_the_card_and_a_challenge_what_it_risks() -> None:
    table = Table(3, ["captain", "contessa", "ambassador", "captain"]).play("1 steal 2")
    texts = meanings(table, 2)
    assert texts["challenge"] == ["If you’re wrong, you lose an influence.", "You see 1 of the 3 captain cards."]
    assert texts["block ambassador"] == ["You hold the ambassador."]
    assert texts["allow"] == []


def test_in_every_position_a_block_is_a_bluff_for_who_does_not_hold_the_card() -> None:
    for game in games(12):
        for _ in game.batches():
            for question in RULES.questions(game.state):
                view = RULES.view(game.state, question.seat)
                hand = view.seats[question.seat - 1].hand
                for move in RULES.legal_moves(game.state, question):
                    if isinstance(move, Block):
                        is_held = move.character in hand
                        sentences = [str(sentence) for sentence in RULES.words.meanings(view, move)]
                        assert sentences == [f"You hold the {move.character}." if is_held else "A bluff."]
