"""The default board: drawn from a view alone, for games that draw no picture."""

import re
import xml.etree.ElementTree as ElementTree
from enum import Enum
from typing import Annotated, Any, NewType

import pytest
from msgspec import Struct
from msgspec.structs import replace

from games.engine import EVERYONE, SPECTATOR, Phrase, SeatName, SeatNumber, SeededChance
from games.engine import replay as fold
from games.engine.board import CARD, STYLE, WIDTH, DefaultPicture
from games.engine.drawing import text as draw_text
from games.engine.rules import no_picture
from games.engine.visibility import EACH_OWN
from games.kit.checking import find_faults
from games.phrases import add_words
from games.rules.registry import RULES as REGISTERED
from games.visibility import raster
from games.visibility.picture import MOST, draw, png
from tests.games.engine import hand_game
from tests.games.engine.hand_game import RULES, Discarded
from tests.games.rules.sedlec.reader import PlainReader
from tests.third_game import fist

SVG = "{http://www.w3.org/2000/svg}"
CAST = ("Maryam", "Sepideh", "Kaveh", "Bahareh", "Dariush", "Negar", "Omid", "Zoë", "Shahin", "Jaleh")
NAMES = {SeatNumber(seat): name for seat, name in enumerate(CAST, 1)}
DECK = ("duke", "contessa", "captain")
HANDS = (("duke", "captain"), ("contessa", "contessa"), ("captain", "duke"))


def stand(hands: Any = HANDS, *events: Any) -> Any:
    return fold(RULES, [hand_game.Dealt(hands=hands, deck=DECK), *events])


def draw_board(state: Any, viewer: int, rules: Any = RULES, **fields: Any) -> ElementTree.Element:
    """Return the board as this viewer sees it."""
    reader = PlainReader(fields.pop("names", NAMES), fields.pop("right_to_left", False), viewer if viewer > 0 else None)
    reader.asked_beside = fields.pop("asked_beside", False)
    return ElementTree.fromstring(rules.picture(rules.view(state, viewer), reader))


def texts(element: ElementTree.Element) -> list[str]:
    return [re.sub("[\u2066-\u2069]", "", piece.text or "") for piece in element.iter(f"{SVG}text")]


def shapes(element: ElementTree.Element, style: str) -> list[ElementTree.Element]:
    return [piece for piece in element.iter() if style in (piece.get("class") or "").split()]


def place(board: ElementTree.Element, name: str) -> ElementTree.Element:
    return next(piece for piece in board.iter() if piece.get("data-place") == name)


def test_the_own_cards_are_faces_for_their_owner_and_backs_with_a_number_for_everybody_else() -> None:
    for viewer in (1, 2, SPECTATOR):
        board = draw_board(stand(), viewer)
        for seat, hand in enumerate(HANDS, 1):
            panel = place(board, f"seat-{seat}")
            if seat == viewer:
                assert texts(panel)[-2:] == list(hand)
                assert not shapes(panel, "bd-back")
            else:
                assert texts(panel)[-1] == "× 2"
                assert (len(shapes(panel, "bd-back")), len(shapes(panel, "bd-face"))) == (2, 0)


def test_after_the_end_all_cards_are_faces() -> None:
    board = draw_board(stand(HANDS, hand_game.Won(winners=(SeatNumber(2),), hands=HANDS, deck=DECK)), EVERYONE)
    assert not shapes(board, "bd-back")
    assert not shapes(board, "bd-asked")
    assert [seat for seat in (1, 2, 3) if shapes(place(board, f"seat-{seat}"), "bd-star")] == [2]


def test_public_cards_and_hidden_ones_of_no_seat_lie_in_the_middle() -> None:
    lines = texts(draw_board(stand(HANDS, Discarded(seat=SeatNumber(1), card="captain")), 2))
    assert lines[: lines.index("Kaveh")] == [
        "Which card do you discard?",
        "3 cards are in the deck.",
        "Deck",
        "× 3",
        "Discards",
        "captain",
    ]


def test_a_line_of_the_table_about_a_seat_stands_at_it_without_its_name() -> None:
    assert texts(place(draw_board(stand(), SPECTATOR), "seat-2"))[:2] == ["Sepideh", "2 coins"]


@pytest.mark.parametrize(
    ("line", "sentence"),
    [
        (Phrase("%(player)s is out.", {"player": SeatName(2)}), "is out."),
        (Phrase("%(player)s’s turn", {"player": SeatName(2)}), "Sepideh’s turn"),
        (Phrase("Out: %(player)s", {"player": SeatName(2)}), "Out: Sepideh"),
    ],
)
def test_only_a_name_that_a_line_begins_with_is_left_out(line: Phrase, sentence: str) -> None:
    rules = replace(RULES, words=replace(RULES.words, table=lambda view: (line,)))
    assert sentence in texts(place(draw_board(stand(), SPECTATOR, rules), "seat-2"))


