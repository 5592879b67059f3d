"""The help in a first game: the risk of each answer, with odds that follow from the player's view alone."""

from games.rules.coup import RULES
from tests.games.rules.coup.table import Table


def risks(table: Table, seat: int) -> list[str]:
    """Return the sentences about the risk of the answers to a seat's question."""
    question = next(question for question in RULES.questions(table.state) if question.seat == seat)
    return [str(risk) for risk in RULES.words.coaching.risks(RULES.view(table.state, seat), question)]


def test_a_turn_explains_claims_and_the_chance_that_foreign_aid_is_blocked() -> None:
    claims, aid = risks(Table(3, ["duke", "contessa"]), 1)
    assert "you may lie" in claims
    # 1 − C(11, 4) / C(13, 4): two of the 13 unseen cards are dukes, and the others hold 4 cards.
    assert "someone else holds a duke, who blocks foreign aid, in about 54 of 100 deals" in aid


def test_a_claim_is_true_as_often_as_the_cards_in_sight_allow() -> None:
    for hand, percent in ((["contessa", "captain"], 42), (["duke", "captain"], 29), (["duke", "duke"], 15)):
        table = Table(3, ["assassin", "contessa", *hand]).play("1 tax")
        odds, challenge = risks(table, 2)
        assert f"1 holds the duke in about {percent} of 100 deals" in odds
        assert challenge == "If you challenge and it’s a lie, they lose a card. If it’s true, you lose one."


def test_a_denial_is_true_as_often_as_the_claim_would_be_false() -> None:
    table = Table(3, ["captain", "contessa", "duke", "duke"], reformation=True)
    table.play("1 empire", "1 convert", "2 income", "3 income", "1 embezzle")
    assert "1 holds no duke in about 85 of 100 deals" in risks(table, 2)[0]


def test_the_target_of_an_assassination_reads_what_allowing_it_costs() -> None:
    table = Table(3, ["assassin", "duke", "contessa", "captain"])
    table.play("1 income", "2 income", "3 income", "1 assassinate 2")
    assert risks(table, 2)[-1] == "If you allow it, you lose a card."
    assert "If you allow it, you lose a card." not in risks(table, 3)


def test_two_players_who_choose_their_cards_get_no_odds() -> None:
    table = Table(2).play("1 pick duke").will_draw("duke", "captain").play("2 pick duke", "1 tax")
    assert risks(table, 2) == ["If you challenge and it’s a lie, they lose a card. If it’s true, you lose one."]
