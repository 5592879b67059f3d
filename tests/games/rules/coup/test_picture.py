"""The picture of Coup: drawn from a view, for every viewer and every set of options, with names made harmless."""

import re
import xml.etree.ElementTree as ElementTree
from collections import Counter

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from games.engine import SPECTATOR, SeededChance
from games.rules.coup import RULES
from games.rules.coup.state import CLASSIC
from tests.examples import for_each
from tests.games.rules.coup.pictures import TABLES, reached
from tests.games.rules.coup.random_play import RandomGame, option_sets
from tests.games.rules.coup.table import Table
from tests.games.rules.coup.test_two_worlds import prefixes
from tests.games.rules.coup.test_two_worlds import reached as reached_after
from tests.games.rules.sedlec.reader import PlainReader

SVG = "{http://www.w3.org/2000/svg}"
CAST = dict(
    enumerate(["Maryam", "سپیده", "Bahareh", "Kaveh", "Dariush", "Negar", "Shirin", "Omid", "Shahin", "Zoë"], 1)
)
CHARACTERS = (*CLASSIC, "inquisitor")
SETS = option_sets()


def picture(state, viewer: int = SPECTATOR, names=CAST, right_to_left: bool = False) -> str:
    return RULES.picture(RULES.view(state, viewer), PlainReader(names, right_to_left))


def pieces(source: str, style: str) -> list:
    return [piece for piece in ElementTree.fromstring(source).iter() if style in piece.get("class", "").split()]


def texts(source: str) -> list[str]:
    elements = ElementTree.fromstring(source).iter(f"{SVG}text")
    return [re.sub("[\u2066-\u2069]", "", element.text or "") for element in elements]


def description(source: str) -> str:
    """Return all texts of a picture in one line."""
    return " ".join(texts(source))


def known_cards(source: str) -> Counter:
    """Return how often each character is drawn as a card that its viewer knows."""
    return Counter(piece.get("href").removeprefix("#cp-") for piece in pieces(source, "cp-emblem"))


def lost(source: str) -> Counter:
    """Return how often each character is drawn as one that is lost."""
    hrefs = (piece.get("href") for piece in pieces(source, "cp-ghost"))
    return Counter(href.removeprefix("#cp-").removesuffix("-sign") for href in hrefs)


@for_each("number", range(0, len(SETS), 11))
def test_every_set_of_options_is_drawn_as_valid_xml_for_every_viewer(number):
    seats, options = SETS[number]
    for batch_number, _ in enumerate((game := RandomGame(number, seats, options)).batches()):
        if batch_number % 7 == 0 or RULES.outcome(game.state):
            for viewer in (SPECTATOR, 1 + batch_number % seats):
                source = picture(game.state, viewer, right_to_left=batch_number % 2 == 0)
                assert ElementTree.fromstring(source).tag == f"{SVG}svg"
                assert len(source.encode()) < 40_000


@for_each("name", TABLES)
def test_every_table_of_the_gallery_is_drawn_alike_each_time(name):
    make, viewer = TABLES[name]
    state = make()
    assert picture(state, viewer) == picture(state, viewer)


@settings(max_examples=60)
@given(prefixes, st.integers(0, 10_000))
def test_two_worlds_that_a_viewer_cannot_tell_apart_are_drawn_alike(prefix, luck):
    game = reached_after(prefix)
    for viewer in (1 + luck % game.seats, SPECTATOR):
        other = RULES.worlds(game.state, viewer, SeededChance(luck.to_bytes(32)))
        assert picture(other, viewer) == picture(game.state, viewer)


@settings(max_examples=60)
@given(prefixes, st.integers(0, 10_000))
def test_exactly_the_cards_that_the_viewer_knows_are_drawn(prefix, luck):
    state = reached_after(prefix).state
    for viewer in (1 + luck % len(state.hands), SPECTATOR):
        source = picture(state, viewer)
        view = RULES.view(state, viewer)
        counter = Counter(state.hands[viewer - 1] if viewer else ())
        for card in {*(view.drawn or ()), *([view.examined] if view.examined else [])}:
            counter[card] += 1
        assert known_cards(source) == counter
        assert lost(source) == Counter(card for cards in state.lost for card in cards)
        hidden = sum(len(hand) for seat, hand in enumerate(state.hands, 1) if seat != viewer)
        assert len(pieces(source, "cp-back")) == hidden + 3


