"""Tests of when a clock runs out and when a seat is given up (S8)."""

from collections import Counter

import pytest

from games.engine import RuleViolation, SeededChance
from games.rules.sedlec import RULES
from tests.examples import for_each
from tests.games.rules.sedlec.table import Table, position, rows

EIGHT = rows("- royal/royal", "royal/royal royal/royal royal/royal", " ".join(["royal/royal"] * 4))


def default(table: Table, number: int = 0) -> str:
    """Return the clock's answer to the open question."""
    (question,) = RULES.questions(table.state)
    move = RULES.default_move(table.state, question, SeededChance(number.to_bytes(32, "big")))
    assert move in RULES.legal_moves(table.state, question)
    return RULES.text(move)


def defaults(table: Table, times: int = 600) -> Counter:
    """Return how often the clock plays what."""
    return Counter(default(table, number) for number in range(times))


def evenly(results: Counter, texts: list[str]) -> bool:
    """Return whether exactly these texts were chosen, each about equally often."""
    mean = results.total() / len(texts)
    return set(results) == set(texts) and all(0.6 * mean < times < 1.4 * mean for times in results.values())


def test_s8_with_two_cards_in_hand_the_clock_lays():
    table = position(hands=["royal/royal lover/lover"], pyramids=[rows("priest/priest")], face_up=["lover/sinner"])
    assert evenly(defaults(table), [text for text in table.offered(1) if text.startswith("lay")])


def test_s8_otherwise_it_collects():
    table = position(
        hands=["lover/lover"], face_up=["lover/sinner", None, "royal/sinner"], face_down=["", "royal/royal"]
    )
    assert evenly(defaults(table), ["collect 1", "collect 3"])


def test_s8_with_nothing_to_collect_it_digs():
    table = position(hands=["lover/lover"], face_down=["lover/sinner", "royal/royal", "", "royal/sinner"])
    assert evenly(defaults(table), ["dig 1 2", "dig 1 4", "dig 2 4"])
    assert default(position(hands=["lover/lover"], face_down=["lover/sinner"])) == "dig 1"


def test_s8_with_nothing_to_take_it_lays():
    assert default(position(hands=["lover/lover"])) == "lay lover/lover left"


def test_s8_one_who_has_enough_cards_lays():
    table = position(hands=["lover/lover"], pyramids=[EIGHT], face_up=["lover/sinner"])
    assert default(table) == "lay lover/lover on 2.1"


def test_s8_after_digging_the_clock_takes_either_card():
    assert evenly(defaults(Table(pile=6).play("1 dig 2 5")), ["take 2", "take 5"])


def test_s8_the_clocks_choice_is_uniform_among_texts_so_equal_cards_count_once():
    table = position(hands=["lover/lover lover/lover"], pyramids=[rows("priest/priest")])
    assert evenly(defaults(table), ["lay lover/lover left", "lay lover/lover right"])


def resigned(table: Table, seat: int, number: int = 0) -> list[str]:
    """Return the events after a seat resigns."""
    events = RULES.resign(table.state, seat, SeededChance(number.to_bytes(32, "big")))
    table.happen(events)
    return [type(event).__name__ for event in events]


def test_resigning_out_of_turn_changes_nobodys_question():
    table = Table(3).play("1 collect 1")
    before = RULES.questions(table.state)
    assert resigned(table, 3) == ["Resigned"]
    assert RULES.questions(table.state) == before


def test_s8_resigning_in_turn_lets_the_clock_play_that_turn_at_once():
    table = Table(2, pile=4)
    assert resigned(table, 1) == ["Resigned", "Taken", "TurnBegan"]
    assert table.asked == {2: "turn"}
    assert len(table.state.hands[0]) == 1


def test_s8_resigning_after_a_dig_takes_one_of_the_two_cards():
    table = Table(2, pile=4).play("1 dig 2 5")
    assert resigned(table, 1) == ["Resigned", "Taken", "TurnBegan"]
    assert table.log[-2].pile in (2, 5)


def test_s8_a_forfeited_seat_is_played_on_and_asked_nothing():
    table = Table(2, pile=4)
    resigned(table, 2)
    table.play_with_luck("1 collect 4")
    assert table.asked == {1: "turn"}
    names = [type(event).__name__ for event in table.log[-4:]]
    assert names == ["TurnBegan", "Dug", "Taken", "TurnBegan"]
    assert [event.forfeited for event in table.log if type(event).__name__ == "TurnBegan"] == [False, True, False]


@for_each("seats", [2, 3])
@for_each("number", range(10))
def test_s8_the_others_can_finish_their_pyramids(seats, number):
    table = Table(seats)
    for seat in range(2, seats + 1):
        resigned(table, seat, number)
    while table.asked:
        assert table.asked.keys() == {1}
        table.play_with_luck(f"1 {table.offered(1)[-1]}", number)
    assert RULES.outcome(table.state).winners == (1,)
    assert set(table.state.laid) == {table.state.size}


def test_one_who_gave_up_cannot_give_up_again():
    table = Table(3)
    resigned(table, 2)
    with pytest.raises(RuleViolation) as caught:
        resigned(table, 2)
    assert caught.value.code == "illegal"


@pytest.mark.parametrize("seat", [0, -1, 3, 9])
def test_a_seat_that_is_not_at_the_table_cannot_give_up(seat):
    with pytest.raises(RuleViolation) as caught:
        resigned(Table(2), seat)
    assert caught.value.code == "illegal"


def test_nobody_gives_up_a_game_that_is_over():
    table = Table(2)
    resigned(table, 1)
    resigned(table, 2)
    with pytest.raises(RuleViolation) as caught:
        resigned(table, 1)
    assert caught.value.code == "illegal"


def test_the_question_of_one_who_gave_up_is_closed():
    table = Table(2, pile=4)
    move = RULES.legal_moves(table.state, table.question(1))[0]
    resigned(table, 1)
    with pytest.raises(RuleViolation) as caught:
        RULES.decide(table.state, 1, move, table.chance)
    assert caught.value.code == "question-closed"
