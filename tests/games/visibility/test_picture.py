"""Pictures for one reader: in their words and direction, as small PNGs, and in their mails."""

import io
import re
import unicodedata
from email import message_from_bytes
from email.policy import default
from itertools import product
from typing import Any

import pytest
from msgspec.structs import replace
from PIL import Image, ImageChops

from accounts.models import Account
from games.announcements.notify import write_due
from games.engine import SPECTATOR, SeatNumber
from games.engine.drawing import text_width
from games.engine.rules import no_picture
from games.rules.registry import RULES
from games.visibility import raster
from games.visibility.picture import MOST, WIDTHS, draw, png
from notifications.email.message import message
from notifications.models import Notification
from tests.examples import for_each
from tests.gallery import CAST, tables
from tests.games.rules.coup.pictures import TABLES
from tests.games.rules.coup.table import Table
from tests.games.seated import NOON, begin
from tests.third_game import fist
from tests.third_game.table import create_fist, with_fist

__all__ = ["with_fist"]
SEDLEC = "sedlec-3-20"


def coup(seats: int, language: str, names: Any = CAST) -> str:
    svg = draw(RULES["coup"], RULES["coup"].view(Table(seats).state, SPECTATOR), names, language)
    assert svg is not None
    return svg


def opened(png_bytes: bytes | None) -> Image.Image:
    assert png_bytes is not None
    image = Image.open(io.BytesIO(png_bytes))
    image.load()
    return image


def test_a_picture_speaks_the_language_of_its_reader() -> None:
    assert "treasury" in coup(3, "en")
    assert "خزانه" in coup(3, "fa")
    assert "۴۴" in coup(3, "fa")


def test_the_labels_in_the_middle_of_the_table_keep_off_its_frame() -> None:
    frame, least = 12.0, 10.0
    svg = draw(RULES["coup"], RULES["coup"].view(Table(3, reformation=True).state, SPECTATOR), CAST, "fa")
    assert svg is not None
    (match,) = re.findall(r'<text[^>]* x="([\d.]+)"[^>]* font-size="([\d.]+)"[^>]*>([^<]*صندوق ذخیره[^<]*)</text>', svg)
    across = text_width(match[2]) * float(match[1])
    assert float(match[0]) - across >= frame + least


def test_a_seat_without_a_name_is_called_by_its_number() -> None:
    assert "seat 2" in coup(2, "en", {SeatNumber(1): "Maryam"})


@for_each("language", ["en", "fa"])
@for_each("name", [name for name in TABLES if name.startswith(("3", "10"))])
def test_a_png_has_at_most_13_kilobytes_and_can_be_read(name: str, language: str) -> None:
    make, viewer = TABLES[name]
    svg = draw(RULES["coup"], RULES["coup"].view(make(), viewer), CAST, language)
    assert svg is not None
    picture = png(svg)
    assert picture is not None
    assert len(picture) <= MOST
    assert opened(picture).width >= (320 if name.startswith("10") else 480)


@for_each("name", TABLES)
def test_a_picture_of_coup_has_sixteen_colours_at_most(name: str) -> None:
    make, viewer = TABLES[name]
    svg = draw(RULES["coup"], RULES["coup"].view(make(), viewer), CAST, "en")
    assert svg is not None
    assert len(opened(png(svg)).getpalette() or ()) <= 3 * 16


def test_a_png_of_every_size_of_sedlec_is_small_enough() -> None:
    for name, rules, state, viewer in tables():
        if name.startswith("sedlec"):
            svg = draw(rules, rules.view(state, viewer), CAST, "fa")
            assert svg is not None
            assert opened(png(svg)).width >= 400


def test_what_would_be_too_large_is_drawn_smaller_and_at_last_not_at_all(monkeypatch: pytest.MonkeyPatch) -> None:
    svg = coup(3, "en")
    assert opened(png(svg)).width == 640
    monkeypatch.setattr("games.visibility.picture.MOST", 4_000)
    assert opened(png(svg)).width < 640
    monkeypatch.setattr("games.visibility.picture.MOST", 100)
    assert png(svg) is None


