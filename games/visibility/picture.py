"""Pictures of games for one reader: as SVG with translated words, and as PNG for email programs that show no SVG."""

import hashlib
import re
from collections.abc import Mapping
from functools import cache, lru_cache
from typing import Any, Final, Literal

from django.urls import reverse
from django.utils.safestring import SafeString, mark_safe
from django.utils.translation import get_language, get_language_info, override

from games.engine import AnyRules, Phrase, SeatNumber
from games.engine.drawing import DARK, FONTS
from games.phrases import render_phrase
from games.visibility import raster

MOST: Final = 13_000
"""The maximum size of a PNG in bytes. An email with a picture may have 40 kB."""
WIDTHS: Final = (640, 480, 400, 360, 320, 300)
"""The widths of a PNG in pixels. The first one that is small enough is used."""
_BYTES_PER_LETTER: Final = 15
_BYTES_PER_TAG: Final = 45
"""Estimates for the size of a PNG of the first width: bytes for each letter, and for each tag in the SVG."""

CACHED: Final = 64
"""The number of cached pictures, 4 MB at most. Reminders and notifications often show the same picture again."""

HEADERS: Final[Mapping[str, str]] = {
    "Content-Disposition": "inline",
    "Content-Security-Policy": "default-src 'none'; style-src 'unsafe-inline'; frame-ancestors 'none'; sandbox",
    "X-Content-Type-Options": "nosniff",
}
"""The headers of a picture. It must run no scripts and load nothing. Its only stylesheet is inline."""

_STYLE: Final = re.compile("<style>.*?</style>", re.DOTALL)
_SYMBOLS: Final = re.compile("<defs>.*?</defs>", re.DOTALL)
_SYMBOL: Final = re.compile('<symbol id="([^"]+)".*?</symbol>')
_USE: Final = re.compile('(<use [^<>]*href=")#')
_TEXTS: Final = re.compile(">([^<>]+)<")
_DARK: Final = re.compile(re.escape(DARK) + r"\{\n(.*?)\n\}\n", re.DOTALL)


class PictureReader:
    """The reader of a picture, in the active language."""

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
        """Return the phrase in the active language, with names for seats."""
        return render_phrase(phrase, self.names)


def draw(
    rules: AnyRules,
    view: Any,
    names: Mapping[SeatNumber, str],
    language: str,
    *,
    seat: SeatNumber | None = None,
    asked_beside: bool = False,
) -> str | None:
    """Draw a view as SVG for a reader on a seat, in their language. Return None if the rules have no picture."""
    with override(language):
        return rules.picture(view, PictureReader(names, get_language_info(language)["bidi"], asked_beside, seat))


def inline(
    rules: AnyRules, view: Any, names: Mapping[SeatNumber, str], seat: SeatNumber | None = None
) -> SafeString | None:
    """Draw a view as inline SVG in the active language. Return None if the rules have no picture.

    ``games.engine.drawing`` escapes texts and names. The page has the stylesheet and the fonts, and shows the reader's
    question beside the picture.
    """
    svg = draw(rules, view, names, get_language(), seat=seat, asked_beside=True)
    return None if svg is None else part_of_page(rules, svg)


def part_of_page(rules: AnyRules, svg: str) -> SafeString:
    """Return a picture as inline SVG for a page that has its stylesheet and fonts.

    Its symbols are in a file that browsers keep, if the rules have one.
    """
    svg = _STYLE.sub("", svg).replace(f' font-family="{FONTS}"', "", 1)
    if rules.picture_symbols:
        svg = _USE.sub(rf"\1{symbols_address(rules)}#", _SYMBOLS.sub("", svg))
    return mark_safe(svg)


def symbols_address(rules: AnyRules) -> str:
    """Return the address of the symbols of a game's pictures."""
    return f"{reverse('pages:picture-symbols', args=[rules.name])}?{_digest(rules.picture_symbols)}"


def style_address(rules: AnyRules) -> str:
    """Return the address of the stylesheet of a game's inline pictures."""
    return f"{reverse('pages:picture-style', args=[rules.name])}?{_digest(rules.picture_style)}"


@cache
def _digest(content: str) -> str:
    """Return a digest for the address of a cached file. A changed file has another address, so browsers load it."""
    return hashlib.sha256(content.encode()).hexdigest()[:12]


def symbols_file(rules: AnyRules) -> str:
    """Return the symbols of a game's pictures as an SVG file."""
    return f'<svg xmlns="http://www.w3.org/2000/svg">{rules.picture_symbols}</svg>'


def with_used_symbols(svg: str) -> str:
    """Return a picture without the symbols that it does not use."""
    pieces = svg.rpartition("</defs>")[2]
    return _SYMBOL.sub(lambda symbol: symbol[0] if f'#{symbol[1]}"' in pieces else "", svg)


def in_theme(svg: str, theme: Literal["light", "dark"]) -> str:
    """Return a picture that is light or dark in all surroundings."""
    return _DARK.sub(r"\1\n" if theme == "dark" else "", svg)


def png(
    svg: str, theme: Literal["light", "dark"] = "light", widths: tuple[int, ...] = WIDTHS, most: int | None = None
) -> bytes | None:
    """Render a picture as PNG of at most ``most`` bytes. Return None if it cannot be that small."""
    svg = in_theme(svg, theme)
    limit = MOST if most is None else most
    pieces = svg.rpartition("</defs>")[2]
    expected = _BYTES_PER_LETTER * sum(map(len, _TEXTS.findall(pieces))) + _BYTES_PER_TAG * pieces.count("<")
    widest = WIDTHS[0] * (max(0, limit) / expected) ** 0.8
    for width in widths:
        if width <= max(widest, widths[-1]):
            if len(image := _render(width, svg)) <= limit:
                return image
            widest = 1.1 * width * max(0, limit / len(image)) ** 0.8
    return None


@lru_cache(CACHED)
def _render(width: int, svg: str) -> bytes:
    return raster.png(svg, width)
