"""Reading notation: kinder than the printer, and never guessing."""

import pytest

from games.engine import Move, RuleViolation, SeatNumber
from games.engine.reading import Vocabulary, fold, read_move
from tests.examples import for_each, read_examples

EXAMPLES = read_examples(__file__)


class Steal(Move, frozen=True, tag="steal"):
    target: SeatNumber


class Exchange(Move, frozen=True, tag="exchange"):
    cards: tuple[str, str]


class Income(Move, frozen=True, tag="income"):
    pass


WORDS = Vocabulary(
    {
        "steal": "steal",
        "rob": "steal",
        "دزدی": "steal",
        "income": "income",
        "درآمد": "income",
        "foreign aid": "foreign-aid",
        "کمک خارجی": "foreign-aid",
        "keep": "keep",
        "duke": "duke",
        "captain": "captain",
    }
)
STEALS = (Steal(target=SeatNumber(2)), Steal(target=SeatNumber(3)))
NAMES = {fold("Maryam"): SeatNumber(2), fold("مریم جان"): SeatNumber(3), fold("Sepideh 2"): SeatNumber(4)}


def text(move: Move) -> str:
    match move:
        case Steal(target=seat):
            return f"steal {seat}"
        case Exchange(cards=cards):
            return f"keep {cards[0]} {cards[1]}"
    return "income"


def read(notation: str, *moves: Move) -> Move:
    return read_move(notation, moves, text, WORDS, NAMES)


@for_each("notation, folded", EXAMPLES["folded"])
def test_texts_that_mean_the_same_are_folded_to_the_same(notation: str, folded: str) -> None:
    assert fold(notation) == folded
    assert fold(fold(notation)) == folded


@pytest.mark.parametrize("override", ["\u202d", "\u202e"])
def test_a_line_that_shows_its_letters_in_another_order_is_refused(override: str) -> None:
    with pytest.raises(RuleViolation) as refused:
        fold(f"steal {override}3")
    assert refused.value.code == "malformed"


@pytest.mark.parametrize("notation", ["foreign aid", "foreign-aid", "foreignaid", "foreign  aid", "FOREIGN AID"])
def test_within_a_word_blank_hyphen_and_nothing_are_the_same(notation: str) -> None:
    assert WORDS.tokens(fold(notation), {}) == ("foreign-aid",)


@pytest.mark.parametrize("notation", ["کمک خارجی", "کمک\u200cخارجی", "كمك خارجي", "کمک-خارجی"])
def test_a_half_space_is_the_same_too(notation: str) -> None:
    assert WORDS.tokens(fold(notation), {}) == ("foreign-aid",)


@pytest.mark.parametrize("notation", ["steal 3", "Steal 3", "rob 3", "دزدی ۳", "دزدی ٣", "steal   3.", "2"])
def test_a_move_is_read_in_either_language_or_by_its_number(notation: str) -> None:
    assert read(notation, *STEALS) == STEALS[1]


@pytest.mark.parametrize(("mistyped", "corrected"), EXAMPLES["mistyped"])
def test_a_mistyped_word_is_replaced_by_the_most_similar_word_in_a_suggestion(mistyped: str, corrected: str) -> None:
    assert WORDS.corrected(fold(mistyped), NAMES) == corrected


def test_a_name_is_not_corrected_even_if_it_is_an_ordinal_number() -> None:
    assert WORDS.corrected("stael 2nd", {"2nd": SeatNumber(3)}) == "steal 2nd"


def test_the_first_two_letters_may_have_changed_places() -> None:
    assert WORDS.corrected("tseal 2", {}) == "steal 2"
    assert WORDS.corrected("zteal 2", {}) == "zteal 2"


def test_names_stand_for_seats_also_those_of_two_words_or_with_a_digit() -> None:
    assert read("steal maryam", *STEALS) == STEALS[0]
    assert read("دزدی مریم جان", *STEALS) == STEALS[1]
    assert read("steal Sepideh 2", *STEALS, Steal(target=SeatNumber(4))) == Steal(target=SeatNumber(4))


def test_a_canonical_text_means_its_own_move_whatever_players_are_called() -> None:
    assert read_move("steal 3", STEALS, text, WORDS, {"3": SeatNumber(2)}) == STEALS[1]


@for_each("name", ["steal", "دزدی", "income", "rob"])
@for_each("notation", ["steal 3", "Steal 3.", "دزدی ۳", "rob 3"])
def test_an_offered_text_means_its_own_move_also_where_a_player_is_called_like_a_word_of_it(
    name: str, notation: str
) -> None:
    assert read_move(notation, STEALS, text, WORDS, {fold(name): SeatNumber(2)}) == STEALS[1]


def test_a_player_who_is_called_like_a_word_of_the_notation_can_still_be_named() -> None:
    assert read_move("steal duke", STEALS, text, WORDS, {"duke": SeatNumber(3)}) == STEALS[1]


def test_what_follows_the_verb_may_come_in_any_order() -> None:
    exchange = Exchange(cards=("captain", "duke"))
    assert read("keep duke captain", exchange, Income()) == exchange


def test_a_verb_alone_will_do_where_only_one_answer_has_it() -> None:
    assert read("rob", STEALS[0], Income()) == STEALS[0]
    with pytest.raises(RuleViolation, match="fits several moves"):
        read("rob", *STEALS)


@for_each("notation, code", EXAMPLES["refused"])
def test_nothing_is_guessed_and_a_refusal_lists_what_may_be_answered(notation: str, code: str) -> None:
    with pytest.raises(RuleViolation) as refused:
        read(notation, *STEALS)
    assert refused.value.code == code
    assert "steal 2, steal 3" in str(refused.value)


def test_a_refusal_repeats_no_invisible_and_no_endless_text() -> None:
    with pytest.raises(RuleViolation) as refused:
        read("x\u200f\a" * 1000, *STEALS)
    sentence = str(refused.value)
    assert "\a" not in sentence
    assert "\u200f" not in sentence
    assert len(sentence) < 250
