"""The parts of all games' pictures: text, boxes, marks, and the sheet. Text is escaped and made to fit.

A style is the name of a class in the picture's own stylesheet.
"""

import re
import unicodedata
from collections.abc import Iterable, Iterator
from functools import lru_cache
from pathlib import Path
from typing import Final, Protocol
from xml.sax.saxutils import escape, quoteattr

from games.engine.phrases import Phrase
from games.engine.types import SeatNumber

FONTS: Final = "Vazirmatn, Roboto, 'Segoe UI', Tahoma, 'DejaVu Sans', sans-serif"
DARK: Final = "@media (prefers-color-scheme:dark)"
"""The beginning of the part of a stylesheet that applies in dark surroundings."""
ELLIPSIS: Final = "…"
TALL: Final = 1.5
"""A picture with more than this number of times its width in height is tall."""

BOLD: Final = 1.12
"""The factor by which bold text is wider."""

_LEFT_TO_RIGHT: Final = "\u2066"
_RIGHT_TO_LEFT: Final = "\u2067"
_END: Final = "\u2069"
_NO_XML: Final = re.compile("[^ -\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]|[\u202a-\u202e]")
"""The characters that XML does not allow, and marks that reverse the direction of text without an end."""
_WORD: Final = re.compile(f"(?:[\u2066-\u2068][^{_END}]*{_END}|\\S)+")
"""A word, or a name of several words."""
_NARROW: Final = frozenset("fijlrtI.,:;'!|()[]/- ،؛اآدذرزژلو")
_BROAD: Final = frozenset("mwMW@%—سشصضCDGHNOQU&")
_COMMENT: Final = re.compile("<!--.*?-->", re.DOTALL)
_ARABIC: Final = range(0x600, 0x700)
_ARABIC_LETTER: Final = re.compile("[\u0590-\u08ff]")
_LATIN: Final = re.compile("[!-~]")


class Reader(Protocol):
    """The person who sees a picture."""

    right_to_left: bool
    asked_beside: bool
    """True if the page shows the reader's question beside the picture, so that the picture leaves it out."""
    seat: SeatNumber | None
    """The seat whose player is called "you". None for stand-ins and spectators."""

    def say(self, phrase: Phrase) -> str:
        """Return the phrase in the reader's language, with player names instead of seats."""
        ...


def stylesheet(light: str, dark: str) -> str:
    """Return the stylesheet of a game's pictures, with the differences in dark surroundings."""
    return f"\n{light.strip()}\n{DARK}{{\n{dark.strip()}\n}}\n"


def sheet(
    width: float,
    height: float,
    style: str,
    symbols: str,
    shapes: Iterable[str],
    paper: str,
    label: str,
) -> str:
    """Return a picture as SVG. ``label`` describes it to readers who cannot see it.

    Phones show a picture above the question, small enough to leave room for the answers, unless it is a tall one.
    """
    name = quoteattr(_NO_XML.sub("", label))
    attribute = ' data-tall=""' if height > TALL * width else ""
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width:g} {height:g}"'
        f' width="{width:g}" height="{height:g}"'
        f' role="img" aria-label={name} font-family="{FONTS}"{attribute}><style>{style}</style><defs>{symbols}</defs>'
        f'<rect class="{paper}" width="{width:g}" height="{height:g}"/>{"".join(shapes)}</svg>'
    )


def box(style: str, left: float, top: float, width: float, height: float, round_: float = 7) -> str:
    """Draw a rectangle with round corners."""
    size = f'width="{width:.4g}" height="{height:.4g}"'
    return f'<rect class="{style}" x="{left:.4g}" y="{top:.4g}" {size} rx="{round_:g}"/>'


def named_place(name: str, pieces: Iterable[str]) -> str:
    """Return pieces as a place of the table, such as ``seat-3``.

    A page lets its reader press a place to find the answers about it. These are the answers whose label names the place
    with one of its values: a seat, a number or a card of the hand (``games/visibility/words.py``). If a place has no
    such answers, the place around it is pressed.
    """
    return f"<g data-place={quoteattr(name)}>{''.join(pieces)}</g>"


def hand_place(card: Phrase | str) -> str:
    """Return the name of a card's place in the reader's hand, such as ``hand-duke``."""
    return "hand-" + re.sub(r"[^a-z0-9]+", "-", str(card).lower())