def test_a_line_that_says_the_cards_only_is_not_repeated() -> None:
    def table(view: Any) -> tuple[Phrase, ...]:
        line = "%(player)s: %(count)s cards (%(cards)s)"
        return tuple(
            Phrase(
                line,
                {"player": SeatName(seat), "count": len(hand), "cards": tuple(Phrase(card or "?") for card in hand)},
            )
            for seat, hand in enumerate(view.hands, 1)
        )

    board = draw_board(stand(), 1, replace(RULES, words=replace(RULES.words, table=table)))
    assert not [text for text in texts(board) if "cards" in text]


def test_the_seat_that_is_asked_is_marked_and_the_question_is_asked_in_it() -> None:
    board = draw_board(stand(), 1)
    assert [seat for seat in (1, 2, 3) if shapes(place(board, f"seat-{seat}"), "bd-asked")] == [1]
    assert texts(board)[0] == "Which card do you discard?"
    assert "Which card do you discard?" not in texts(draw_board(stand(), 1, asked_beside=True))
    assert texts(draw_board(stand(), 2))[0] == "Maryam moves next."


def test_a_status_of_the_game_is_told_instead() -> None:
    rules = replace(RULES, words=replace(RULES.words, status=lambda view, reader: (Phrase("Somebody thinks."),)))
    assert texts(draw_board(stand(), 2, rules))[0] == "Somebody thinks."


def test_seats_are_in_rows_of_two_after_the_reader_and_the_reader_has_the_last_row() -> None:
    hands = (("duke", "captain"),) * 10
    board = draw_board(stand(hands), 4)
    frames = [next(place(board, f"seat-{seat}").iter(f"{SVG}rect")) for seat in (5, 6, 7, 8, 9, 10, 1, 2, 3, 4)]
    corners = [(float(frame.get("y", "")), float(frame.get("x", ""))) for frame in frames]
    assert corners == sorted(corners)
    assert len({top for top, _ in corners}) == 6
    for frame in frames:
        assert float(frame.get("x", "")) + float(frame.get("width", "")) <= WIDTH


@pytest.mark.parametrize("seats", range(2, 11))
def test_every_number_of_seats_has_a_place_for_each_with_texts_that_can_be_read_on_a_phone(seats: int) -> None:
    board = draw_board(stand((("duke", "captain"),) * seats), 1)
    assert {piece.get("data-place") for piece in board.iter()} >= {f"seat-{seat}" for seat in range(1, seats + 1)}
    assert min(float(piece.get("font-size", "")) for piece in board.iter(f"{SVG}text")) * 358 / WIDTH > 11.5


def test_from_right_to_left_everything_is_mirrored() -> None:
    def edges(right_to_left: bool) -> list[float]:
        board = draw_board(stand(), SPECTATOR, right_to_left=right_to_left)
        frames = [(float(frame.get("x", "0")), float(frame.get("width", ""))) for frame in board.iter(f"{SVG}rect")]
        return [WIDTH - left - width if right_to_left else left for left, width in frames[1:]]

    assert edges(True) == pytest.approx(edges(False), abs=0.5)
    lines = draw_board(stand(), 1, right_to_left=True).iter(f"{SVG}text")
    assert {line.get("text-anchor") for line in lines if "Maryam" in (line.text or "")} == {"end"}


def test_a_line_from_right_to_left_that_begins_with_a_number_keeps_its_first_digit() -> None:
    assert "\u2067\u200f۱۲ کارت\u2069" in draw_text("۱۲ کارت", 0, 0, 20, "", "end", rtl=True)
    assert "\u2067کارت ۱۲\u2069" in draw_text("کارت ۱۲", 0, 0, 20, "", "end", rtl=True)


def test_a_board_speaks_the_readers_language_with_its_digits() -> None:
    add_words(RULES.words.notation)
    svg = draw(RULES, RULES.view(stand(), 1), NAMES, "fa", seat=SeatNumber(1))
    assert svg is not None
    assert "دوک" in svg
    assert "× ۲" in svg
    assert "captain" not in svg.replace("hand-captain", "")
    other = draw(RULES, RULES.view(stand(), 2), NAMES, "fa", seat=SeatNumber(2))
    assert "نوبت" in (other or "")


