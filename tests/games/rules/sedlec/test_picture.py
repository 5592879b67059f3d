"""The table as a picture: drawn from a view, in shapes and colours, light and dark, with names made harmless."""

import re
import xml.etree.ElementTree as ElementTree
from collections import Counter
from itertools import pairwise

import pytest

from games.engine import SPECTATOR, SeededChance
from games.engine.drawing import text
from games.rules.sedlec import RULES
from games.rules.sedlec.pyramid import HALVES, KINDS
from tests.examples import for_each
from tests.games.rules.sedlec.random_play import RandomGame
from tests.games.rules.sedlec.reader import PlainReader
from tests.games.rules.sedlec.table import Table, position, rows

SVG = "{http://www.w3.org/2000/svg}"
CAST = {1: "Maryam", 2: "بهاره", 3: "Dariush"}


class Picture:
    """A picture, taken apart."""

    def __init__(self, state, viewer: int = SPECTATOR, names=CAST, right_to_left: bool = False) -> None:
        self.source = RULES.picture(RULES.view(state, viewer), PlainReader(names, right_to_left))
        self.root = ElementTree.fromstring(self.source)

    def count(self, style: str) -> int:
        """Return how many pieces are drawn in a style."""
        return len([piece for piece in self.root.iter() if style in piece.get("class", "").split()])

    @property
    def skulls(self) -> Counter:
        """Return how often each kind is drawn."""
        hrefs = (piece.get("href") for piece in self.root.iter(f"{SVG}use"))
        return Counter(href.removeprefix("#sd-") for href in hrefs if href != "#sd-back")

    @property
    def texts(self) -> list[str]:
        """Everything that is written in it."""
        return [re.sub("[\u2067\u2069]", "", piece.text or "") for piece in self.root.iter(f"{SVG}text")]

    def left(self, text: str) -> float:
        """Return how far from the left a text stands."""
        return next(float(p.get("x")) for p in self.root.iter(f"{SVG}text") if text in (p.text or ""))


@for_each("number", range(6))
@for_each("right_to_left", [False, True])
def test_every_position_of_a_game_has_a_picture_of_valid_xml(number, right_to_left):
    for _, state in RandomGame(number).steps():
        picture = Picture(state, right_to_left=right_to_left)
        assert picture.root.tag == f"{SVG}svg"
        assert len(picture.source.encode()) < 26_000


@pytest.mark.parametrize("number", range(6))
def test_every_open_card_is_drawn_and_no_other(number):
    for _, state in RandomGame(number).steps():
        cards = [card for card in (*state.face_up, *sum(state.hands, ())) if card is not None]
        cards += [card for pyramid in state.pyramids for row in pyramid for card in row if card is not None]
        key = Counter(dict.fromkeys(KINDS, len(state.hands)))
        assert Picture(state).skulls == Counter(kind for card in cards for kind in HALVES[card]) + key


def test_face_down_cards_are_drawn_as_backs_and_counted():
    picture = Picture(Table(2, pile=1).state)
    assert picture.count("sd-back") == 18
    assert picture.texts.count("3") >= 5
    two = position(face_down=["royal/royal lover/lover"])
    assert Picture(two.state).count("sd-back") == 2


def kinds() -> dict:
    """Return the symbols of the kinds by name."""
    symbols = {symbol.get("id"): symbol for symbol in Picture(Table().state).root.iter(f"{SVG}symbol")}
    assert symbols.pop("sd-back")
    return symbols


def test_each_kind_has_a_shape_and_a_colour_of_its_own():
    symbols = kinds()
    assert set(symbols) == {f"sd-{kind}" for kind in KINDS}
    colours = {symbol.find(f"{SVG}rect").get("fill") for symbol in symbols.values()}
    shapes = {tuple(path.get("d") for path in symbol.iter(f"{SVG}path")) for symbol in symbols.values()}
    assert len(colours) == len(shapes) == len(KINDS)


def test_the_colours_differ_in_lightness_so_that_they_can_be_told_apart_without_hue():
    lightness = []
    for symbol in kinds().values():
        colour = symbol.find(f"{SVG}rect").get("fill")
        red, green, blue = (int(colour[at : at + 2], 16) for at in (1, 3, 5))
        lightness.append(0.299 * red + 0.587 * green + 0.114 * blue)
    lightness.sort()
    assert all(high - low >= 15 for low, high in pairwise(lightness))


def test_the_player_in_turn_is_marked_and_named():
    picture = Picture(Table(3, starter=3).state)
    assert picture.count("sd-turn") == 1
    assert "Dariush moves next." in picture.texts
    assert set(CAST.values()) <= set(picture.texts)


def test_at_the_start_of_a_turn_every_pile_with_cards_is_ringed():
    assert Picture(Table(2).state).count("sd-choice") == 6
    some = position(face_up=["royal/royal", None, "lover/lover"], face_down=["", "", "", "priest/priest"])
    assert Picture(some.state).count("sd-choice") == 3