def moving_part(kind: str, value: str | int, *pieces: str) -> str:
    """Return pieces that a page animates when they change: a ``card``, ``coins`` or a ``claim``.

    ``value`` is the name of the card or the number of coins, and blank for a claim, whose words are compared. It
    contains only facts that the picture shows.
    """
    return f'<g data-part="{kind}" data-shown="{value}">{"".join(pieces)}</g>'


def read_symbols(file: Path) -> str:
    """Return the symbols in an SVG file without its line breaks and indentation. Comments are left out."""
    _, _, inner = _COMMENT.sub("", file.read_text(encoding="utf-8")).partition(">")
    return "".join(line.strip() for line in inner.removesuffix("</svg>\n").splitlines())


def used(symbol: str, left: float, top: float, width: float, height: float, style: str = "") -> str:
    """Return a use of one of the picture's symbols. ``style`` fills and outlines the parts that have no style of
    their own.
    """
    attribute = f' class="{style}"' if style else ""
    return f'<use{attribute} href="#{symbol}" x="{left:.4g}" y="{top:.4g}" width="{width:.4g}" height="{height:.4g}"/>'


def arrow(style: str, left: bool, x: float, y: float, size: float = 11) -> str:
    """Draw a small arrow around ``x``, ``y``."""
    tip = -size if left else size
    return f'<path class="{style}" d="M{x + tip:.4g} {y:.4g}l{-2 * tip:.4g} {-size:.4g}v{2 * size:.4g}z"/>'


def star(style: str, x: float, y: float, size: float = 15) -> str:
    """Draw a winner's star around ``x``, ``y``."""
    points = "0,-1 .24,-.32 .95,-.31 .38,.12 .59,.81 0,.4 -.59,.81 -.38,.12 -.95,-.31 -.24,-.32"
    return f'<polygon class="{style}" transform="translate({x:.4g} {y:.4g}) scale({size:g})" points="{points}"/>'


def text(content: str, x: float, y: float, size: float, style: str, anchor: str = "middle", rtl: bool = False) -> str:
    """Draw a line of text. Its direction is marked in the text itself, because some renderers ignore ``direction`` and
    use the first letter.
    """
    clean = escape(_NO_XML.sub("", content))
    if rtl or (_ARABIC_LETTER.search(clean) and _LATIN.search(clean)):
        # Chromium puts the first digit of a line from right to left at its end, unless a mark stands before it.
        mark = "\u200f" if rtl and clean[:1].isdigit() else ""
        clean = f"{_RIGHT_TO_LEFT if rtl else _LEFT_TO_RIGHT}{mark}{clean}{_END}"
    return f'<text class="{style}" x="{x:.4g}" y="{y:.4g}" font-size="{size:.3g}" text-anchor="{anchor}">{clean}</text>'


def figure(number: int, reader: Reader) -> str:
    """Return a number in the reader's digits."""
    return reader.say(Phrase("%(number)s", {"number": number}))


@lru_cache(2048)
def text_width(content: str) -> float:
    """Return the approximate width of a line at size 1, for the broader of the usual fonts."""
    return sum(_width(character) for character in content)


def _width(character: str) -> float:
    if unicodedata.category(character) in ("Mn", "Me", "Cf", "Cc"):
        return 0
    if unicodedata.east_asian_width(character) in ("W", "F"):
        return 1.1
    if character in _NARROW:
        return 0.36
    if character in _BROAD:
        return 0.88
    return 0.54 if ord(character) in _ARABIC else 0.6


def fitting(content: str, room: float, size: float, least: float = 17) -> tuple[str, float]:
    """Return the text and the size at which it fits into ``room``: at most ``size``, and cut short at ``least``."""
    needed = text_width(content)
    if needed * least <= room:
        return content, size if needed * size <= room else room / needed
    end, left = 0, room / least - 1
    while end < len(content) and (left := left - _width(content[end])) >= 0:
        end += 1
    beginning = content[:end].rstrip()
    opened = len(re.findall("[\u2066-\u2068]", beginning)) - beginning.count(_END)
    return f"{beginning}{ELLIPSIS}{_END * max(0, opened)}", least


def wrapped(content: str, room: float, size: float) -> Iterator[str]:
    """Yield the lines of a text, wrapped to the width ``room``. Names are not broken."""
    line = ""
    for word in _WORD.findall(content):
        longer = f"{line} {word}".lstrip()
        if line and text_width(longer) * size > room:
            yield line
            longer = word
        line = longer
    if line:
        yield line