@pytest.mark.parametrize(
    "name", ["<b>&\"'\x00\x1b\u202e", "W" * 80, "سپیده" * 20, "]]>--><script>", "\u200f\u2067x", ""]
)
def test_any_name_is_made_harmless_and_fits(name: str) -> None:
    names = dict.fromkeys((1, 2, 3), name)
    board = draw_board(stand(), 1, names=names)
    tags = {piece.tag.removeprefix(SVG) for piece in board.iter()}
    assert tags <= {"svg", "style", "defs", "rect", "g", "text", "path"}
    assert all(len(text) < 60 for text in texts(board))
    svg = draw(RULES, RULES.view(stand(), 1), names, "fa", seat=SeatNumber(1))
    ElementTree.fromstring(svg or "")


def test_many_cards_are_counted_and_only_the_last_are_drawn() -> None:
    kinds = [f"{color}-{number}" for color in ("red", "green", "blue") for number in range(1, 13)]
    state = replace(stand(), discards=(*kinds, "captain"))
    lines = texts(draw_board(state, SPECTATOR))
    omitted = int(next(text for text in lines if text.startswith("+")))
    assert omitted + len(set(kinds) & set(lines)) + lines.count("captain") == 37
    assert "captain" in lines


def test_equal_cards_are_counted_if_that_makes_them_fit() -> None:
    state = replace(stand(), discards=("duke", "captain") * 20)
    lines = texts(draw_board(state, SPECTATOR))
    assert {"duke × 20", "captain × 20"} <= set(lines)
    assert not [text for text in lines if text.startswith("+")]


def test_other_words_of_fields_are_used_and_only_named_fields_are_drawn() -> None:
    words = {"hands": Phrase("Influence"), "hands.duke": Phrase("Herzog"), "coins": Phrase("Purse")}
    rules = replace(RULES, words=replace(RULES.words, fields=words))
    lines = texts(draw_board(stand(), 1, rules))
    assert "Herzog" in lines
    assert "Purse" in lines
    assert "Deck" not in lines


def test_an_own_card_is_a_place_of_the_hand() -> None:
    board = draw_board(stand(), 1)
    places = [piece.get("data-place") for piece in board.iter() if "hand-" in (piece.get("data-place") or "")]
    assert places == ["hand-duke", "hand-captain"]
    assert float(next(iter(place(board, "hand-duke"))).get("height", "")) > CARD


def test_a_number_that_nobody_else_has_been_shown_is_unknown_to_them() -> None:
    state = fist.evolve(None, fist.Dealt(options=fist.Options(), numbers=(1, 2)))
    board = draw_board(state, 1, fist.RULES)
    assert texts(place(board, "seat-1"))[-1] == "1"
    assert texts(place(board, "seat-2"))[-1] == "?"


def test_a_board_depends_on_nothing_that_is_hidden() -> None:
    others = (HANDS[0], ("duke", "captain"), ("contessa", "captain"))
    for rules in (RULES, replace(RULES, words=replace(RULES.words, fields={"hands": Phrase("Hand")}))):
        worlds = [
            rules.picture(rules.view(replace(state, deck=deck), viewer), PlainReader(NAMES, seat=viewer or None))
            for viewer in (SPECTATOR, 1)
            for state, deck in ((stand(), DECK), (stand(others), DECK[::-1]))
        ]
        assert worlds[0] == worlds[1]
        assert worlds[2] == worlds[3]


@pytest.mark.parametrize("rules", [RULES, fist.RULES], ids=lambda rules: rules.name)
def test_games_without_a_picture_keep_the_contract_with_the_default_board(rules: Any) -> None:
    assert isinstance(rules.picture, DefaultPicture)
    assert rules.picture_style == STYLE
    assert find_faults(rules, games=8) == ()


@pytest.mark.parametrize("name", sorted(REGISTERED))
def test_games_with_a_picture_keep_it_and_could_be_drawn_without(name: str) -> None:
    rules = REGISTERED[name]
    assert not isinstance(rules.picture, DefaultPicture)
    plain = replace(rules, picture=DefaultPicture(rules))
    state = fold(rules, rules.setup(rules.options(), 3, SeededChance(bytes(32))))
    board = draw_board(state, 1, plain)
    assert {f"seat-{seat}" for seat in (1, 2, 3)} <= {piece.get("data-place") for piece in board.iter()}


def test_rules_made_of_others_draw_their_own_words() -> None:
    other = replace(RULES, words=replace(RULES.words, title=Phrase("Other hands")))
    assert draw_board(stand(), 1, other).get("aria-label") == "Other hands"


def test_a_game_may_have_no_picture() -> None:
    assert replace(RULES, picture=no_picture).picture(None, PlainReader()) is None


