"""Moves as text: the canonical form, what the parser forgives, the Persian words, and JSON."""

import msgspec
import pytest

from games.engine import RuleViolation
from games.engine.reading import fold
from games.rules.sedlec import RULES
from games.rules.sedlec.game import Collect, Dig, Lay, Take, is_legal, layings
from games.rules.sedlec.plans import VOCABULARY
from games.rules.sedlec.pyramid import HALVES, KINDS, PLACES
from games.rules.sedlec.words import PERSIAN
from tests.examples import for_each, read_examples
from tests.games.rules.sedlec.random_play import RandomGame
from tests.games.rules.sedlec.table import Table, position, rows

EXAMPLES = read_examples(__file__)

LAYING = {"hands": ["royal/peasant lover/lover"], "pyramids": [rows("priest/priest", "royal/royal sinner/sinner")]}


def read(table: Table, text: str, seat: int = 1) -> str:
    """A written move in its canonical form."""
    return RULES.text(RULES.parse(table.state, table.question(seat), text, {"maryam": 1, "kaveh": 2}))


def code(table: Table, text: str) -> str:
    """The code with which a text is refused."""
    with pytest.raises(RuleViolation) as caught:
        read(table, text)
    return caught.value.code


def test_every_move_has_one_canonical_text():
    assert RULES.text(Dig(piles=(2, 5))) == "dig 2 5"
    assert RULES.text(Dig(piles=(4,))) == "dig 4"
    assert RULES.text(Collect(pile=3)) == "collect 3"
    assert RULES.text(Take(pile=6)) == "take 6"
    assert RULES.text(Lay(card="royal/peasant", place="left")) == "lay royal/peasant left"
    assert RULES.text(Lay(card="royal/peasant", place="on 2.1")) == "lay royal/peasant on 2.1"


@for_each("text, canonical", EXAMPLES["digging"])
def test_digging_and_collecting_are_understood(text, canonical):
    assert read(Table(pile=1), text) == canonical


@pytest.mark.parametrize(
    ("text", "canonical"),
    [
        ("lay royal/peasant left", "lay royal/peasant left"),
        ("Lay Royal/Peasant Left.", "lay royal/peasant left"),
        ("lay left royal/peasant", "lay royal/peasant left"),
        ("چیدمان اشراف/رعیت چپ", "lay royal/peasant left"),
        ("چيدمان اَشراف/رعیت راست", "lay royal/peasant right"),
        ("چیدمان عاشق/عاشق راست", "lay lover/lover right"),
    ],
)
def test_laying_is_understood(text, canonical):
    assert read(position(**LAYING), text) == canonical


def test_laying_on_a_row_is_understood():
    table = position(hands=["royal/peasant"], pyramids=[rows("- -", "lover/lover royal/royal sinner/sinner")])
    for text in ("lay royal/peasant on 1.2", "lay on 1.2 royal/peasant", "چیدمان اشراف/رعیت روی ۱.۲"):
        assert read(table, text) == "lay royal/peasant on 1.2"


def test_the_other_card_is_not_taken_for_the_one_named():
    table = position(hands=["royal/peasant peasant/royal"])
    assert read(table, "lay peasant/royal left") == "lay peasant/royal left"
    assert read(table, "lay royal/peasant left") == "lay royal/peasant left"


def test_a_verb_alone_that_leaves_open_which_is_refused():
    assert code(Table(), "dig") == "malformed"
    assert code(position(**LAYING), "lay") == "malformed"
    assert code(Table(pile=6).play("1 dig 1 2"), "take") == "malformed"


@pytest.mark.parametrize("text", ["", "grave", "dig two three", "dig 2 3 now", "collect 1 please", "dig 2,3", "d 2 3"])
def test_what_cannot_be_read_is_refused(text):
    assert code(Table(), text) == "malformed"


@pytest.mark.parametrize("text", ["dig 1 2", "collect 2", "take 2", "dig 2 7", "99", "0", "lay royal/royal left"])
def test_what_is_read_but_not_possible_is_refused(text):
    assert code(Table(pile=1), text) == "illegal"


def test_a_refusal_lists_what_is_possible():
    with pytest.raises(RuleViolation, match=r"You can answer: take 1, take 2\."):
        read(Table(pile=6).play("1 dig 1 2"), "take 6")


def test_a_players_name_is_never_taken_for_a_pile():
    assert code(Table(), "dig Kaveh 3") == "malformed"
    assert code(Table(), "collect Maryam") == "malformed"