@pytest.mark.parametrize("card", CLASSIC)
def test_a_hidden_card_stands_nowhere_in_the_picture_not_even_as_a_word(card):
    other = next(character for character in CLASSIC if character != card)
    state = Table(3, [other, other, card, card, other, card]).state
    for viewer, knows in ((1, False), (SPECTATOR, False), (2, True)):
        source = picture(state, viewer)
        assert (f'class="cp-emblem" href="#cp-{card}"' in source) is knows
        assert (card in texts(source)) is knows


def test_once_the_game_is_over_everything_is_open():
    state = reached(6, lambda state: state.winner is not None)
    source = picture(state)
    assert known_cards(source).keys() >= {card for hand in state.hands for card in hand} | set(state.court)
    assert len(list(ElementTree.fromstring(source).iter(f"{SVG}polygon"))) == 1
    assert f"{CAST[state.winner]} has won the game." in texts(source)


def test_each_character_has_a_shape_a_colour_and_a_name_of_its_own():
    source = picture(Table(3).state)
    symbols = {symbol.get("id"): symbol for symbol in ElementTree.fromstring(source).iter(f"{SVG}symbol")}
    shapes = {tuple(part.get("d") for part in symbols[f"cp-{name}"].iter()) for name in CHARACTERS}
    colours = {re.search(rf"\.cp-{name}\{{fill:(#\w+)\}}", source)[1] for name in CHARACTERS}
    assert len(shapes) == len(colours) == len(CHARACTERS)


def test_the_middle_is_counted():
    state = reached(4, lambda state: state.reserve > 0)
    text = texts(picture(state))
    view = RULES.view(state, SPECTATOR)
    at = [text.index(label) for label in ("court", "treasury", "reserve")]
    assert [text[place - 1] for place in at] == [str(view.court), str(view.treasury), str(view.reserve)]
    assert "reserve" not in texts(picture(Table(4).state))


def test_ones_own_question_stands_out_and_others_learn_what_all_may_know():
    table = Table(3, ["contessa", "duke", "captain", "contessa"], waiting="number").play("1 tax")
    own_picture, other_picture = picture(table.state, 2), picture(table.state, 1)
    text = " ".join(piece.text for piece in pieces(own_picture, "cp-asking"))
    assert text == "Do you believe it?"
    assert not pieces(other_picture, "cp-asking")
    assert {"You claim the duke to collect tax.", "Does anyone challenge it?", "Answers still to come: 2."} <= {
        *texts(other_picture)
    }


def test_ones_own_answer_is_told_while_others_are_still_asked():
    table = Table(3, ["contessa", "duke", "captain", "contessa"]).play("1 tax", "2 allow")
    assert "Your answer: Allow it." in texts(picture(table.state, 2))
    assert "Your answer: Allow it." not in texts(picture(table.state, 3))


@pytest.mark.parametrize(
    ("waiting", "number", "marks"), [("hidden", False, 0), ("number", True, 0), ("public", True, 2)]
)
def test_who_is_waited_for_is_told_as_the_table_wants_it(waiting, number, marks):
    source = picture(Table(3, ["duke"], waiting=waiting).play("1 tax").state)
    assert ("Answers still to come: 2." in texts(source)) is number
    assert source.count('href="#cp-waited"') == marks


def test_the_action_the_block_and_the_challenge_are_told_and_marked():
    table = Table(3, ["duke", "assassin", "contessa", "captain"], starter=1)
    table.play("1 income", "2 income", "3 income", "1 assassinate 2", "2 block contessa", "3 allow", "1 challenge")
    source = picture(table.state)
    for sentence in (
        "Maryam pays 3 coins and claims the assassin against سپیده.",
        "سپیده blocks with the contessa.",
        "Maryam challenges سپیده.",
        "سپیده has to prove it or concede.",
    ):
        assert sentence in description(source)
    for mark in ("target", "block", "doubt"):
        assert source.count(f'href="#cp-{mark}"') == 1