def test_a_png_is_light_unless_dark_is_asked_for() -> None:
    svg = coup(2, "en")
    for theme, lightest in (("light", 200), ("dark", 0)):
        red, green, blue = opened(png(svg, theme)).convert("RGB").getpixel((2, 2))  # type: ignore[misc, arg-type]
        assert (min(red, green, blue) > 200) is (lightest == 200)


def test_one_drawing_serves_all_who_see_the_same_and_nobody_who_sees_something_else() -> None:
    state, rules = Table(3).state, RULES["coup"]
    drawings = [draw(rules, rules.view(state, viewer), CAST, "en") for viewer in (SPECTATOR, SPECTATOR, 1, 2, 3)]
    pictures = [png(svg) for svg in drawings if svg is not None]
    assert pictures[0] is pictures[1]
    assert len(set(pictures)) == len(set(drawings)) == 4


def test_a_picture_put_together_of_pieces_shows_what_the_whole_drawing_does() -> None:
    sedlec, view = next((rules, rules.view(state, viewer)) for name, rules, state, viewer in tables() if name == SEDLEC)
    for svg, across in product([coup(3, "en"), coup(3, "fa"), draw(sedlec, view, CAST, "en") or ""], (640, 320)):
        whole = svg.replace("</svg>", "<title>No piece</title></svg>")
        with pytest.raises(raster.NotFlat):
            raster.composed(whole, across)
        pieces, drawn_at_once = (
            opened(png(drawing, widths=(across,), most=50_000)).convert("RGB") for drawing in (svg, whole)
        )
        assert pieces.size == drawn_at_once.size
        differs = ImageChops.difference(pieces, drawn_at_once).convert("L").point([0] * 32 + [255] * 224)
        assert differs.histogram()[255] < 0.08 * pieces.width * pieces.height


@pytest.mark.parametrize(
    "changed",
    [
        ("</svg>", '<rect class="cp-card" x="9" y="9" width="9" height="9" transform="rotate(90 50 50)"/></svg>'),
        ("</style>", "g rect{fill:#123}</style>"),
        ("</style>", "rect[x] + .cp-gone{fill:#123}</style>"),
    ],
)
def test_what_is_more_than_a_place_and_a_class_is_drawn_as_a_whole(changed: tuple[str, str]) -> None:
    raster.composed(coup(3, "en"), 400)
    with pytest.raises(raster.NotFlat):
        raster.composed(coup(3, "en").replace(*changed), 400)


def test_a_picture_can_be_drawn_in_every_width() -> None:
    for across in WIDTHS:
        assert opened(png(coup(3, "en"), widths=(across,), most=50_000)).width == across


def test_what_was_drawn_for_others_does_not_change_a_byte_of_a_picture() -> None:
    """A picture's palette does not tell of cards that others hold."""
    rules, state = RULES["coup"], Table(3).state
    own_svg, *others = (draw(rules, rules.view(state, SeatNumber(seat)), CAST, "en") or "" for seat in (1, 2, 3))
    pictures = []
    for before in ([], others):
        raster.piece.cache_clear()
        raster.sheet_of.cache_clear()
        for other in before:
            raster.png(other, 480)
        pictures.append(raster.png(own_svg, 480))
    assert pictures[0] == pictures[1]


def test_every_letter_of_a_persian_name_is_drawn_in_our_own_font() -> None:
    blank, with_names = (png(coup(2, "en", {SeatNumber(1): name, SeatNumber(2): name})) for name in (" ", "گچپژ"))
    assert blank != with_names


def test_no_other_font_is_looked_at_for_words_with_a_half_space() -> None:
    assert raster.COVERED.fullmatch("چه می\u200cکنید؟")
    assert not raster.COVERED.fullmatch("Жук")


