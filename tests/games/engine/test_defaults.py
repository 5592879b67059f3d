"""The parts of a game that follow from its types."""

from typing import Annotated, Any, Literal

import msgspec
import pytest
from msgspec.structs import replace

from games.engine import Move, Outcome, Phrase, Rules, RuleViolation, SeatNumber, SeededChance, Words
from games.engine.validation import (
    NoOptions,
    check_seat_count,
    choose_starter,
    find_question,
    question_closed,
    read_options,
)
from tests.third_game import fist

LUCK = SeededChance(bytes(32))


class Options(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    cards: Annotated[int, msgspec.Meta(ge=1, le=5)] = 3
    starting_player: Literal["random", "previous_winner"] | int = "random"
    previous_winners: tuple[int, ...] = ()


class Pass(Move, frozen=True, tag="pass"):
    pass


class Swap(Move, frozen=True, tag="swap"):
    target: SeatNumber | None = None


class Keep(Move, frozen=True, tag="keep"):
    cards: tuple[str, ...]
    place: str
    after: int | None = None


@pytest.mark.parametrize(
    ("move", "text"),
    [
        (Pass(), "pass"),
        (Swap(), "swap"),
        (Swap(SeatNumber(2), question="1.4"), "swap 2"),
        (Keep(("duke", "captain"), "left"), "keep duke captain left"),
        (Keep((), "left", 3), "keep left 3"),
    ],
)
def test_a_move_is_written_as_its_verb_and_its_fields(move: Move, text: str) -> None:
    assert str(move) == text


def test_options_are_read_by_their_struct_and_a_wrong_one_is_named() -> None:
    options = read_options(Options)
    assert options(cards=4) == Options(cards=4)
    for choice, sentence in (({"card": 4}, "card isn’t an option. Choose from: cards"), ({"cards": 9}, "can’t be 9")):
        with pytest.raises(RuleViolation, match=sentence) as refused:
            options(**choice)
        assert refused.value.code == "malformed"


def test_the_starter_is_the_one_named_a_winner_or_anybody() -> None:
    assert choose_starter(Options(starting_player=2), 3, LUCK) == 2
    assert choose_starter(Options(starting_player="previous_winner", previous_winners=(3,)), 3, LUCK) == 3
    assert {choose_starter(Options(), 3, LUCK) for _ in range(60)} == {1, 2, 3}
    with pytest.raises(RuleViolation, match="There’s no seat 4"):
        choose_starter(Options(starting_player=4), 3, LUCK)


def test_a_table_of_another_size_is_refused() -> None:
    check_seat_count(range(2, 5), 4)
    with pytest.raises(RuleViolation, match="played by 2 to 4, not by 5") as refused:
        check_seat_count(range(2, 5), 5)
    assert refused.value.code == "illegal"


@pytest.mark.parametrize(("seat", "expected"), [(1, "1.1"), (1, "1.3"), (2, "1.2"), (1, "x")])
def test_a_question_that_is_not_open_to_a_seat_is_refused_in_one_way(seat: int, expected: str) -> None:
    questions = [fist.Question("1.2", SeatNumber(1), "turn", "turn")]
    assert find_question(questions, SeatNumber(1), "1.2") is questions[0]
    with pytest.raises(RuleViolation) as refused:
        find_question(questions, SeatNumber(seat), expected)
    assert (refused.value.code, refused.value.phrase) == (question_closed().code, question_closed().phrase)


def test_a_game_that_names_no_default_move_has_one_by_lot() -> None:
    rules: Any = replace(fist.RULES)
    left_open = {name: getattr(rules, name) for name in rules.__struct_fields__ if name != "default_move"}
    rules = type(rules)(**left_open)
    state = fist.evolve(None, rules.setup(rules.options(), 2, LUCK)[0])
    (question,) = rules.questions(state)
    moves = {str(rules.default_move(state, question, LUCK)) for _ in range(100)}
    assert moves == {f"claim {number}" for number in range(1, 7)}


def test_what_a_game_leaves_out_of_its_words_and_types_is_plain() -> None:
    left_out = ("options", "option_type", "view_type", "view", "outcome", "show", "words")
    words = Words(title=Phrase("Fist"), story=fist.RULES.words.story, summary=lambda *_: (), table=lambda view: ())
    parts = {name: getattr(fist.RULES, name) for name in fist.RULES.__struct_fields__ if name not in left_out}
    rules: Any = Rules(**parts, words=words)
    state = fist.State((4, 5), 6, winners=(SeatNumber(2),))
    assert rules.options() == NoOptions()
    assert (rules.view_type, rules.view(state, SeatNumber(1))) == (fist.State, state), "nothing is marked in it"
    assert rules.outcome(state) == Outcome((SeatNumber(2),))
    assert rules.outcome(replace(state, winners=None)) is None
    question = fist.Question("1.1", SeatNumber(1), "turn", "turn")
    assert str(words.asks(state, question)) == "It’s your turn. What do you do?"
    assert str(words.label(fist.Claim(number=3))) == "claim 3"


def test_a_word_is_read_in_every_language_of_the_notation() -> None:
    words = replace(fist.RULES.words, notation={"fa": {"doubt": "شک"}})
    parts = {name: getattr(fist.RULES, name) for name in fist.RULES.__struct_fields__ if name != "parse"}
    rules: Any = type(fist.RULES)(**{**parts, "words": words, "vocabulary": {"liar": ("doubt",)}})
    state = fist.evolve(None, rules.setup(rules.options(), 2, LUCK)[0])
    state = fist.evolve(state, fist.Claimed(seat=SeatNumber(1), number=3))
    (question,) = rules.questions(state)
    for text in ("doubt", "شک", "Liar.", "2"):
        assert rules.parse(state, question, text, {}) == fist.Doubt(question="2.1")
    assert isinstance(rules.words.title, Phrase)