@pytest.mark.parametrize("seats", [2, 10])
def test_a_board_is_small_enough_for_an_email_and_is_put_together_of_pieces(seats: int) -> None:
    svg = draw(RULES, RULES.view(stand((("duke", "captain"),) * seats), 1), NAMES, "fa", seat=SeatNumber(1))
    assert svg is not None
    image = png(svg)
    assert image is not None
    assert len(image) <= MOST
    raster.composed(svg, 480)


def test_the_check_finds_words_of_a_field_that_there_is_not() -> None:
    rules = replace(RULES, words=replace(RULES.words, fields={"hand": Phrase("Hand")}))
    assert "`words.fields` names `hand`, and the view has no such field." in find_faults(rules, games=1)


class Suit(Enum):
    """The suit of a tile."""

    RED = "red"


class Tile(Struct, frozen=True):
    """A card that is a struct."""

    suit: Suit
    rank: int | None = None


Mark = NewType("Mark", str)


class Table(Struct, frozen=True):
    """A view of another type than the state."""

    turn: SeatNumber = SeatNumber(2)
    winners: tuple[SeatNumber, ...] | None = None
    hands: Annotated[tuple[tuple[Tile | None, ...], ...] | None, EACH_OWN] = ((None,), (None,), (None,))
    votes: Annotated[tuple[SeatNumber | None, ...], EACH_OWN] = (None, None, None)
    market: tuple[Suit | None, ...] = ()
    columns: tuple[tuple[Mark, ...], ...] = ()


def draw_table(reader: int | None = 1, rules: Any = RULES, **fields: Any) -> ElementTree.Element:
    """Return the board of a view of this type for a reader on this seat."""
    rules = replace(
        rules, view_type=Table, view=lambda state, viewer: Table(), words=replace(rules.words, table=no_lines)
    )
    return ElementTree.fromstring(rules.picture(Table(**fields), PlainReader(NAMES, False, reader)))


def no_lines(view: Any) -> tuple[Phrase, ...]:
    return ()


def test_a_view_of_another_type_says_in_turn_who_is_asked_until_somebody_has_won() -> None:
    board = draw_table()
    assert texts(board)[0] == "Sepideh moves next."
    assert [seat for seat in (1, 2, 3) if shapes(place(board, f"seat-{seat}"), "bd-asked")] == [2]
    assert place(board, "seat-2").findall(f"{SVG}path")
    board = draw_table(winners=(SeatNumber(3),))
    assert not shapes(board, "bd-asked")
    assert "Sepideh moves next." not in texts(board)


def test_several_fields_of_a_seat_have_titles_and_seats_are_called_by_name() -> None:
    board = draw_table(votes=(SeatNumber(3), None, None))
    assert texts(place(board, "seat-1")) == ["Maryam", "Hands", "?", "Votes", "Kaveh"]
    assert texts(place(board, "seat-2")) == ["Sepideh", "Hands", "?", "Votes", "?"]


def test_an_empty_entry_is_a_back_at_the_seats_of_others_and_no_card_after_the_end() -> None:
    assert texts(place(draw_table(reader=1), "seat-1")) == ["Maryam", "Hands", "?"]
    assert "Votes" in texts(place(draw_table(reader=1), "seat-2"))
    assert "Votes" not in texts(draw_table(winners=(SeatNumber(3),)))


def test_values_of_any_type_are_words_on_cards() -> None:
    hand = (Tile(Suit.RED, 7), Tile(Suit.RED))
    board = draw_table(
        hands=(hand, (None,), (None,)), market=(Suit.RED, None), columns=((Mark("x"), Mark("")), (Mark("y"),))
    )
    assert texts(place(board, "seat-1"))[2:] == ["red 7", "red"]
    lines = texts(board)
    assert lines[1 : lines.index("Sepideh")] == ["Market", "red", "Columns", "x", "y"]
    tops = [piece.get("y") for piece in shapes(board, "bd-face")][1:3]
    assert tops[0] != tops[1], "each pile is a row"


def test_a_field_may_be_none_and_no_field_makes_more_seats_than_the_game_has() -> None:
    rules = replace(RULES, players=range(3, 4))
    board = draw_table(rules=rules, hands=None, votes=(None,) * 5)
    seats = [piece.get("data-place") for piece in board.iter() if "seat-" in (piece.get("data-place") or "")]
    assert seats == ["seat-2", "seat-3", "seat-1"]


def test_the_check_finds_questions_that_fail_for_a_view() -> None:
    def questions(state: Any) -> Any:
        return hand_game.questions(state) if all(len(card) for card in state.deck) else ()

    faults = find_faults(replace(RULES, questions=questions), games=1)
    assert faults[0].startswith("`questions` fails for a state that holds only what seat 1 is shown: TypeError(")