def test_after_digging_only_the_two_piles_are_ringed():
    picture = Picture(Table(2, pile=6).play("1 dig 1 2").state)
    assert picture.count("sd-choice") == 2
    assert "Maryam must take one of the cards just dug up." in picture.texts


def test_with_two_cards_in_hand_only_they_are_ringed_and_the_free_places_named():
    pyramid = rows("- -", "royal/royal lover/lover priest/priest")
    table = position(hands=["royal/sinner lover/sinner"], pyramids=[pyramid], face_up=["priest/lover"])
    picture = Picture(table.state)
    assert picture.count("sd-choice") == 2
    assert picture.count("sd-place") == 4
    assert {"1.1", "1.2"} <= set(picture.texts)


def test_the_first_card_has_one_free_place():
    assert Picture(position(hands=["royal/sinner"]).state).count("sd-place") == 1


def test_the_free_places_in_the_picture_are_those_that_are_offered():
    for number in range(4):
        for _, state in RandomGame(number).steps():
            for question in RULES.questions(state):
                offered = {move.place for move in RULES.legal_moves(state, question) if hasattr(move, "place")}
                assert Picture(state).count("sd-place") == len(offered)


def test_points_and_levels_are_written():
    pyramid = rows("priest/priest -", "royal/royal peasant/peasant lover/lover")
    texts = Picture(position(pyramids=[pyramid]).state).texts
    assert "14" in texts
    for level in "123456":
        assert texts.count(level) >= 2


def test_winners_get_a_star_and_those_who_gave_up_are_struck_out():
    table = Table(3)
    table.happen(RULES.resign(table.state, 2, SeededChance(bytes(32))))
    assert Picture(table.state).count("sd-struck") == 1
    game = RandomGame(1).played()
    root = Picture(game.state).root
    assert len(list(root.iter(f"{SVG}polygon"))) == len(RULES.outcome(game.state).winners)


@pytest.mark.parametrize(
    "name", ["<script>alert(1)</script>", "A & B", "a\"b'c", "x\x00y\x1bz", "\u202ereversed", "]]>", "x" * 300, ""]
)
def test_names_are_made_harmless(name):
    picture = Picture(Table().state, names={1: name, 2: name})
    tags = {piece.tag.removeprefix(SVG) for piece in picture.root.iter()}
    assert tags <= {"svg", "style", "defs", "symbol", "rect", "path", "circle", "text", "use", "polygon", "g"}
    assert not {"\x00", "\x1b", "\u202e"} & set(picture.source)
    assert all(len(text) < 80 for text in picture.texts)


def test_the_picture_loads_nothing():
    source = Picture(Table().state).source
    assert source.count("http") == 1
    assert "url(" not in source
    assert "script" not in source


def test_the_picture_is_drawn_for_light_and_dark_pages():
    assert "@media (prefers-color-scheme:dark)" in Picture(Table().state).source


def test_letters_can_be_read_at_320_pixels():
    for seats in (2, 3):
        for _, state in RandomGame(7, seats).steps():
            root = Picture(state).root
            scale = 320 / float(root.get("width"))
            assert min(float(text.get("font-size")) for text in root.iter(f"{SVG}text")) * scale >= 8.5


def test_for_a_right_to_left_reader_piles_and_players_stand_from_right_to_left():
    state = Table(3).state
    western, eastern = Picture(state), Picture(state, right_to_left=True)
    assert western.left("Maryam") < western.left("Dariush")
    assert eastern.left("Maryam") > eastern.left("Dariush")
    assert "\u2067Maryam\u2069" in eastern.source


def test_pyramids_are_never_mirrored_for_left_and_right_are_words_of_the_notation():
    state = position(pyramids=[rows("royal/royal lover/lover")]).state

    def order(right_to_left: bool) -> bool:
        uses = Picture(state, right_to_left=right_to_left).root.iter(f"{SVG}use")
        spots = [(use.get("href"), float(use.get("x"))) for use in uses if float(use.get("width")) > 50]
        return min(x for kind, x in spots if kind == "#sd-royal") < min(x for kind, x in spots if kind == "#sd-lover")

    assert order(False)
    assert order(True)


def test_all_viewers_see_the_same_picture():
    state = RandomGame(2).played(20).state
    assert len({Picture(state, viewer).source for viewer in (1, 2, SPECTATOR)}) == 1


def test_a_line_with_a_persian_name_keeps_its_order_for_readers_of_english():
    svg = text("\u2067سپیده\u2069 wins.", 0, 0, 20, "sd-text")
    assert ">\u2066\u2067سپیده\u2069 wins.\u2069<" in svg
    assert ">\u2067سپیده\u2069<" in text("\u2067سپیده\u2069", 0, 0, 20, "sd-text")
