"""Reading and writing Coup's moves (notation.md)."""

import pytest

from games.engine import RuleViolation
from games.engine.reading import fold
from games.rules.coup import RULES
from tests.examples import for_each, read_examples
from tests.games.rules.coup.random_play import games
from tests.games.rules.coup.table import Table

EXAMPLES = read_examples(__file__)

DEAL = ["duke assassin", "contessa captain", "duke captain"]

WORDS = EXAMPLES["words"]
PERSIAN_DIGITS = str.maketrans("0123456789", "۰۱۲۳۴۵۶۷۸۹")
ARABIC_DIGITS = str.maketrans("0123456789", "٠١٢٣٤٥٦٧٨٩")


def read(table: Table, seat: int, text: str, **names: int) -> str:
    """The canonical text of the move that a seat's player means."""
    folded = {fold(name): number for name, number in names.items()}
    return RULES.text(RULES.parse(table.state, table.question(seat), text, folded))


def refused(table: Table, seat: int, text: str, **names: int) -> str:
    """The code with which a text is refused."""
    with pytest.raises(RuleViolation) as caught:
        read(table, seat, text, **names)
    return caught.value.code


def met(count: int = 60):
    """Random games' questions with their moves, each kind of question and each text once a game."""
    for game in games(count, first=1201):
        kinds: set[str] = set()
        for _ in game.batches():
            for question in RULES.questions(game.state):
                moves = RULES.legal_moves(game.state, question)
                notations = " | ".join(map(RULES.text, moves))
                if notations not in kinds:
                    kinds.add(notations)
                    yield game.state, question, moves


def persian(text: str, spelling) -> str:
    """A canonical text in Persian words and digits."""
    return " ".join(spelling(WORDS[word]) if word in WORDS else word.translate(PERSIAN_DIGITS) for word in text.split())


@pytest.mark.parametrize(
    "spelling",
    [
        lambda word: word,
        lambda word: word.replace("\u200c", " "),
        lambda word: word.replace("\u200c", ""),
        lambda word: word.replace("ی", "ي").replace("ک", "ك"),
    ],
    ids=["half-space", "blank", "nothing", "arabic letters"],
)
def test_every_move_can_be_written_in_persian(spelling):
    for state, question, moves in met(20):
        for move in moves:
            assert RULES.parse(state, question, persian(RULES.text(move), spelling), {}) == move


def test_allow_has_two_persian_words():
    table = Table(3, DEAL).play("1 tax")
    assert read(table, 2, "مجاز") == read(table, 2, "اجازه") == "allow"


def test_every_word_is_tested():
    assert len(WORDS) == 33


@for_each("text", EXAMPLES["spellings"])
def test_the_parser_is_kinder_than_the_printer(text):
    assert read(Table(3, DEAL), 1, text) == "steal 2"


@pytest.mark.parametrize("text", ["foreign-aid", "foreign aid", "Foreign Aid.", "foreignaid", "FOREIGN-AID"])
def test_foreign_aid_is_understood_with_a_blank(text):
    assert read(Table(3, DEAL), 1, text) == "foreign-aid"


@pytest.mark.parametrize("text", ["keep duke assassin", "keep assassin duke", "Keep Duke  Assassin."])
def test_cards_may_stand_in_another_order(text):
    table = Table(3, DEAL).play("1 exchange").will_draw("contessa", "captain").play("all allow")
    assert read(table, 1, text) == "keep assassin duke"


def test_a_players_name_stands_for_their_seat():
    table = Table(3, DEAL)
    assert read(table, 1, "steal Sepideh", Sepideh=2, Bahareh=3) == "steal 2"
    assert read(table, 1, "steal BAHAREH.", Sepideh=2, Bahareh=3) == "steal 3"
    assert read(table, 1, "باج‌گیری سپیده", **{"سپیده": 2}) == "steal 2"
    assert read(table, 1, "steal Maryam Banu", **{"Maryam": 2, "Maryam Banu": 3}) == "steal 3"


def test_an_unknown_name_is_not_guessed():
    assert refused(Table(3, DEAL), 1, "steal Sepid", Sepideh=2) == "malformed"


def test_a_verb_alone_is_enough_where_only_one_answer_has_it():
    table = Table(3, DEAL).play("1 tax", "2 challenge").will_draw("duke").play("1 prove")
    assert refused(table, 2, "lose") == "malformed"
    table = (
        Table(3, ["duke assassin", "captain captain"]).play("1 tax", "2 challenge").will_draw("duke").play("1 prove")
    )
    assert read(table, 2, "lose") == "lose captain"
    table = Table(3, DEAL).play("1 foreign-aid")
    assert read(table, 2, "block") == "block duke"


def test_convert_alone_is_ones_own_party():
    table = Table(3, DEAL, reformation=True).play("1 empire")
    assert read(table, 1, "convert") == "convert"
    assert read(table, 1, "convert 2") == "convert 2"


def test_explode_and_concede_alone_are_the_move_with_one_card_and_open_with_two():
    table = Table(3, DEAL).play("1 steal 2", "2 challenge")
    assert refused(table, 1, "concede") == "malformed"
    table.play("1 concede duke", "2 income", "3 income", "1 steal 2", "2 challenge")
    assert read(table, 1, "concede") == "concede"


def test_a_bare_number_is_never_a_seat():
    table = Table(3, DEAL)
    assert read(table, 1, "1") == read(table, 1, "1.") == table.offered(1)[0]
    assert read(table, 1, "۲") == table.offered(1)[1]
    assert refused(table, 1, "0") == "illegal"
    assert refused(table, 1, "99") == "illegal"


@for_each("text, code", EXAMPLES["refused"])
def test_what_cannot_be_read_as_exactly_one_legal_move_is_refused(text, code):
    assert refused(Table(3, DEAL), 1, text) in ({code} if code == "illegal" else {"malformed", "illegal"})


def test_a_refusal_lists_the_legal_moves():
    with pytest.raises(RuleViolation) as caught:
        read(Table(3, DEAL).play("1 steal 2"), 2, "block duke")
    for text in ("allow", "challenge", "block captain", "block ambassador"):
        assert text in str(caught.value)


def test_a_very_long_text_is_refused_and_not_repeated_whole():
    with pytest.raises(RuleViolation) as caught:
        read(Table(3, DEAL), 1, "tax " * 5000)
    assert len(str(caught.value)) < 1000


def test_resigning_is_never_among_the_answers():
    for _, _, moves in met(10):
        assert not any("resign" in RULES.text(move) for move in moves)


def test_each_kind_of_question_has_the_verbs_of_the_notations_table():
    verbs: dict[str, set[str]] = {}
    for _, question, moves in met():
        verbs.setdefault(question.kind, set()).update(RULES.text(move).split()[0] for move in moves)
    assert verbs == {kind: set(texts) for kind, texts in EXAMPLES["verbs"].items()}