def bubbles(source: str) -> dict[str, str]:
    """Return the words of each speech bubble by its seat."""
    places = [piece for piece in ElementTree.fromstring(source).iter(f"{SVG}g") if piece.get("data-place")]
    claims = {place.get("data-place"): place.findall(f"{SVG}g[@data-part='claim']") for place in places}
    return {seat: "".join(claim[0].itertext()) for seat, claim in claims.items() if claim}


def test_a_claim_stays_in_a_speech_bubble_at_its_seat_until_the_turn_is_over():
    table = Table(3, ["duke", "assassin", "contessa", "captain"], starter=1)
    table.play("1 income", "2 income", "3 income", "1 assassinate 2")
    assert bubbles(picture(table.state)) == {"seat-1": "assassin"}
    table.play("2 block contessa", "3 allow")
    assert bubbles(picture(table.state)) == {"seat-1": "assassin", "seat-2": "contessa"}
    table.play("1 allow", "3 allow")
    assert bubbles(picture(table.state)) == {}


def test_the_way_of_the_bomb_is_drawn():
    state = reached(6, lambda state: state.bomb is not None and state.bomb.receiver is not None)
    source = picture(state)
    stations = len(state.bomb.held) + 1
    assert len(pieces(source, "cp-seat")) == len(state.hands) + stations
    assert source.count('href="#cp-bomb"') == 2


@pytest.mark.parametrize("seats", RULES.players)
def test_every_player_is_named_with_coins_and_seat(seats):
    text = texts(picture(Table(seats).state, names={seat: f"P{seat}" for seat in range(1, seats + 1)}))
    for seat in range(1, seats + 1):
        assert f"P{seat}" in text
        assert str(seat) in text


@for_each("viewer", [1, SPECTATOR])
@for_each(
    "name",
    ["<script>alert(1)</script>", "A & B", "a\"b'c", "x\x00y\x1bz", "\u202ereversed", "]]>", "x" * 300, " ", "漢字😀"],
)
def test_names_are_made_harmless(name, viewer):
    state = Table(3, ["contessa"]).play("1 steal 2").state
    source = picture(state, viewer, names=dict.fromkeys((1, 2, 3), name))
    tags = {piece.tag.removeprefix(SVG) for piece in ElementTree.fromstring(source).iter()}
    assert tags <= {"svg", "style", "defs", "symbol", "rect", "path", "circle", "text", "use", "polygon", "g"}
    assert not {"\x00", "\x1b", "\u202e"} & set(source)
    assert all(len(text) < 110 for text in texts(source))


def test_the_picture_loads_nothing():
    source = picture(Table(3).state)
    assert source.count("http") == 1
    assert "url(" not in source
    assert "script" not in source


def test_the_picture_is_drawn_for_light_and_dark_pages():
    assert "@media (prefers-color-scheme:dark)" in picture(Table(3).state)


@for_each("name", TABLES)
def test_letters_can_be_read_at_320_pixels(name):
    make, viewer = TABLES[name]
    root = ElementTree.fromstring(picture(make(), viewer))
    scale = 320 / float(root.get("width"))
    assert min(float(text.get("font-size")) for text in root.iter(f"{SVG}text")) * scale >= 8.5


def test_for_a_right_to_left_reader_everything_is_mirrored():
    state = Table(4).state

    def left(name: str, right_to_left: bool) -> float:
        source = picture(state, right_to_left=right_to_left)
        return next(
            float(p.get("x")) for p in ElementTree.fromstring(source).iter(f"{SVG}text") if name in (p.text or "")
        )

    assert left("Bahareh", False) < left("Kaveh", False)
    assert left("Bahareh", True) > left("Kaveh", True)
    assert "\u2067Bahareh\u2069" in picture(state, right_to_left=True)