def test_each_letter_that_our_own_font_is_to_cover_is_drawn_in_it() -> None:
    covered = [letter for letter in map(chr, range(0x3000)) if raster.COVERED.fullmatch(letter)]
    letters = [letter for letter in covered if unicodedata.category(letter)[0] in "LNPS"]
    for font in (raster._font(False, 40), raster._font(True, 40)):
        assert [letter for letter in letters if font.getmask(letter).getbbox() is None] == []


def test_a_name_in_letters_that_our_font_lacks_does_not_stop_the_picture() -> None:
    assert opened(png(coup(2, "en", {SeatNumber(1): "漢字", SeatNumber(2): "Жук 😀"}))).width == 640


def test_a_game_without_pictures_has_none() -> None:
    state = fist.evolve(None, fist.Dealt(options=fist.Options(), numbers=(1, 2)))
    rules = replace(fist.RULES, picture=no_picture)
    assert draw(rules, rules.view(state, SeatNumber(1)), CAST, "en") is None


def notification_to(account: Account, **kind: str) -> Notification:
    write_due(NOON)
    return Notification.objects.get(account=account, state="ready", **kind)


def parts(notification: Notification) -> list[Any]:
    """The parts of a notification's mail, as a mail program reads them."""
    return list(message_from_bytes(message(notification).message().as_bytes(), policy=default).walk())


@pytest.mark.django_db
def test_a_turn_mail_shows_the_table_inline_and_says_the_same_in_words(maryam: Account, bahareh: Account) -> None:
    begin([maryam, bahareh, None])
    whole, *inner = parts(notification_to(maryam))
    assert whole.get_content_type() == "multipart/related"
    (image,) = (part for part in inner if part.get_content_type() == "image/png")
    assert image.get_content_disposition() == "inline"
    (html_part,) = (part for part in inner if part.get_content_type() == "text/html")
    html = html_part.get_content()
    assert f'src="cid:{image["Content-ID"].strip("<>")}"' in html
    assert 'alt="The board as a picture.' in html
    assert len(image.get_content()) <= MOST
    assert opened(image.get_content()).width == 640
    (plain,) = (part for part in inner if part.get_content_type() == "text/plain")
    assert "You: 2 coins; hand: contessa, duke" in plain.get_content()


@pytest.mark.django_db
def test_a_mail_of_a_game_without_pictures_shows_none(
    maryam: Account, bahareh: Account, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(RULES, "fist", replace(fist.RULES, picture=no_picture))
    create_fist(maryam, bahareh)
    notification = notification_to(maryam, reason="question")
    assert not notification.content().pictures
    assert not [part for part in parts(notification) if part.get_content_maintype() == "image"]


@pytest.mark.parametrize("language", ["en", "fa"])
def test_the_labels_of_the_middle_keep_away_from_their_frame(language: str) -> None:
    """D16: the label of the reserve does not touch the frame."""
    state = Table(4, reformation=True).state
    svg = draw(RULES["coup"], RULES["coup"].view(state, SPECTATOR), CAST, language)
    assert svg is not None
    matches = re.findall(r'<text class="cp-faint" x="([\d.]+)" y="[\d.]+" font-size="([\d.]+)"[^>]*>([^<]*)', svg)
    frame = re.search(r'class="cp-panel" x="([\d.]+)" y="[\d.]+" width="([\d.]+)"', svg)
    assert frame is not None
    left, right = float(frame[1]), float(frame[1]) + float(frame[2])
    labels = [match for match in matches if match[2].strip("\u2066\u2067\u2069") in ("reserve", "صندوق ذخیره")]
    assert len(labels) == 1
    x, room = float(labels[0][0]), text_width(labels[0][2]) * float(labels[0][1])
    inner = x - room - left if language == "fa" else right - x - room
    assert inner >= 9
