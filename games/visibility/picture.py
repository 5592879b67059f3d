"""The table as a picture for one reader: as SVG in their words, and as PNG for mail programs, which show no SVG."""

import re
from collections.abc import Mapping
from functools import lru_cache
from typing import Any, Final, Literal

from django.utils.safestring import SafeString, mark_safe
from django.utils.translation import get_language, get_language_info, override

from games.engine import AnyRules, Phrase, SeatNumber
from games.engine.drawing import DARK, FONTS
from games.text.phrases import render_phrase
from games.visibility import raster

MOST: Final = 11_000
"""A PNG has at most so many bytes: an email with it is to have 30 kB."""
WIDTHS: Final = (640, 480, 400, 360, 320, 300)
"""The widths of a PNG, in pixels: the first with which it is not too large is taken."""
_LETTER: Final = 15
_PIECE: Final = 45
"""The bytes that a PNG of the first width has at least, as a rule, for each letter and for each tag in the SVG."""

KEPT: Final = 64
"""The number of pictures kept, 4 MB at most: a reminder, or a notification written anew, shows one drawn already."""

HEADERS: Final[Mapping[str, str]] = {
    "Content-Disposition": "inline",
    "Content-Security-Policy": "default-src 'none'; style-src 'unsafe-inline'; frame-ancestors 'none'; sandbox",
    "X-Content-Type-Options": "nosniff",
}
"""With these a picture is served: it runs nothing and loads nothing; its one stylesheet is within it."""

_STYLE: Final = re.compile("<style>.*?</style>", re.DOTALL)
_SYMBOLS: Final = re.compile("<defs>.*?</defs>", re.DOTALL)
_WRITTEN: Final = re.compile(">([^<>]+)<")
_DARK: Final = re.compile(re.escape(DARK) + r"\{\n(.*?)\n\}\n", re.DOTALL)


class Spoken:
    """The reader of a picture, in the language that is active."""

    def __init__(
        self,
        names: Mapping[SeatNumber, str],
        right_to_left: bool,
        asked_beside: bool = False,
        seat: SeatNumber | None = None,
    ) -> None:
        self.names = names
        self.seat = seat
        self.right_to_left = right_to_left
        self.asked_beside = asked_beside

    def say(self, phrase: Phrase) -> str:
        """The phrase in the reader's language, with names for seats."""
        return render_phrase(phrase, self.names)


def drawn(
    rules: AnyRules,
    view: Any,
    names: Mapping[SeatNumber, str],
    language: str,
    *,
    seat: SeatNumber | None = None,
    asked_beside: bool = False,
) -> str | None:
    """A view as SVG for a reader of this language on a seat; None for a game without pictures."""
    with override(language):
        return rules.picture(view, Spoken(names, get_language_info(language)["bidi"], asked_beside, seat))


def inline(
    rules: AnyRules, view: Any, names: Mapping[SeatNumber, str], seat: SeatNumber | None = None
) -> SafeString | None:
    """A view as part of a page, in the language that is active; None for a game without pictures.

    Text and names in it are escaped by ``games.engine.drawing``. The page has the stylesheet and the fonts, and asks
    its reader's question beside it.
    """
    svg = drawn(rules, view, names, get_language(), seat=seat, asked_beside=True)
    return None if svg is None else part_of_page(svg)


def part_of_page(svg: str) -> SafeString:
    """A drawn view as part of a page, which has its stylesheet and its fonts."""
    return mark_safe(_STYLE.sub("", svg).replace(f' font-family="{FONTS}"', "", 1))


def without_symbols(picture: SafeString) -> SafeString:
    """A picture for a page that has its symbols already: they are the same in every picture of a game."""
    return mark_safe(_SYMBOLS.sub("<defs data-unchanged></defs>", picture))


def png(
    svg: str, theme: Literal["light", "dark"] = "light", widths: tuple[int, ...] = WIDTHS, most: int | None = None
) -> bytes | None:
    """A picture as PNG of at most ``most`` bytes; None where it cannot be made so small."""
    svg = _DARK.sub(r"\1\n" if theme == "dark" else "", svg)
    room = MOST if most is None else most
    pieces = svg.rpartition("</defs>")[2]
    expected = _LETTER * sum(map(len, _WRITTEN.findall(pieces))) + _PIECE * pieces.count("<")
    worth_trying = WIDTHS[0] * (max(0, room) / expected) ** 0.8
    for width in widths:
        if width <= max(worth_trying, widths[-1]):
            if len(made := _at(width, svg)) <= room:
                return made
            worth_trying = 1.1 * width * max(0, room / len(made)) ** 0.8
    return None


@lru_cache(KEPT)
def _at(width: int, svg: str) -> bytes:
    return raster.png(svg, width)