def test_letters_of_another_script_that_look_alike_are_refused():
    assert code(Table(), "dіg 2 3") == "malformed"


def test_a_line_shown_in_another_order_than_it_is_stored_is_refused():
    assert code(Table(), "dig \u202e3 2\u202c") == "malformed"


@for_each("english, persian", PERSIAN.items())
def test_every_persian_word_is_read_as_its_english_one_with_half_space_blank_or_nothing(persian, english):
    for way in (persian, persian.replace("\u200c", " "), persian.replace("\u200c", "")):
        assert VOCABULARY.tokens(fold(way), {}) == (english,)
        assert fold(way) in VOCABULARY


def test_every_word_of_the_notation_has_a_persian_one():
    assert {*PERSIAN} == {"dig", "collect", "lay", "take", "left", "right", "on", *KINDS}


@pytest.mark.parametrize("number", range(5))
def test_every_legal_move_is_read_back_from_its_persian_words(number):
    persian = PERSIAN
    digits = str.maketrans("0123456789", "۰۱۲۳۴۵۶۷۸۹")
    for _, state in RandomGame(number).steps():
        for question in RULES.questions(state):
            for move in RULES.legal_moves(state, question):
                words = RULES.text(move).replace("/", " / ").split()
                translate = " ".join(persian.get(word, word) for word in words).replace(" / ", "/").translate(digits)
                assert RULES.parse(state, question, translate, {}) == move


@pytest.mark.parametrize(
    ("move", "text"),
    [
        (Dig(piles=(1, 2)), {"type": "dig", "piles": [1, 2]}),
        (Collect(pile=3), {"type": "collect", "pile": 3}),
        (Lay(card="royal/peasant", place="on 1.2"), {"type": "lay", "card": "royal/peasant", "place": "on 1.2"}),
        (Take(pile=6), {"type": "take", "pile": 6}),
    ],
)
def test_a_move_in_json_has_the_verb_as_its_type(move, text):
    encoded = msgspec.json.encode(move)
    assert msgspec.json.decode(encoded) == text
    assert msgspec.json.decode(encoded, type=RULES.move_type) == move


@for_each(
    "text",
    [
        {"type": "dig", "piles": []},
        {"type": "dig", "piles": [1, 2, 3]},
        {"type": "dig", "piles": [0, 1]},
        {"type": "collect", "pile": 7},
        {"type": "collect", "pile": "1"},
        {"type": "lay", "card": "royal", "place": "left"},
        {"type": "lay", "card": "royal/knight", "place": "left"},
        {"type": "lay", "card": "royal/royal", "place": "on 3.1"},
        {"type": "take", "pile": 1, "card": "royal/royal"},
        {"type": "steal", "target": 2},
    ],
)
def test_a_move_in_json_of_another_shape_is_refused(text):
    with pytest.raises(msgspec.ValidationError):
        msgspec.convert(text, RULES.move_type)


def test_the_schemas_name_every_move_every_place_and_every_option():
    moves = msgspec.json.schema(RULES.move_type)
    assert set(moves["discriminator"]["mapping"]) == {"dig", "collect", "lay", "take"}
    assert set(moves["$defs"]["Lay"]["properties"]["place"]["enum"]) == set(PLACES)
    options = msgspec.json.schema(RULES.option_type)["$defs"]["Options"]["properties"]
    assert set(options) == {"starting_player", "previous_winners"}
    for kind in (RULES.view_type, RULES.event_type):
        assert msgspec.json.schema(kind)


def test_the_quick_look_whether_a_move_is_legal_agrees_with_the_list():
    conceivable_moves = [
        *[Dig(piles=(one,)) for one in range(1, 7)],
        *[Dig(piles=(one, two)) for one in range(1, 7) for two in range(1, 7)],
        *[kind(pile=pile) for kind in (Collect, Take) for pile in range(1, 7)],
        *[Lay(card=card, place=place) for card in list(HALVES)[::3] for place in PLACES],
    ]
    for number in range(6):
        for _, state in RandomGame(number).steps():
            for question in RULES.questions(state):
                moves = RULES.legal_moves(state, question)
                listed = {RULES.text(move) for move in moves}
                assert {RULES.text(move) for move in conceivable_moves if is_legal(state, move)} <= listed
                assert all(is_legal(state, move) for move in moves)
    assert layings(Table().state, "1.1") == []
