"""Rendering pictures as PNG images with a palette.

Most pictures share their parts: cards, coins, names. Each part is rendered once and cached, and pictures are composed
from these parts, which takes a tenth of the time. Parts are rendered without blending with their background, so edges
may differ by a pixel from a picture that is rendered as a whole. A picture with other content is rendered as a whole.

Pillow draws the lines of text, because resvg opens the font again for each letter and takes four times as long.
"""

import html
import io
import re
import struct
import threading
from collections.abc import Iterator, Sequence
from functools import cache, lru_cache
from math import ceil
from pathlib import Path
from typing import Any, Final

import resvg_py
from PIL import Image, ImageColor, ImageFont, features
from zlib_ng import zlib_ng

from games.engine.drawing import FONTS, width

COLOURS: Final = 32
"""With this number of colours, a drawing of flat colours looks the same as with more."""
PIECES: Final = 4096
"""The number of pieces kept, of about 12 kB each: 50 MB at most in each process that draws."""
SMALL: Final = 400
"""Narrower pictures are so for want of room, and are compressed more."""
LEVEL: Final = 5
SMALL_LEVEL: Final = 8
"""The levels of compression. The second takes six times as long and saves a twelfth; level 6 takes two thirds longer
than the first and saves a twenty-fifth, the highest one a third longer than the second and saves a hundredth."""

COVERED: Final = re.compile(
    "[\n -~\xa0-\u017f\u0218-\u021b\u200c-\u2015\u2017-\u201e\u2020-\u2022\u2025-\u2027\u2066-\u2069"
    "\u060c\u061b\u061f\u0621-\u063a\u0640-\u0658\u0660-\u0671\u0679\u067c\u067e\u0681\u0685\u0686\u0688\u0689"
    "\u0691\u0693\u0695\u0696\u0698\u06a4\u06a9-\u06ad\u06af\u06b5\u06ba\u06bc-\u06be\u06c0-\u06c3\u06c6-\u06d0"
    "\u06d2-\u06d5\u06f0-\u06f9]*"
)
"""The characters for which our own font has glyphs."""

_SIGNATURE: Final = b"\x89PNG\r\n\x1a\n"
_SHARP: Final = 'shape-rendering="crispEdges" text-rendering="optimizeSpeed"'
"""Drawn without the shades between two colours, which take more bytes than all the rest."""
_UNCUT: Final = "<style>symbol{overflow:visible}</style>"
"""Symbols are not cut off at their edges, which are between two pixels and would have shades."""
_FONTS: Final = Path(__file__).parent / "fonts"
_FAMILY: Final = "Vazirmatn"
_SHEET: Final = re.compile(
    r'<svg [^>]*?viewBox="0 0 ([\d.]+) ([\d.]+)"[^>]*>(<style>.*?</style>)(<defs>.*?</defs>)'
    r'(<rect class="[\w-]+" )width="[\d.]+" height="[\d.]+"/>(.*)</svg>',
    re.DOTALL,
)
"""A picture as ``games.engine.drawing.sheet`` makes it: its size, style and symbols, its paper, its pieces."""
_PIECE: Final = re.compile(
    r"<(?:rect|use|circle|polygon|path) [^<>]*/>|<text [^<>]*>[^<>]*</text>"
    r"|<g(?: data-\w+=\"[^\"<>]*\")*>|</g>"  # groups that change nothing
)
_OF_GROUPS: Final = re.compile(r"[\]\w)] *[ >+~] *[.\[:\w][^{}]*\{")
"""A rule of a style that depends on what a piece is in or beside."""
_PLACE: Final = re.compile(r'(.*?(?: c?x="|"translate\(| d="M))(-?[\d.]+)(" c?y="| )(-?[\d.]+)(.*)', re.DOTALL)
"""A piece as its place and the rest, which is the same wherever it stands."""
_BOX: Final = re.compile(r' width="([\d.]+)" height="([\d.]+)"')
_NUMBER: Final = re.compile(r"-?\d+(?:\.\d+)?")
_LINE: Final = re.compile(r' font-size="([\d.]+)"')
_FIXED: Final = re.compile(r"[^\"]*[A-Y]")
"""The rest of a path that does not move with its first point."""
_TEXT: Final = re.compile(
    r'<text class="([\w -]+)" x="" y="" font-size="([\d.]+)" text-anchor="(start|middle|end)">([^<>]*)</text>'
)
"""A line of text as ``games.engine.drawing.text`` makes it, without its place."""
_RULE: Final = re.compile(r"\.([\w-]+)\{([^{}]*)\}")
"""A rule of a style that depends on one class alone."""
_HEX: Final = re.compile("#(?:[0-9a-f]{3}|[0-9a-f]{6})")
_ANCHORS: Final = {"start": "ls", "middle": "ms", "end": "rs"}
"""Pillow's names of the points of a line that stand at its place."""
_HALF: Final = [0] * 128 + [255] * 128
"""Threshold for drawing without blending: a pixel is set if at least half of it is covered."""
_JOINS: Final = features.check("raqm")
"""Pillow joins Persian letters, as it does wherever it was not built without that."""
_MARGIN: Final = 8.0
_COVERING: Final = bytes([0] + [255] * 255)
"""The mask of each number of a colour: all but 0 cover what lies below."""
_drawing: Final = threading.Lock()
Drawn = tuple[Any, Any, int, int]
"""A rendered part: its colours or its only colour, its mask, and its offset to the right and down. Colours and mask
are memory of Pillow."""


class NotFlat(Exception):
    """A picture cannot be put together of pieces."""


def png(svg: str, across: int) -> bytes:
    """A picture as PNG of this width."""
    try:
        with _drawing:
            image = composed(svg, across)
    except NotFlat:
        image = Image.open(io.BytesIO(_rendered(svg.replace("<svg ", f"<svg {_SHARP} ", 1), across))).convert("RGB")
        image = image.quantize(COLOURS, Image.Quantize.FASTOCTREE, dither=Image.Dither.NONE)
    return _encoded(image, LEVEL if across >= SMALL else SMALL_LEVEL)


def _encoded(image: Image.Image, level: int) -> bytes:
    """A picture with a palette as PNG: in smaller bytes than Pillow's, and in half the time."""
    palette = bytes(image.getpalette() or ())
    depth = 4 if len(palette) <= 3 * 16 else 8
    left = 8 // depth  # a byte of 0 before each line selects the PNG filter "none"
    lines = Image.new("P", (left + image.width, image.height))
    lines.paste(image, (left, 0))
    data = zlib_ng.compress(lines.tobytes("raw", f"P;{depth}" if depth < 8 else "P"), level)
    head = struct.pack(">IIBBBBB", *image.size, depth, 3, 0, 0, 0)  # 3: its colours are in a palette
    chunks = ((b"IHDR", head), (b"PLTE", palette), (b"IDAT", data), (b"IEND", b""))
    return _SIGNATURE + b"".join(map(_chunk, *zip(*chunks, strict=True)))


def _chunk(name: bytes, data: bytes) -> bytes:
    return struct.pack(">I", len(data)) + name + data + struct.pack(">I", zlib_ng.crc32(name + data))


def composed(svg: str, across: int) -> Image.Image:
    """A picture of pieces, with the colours that are in it, and no others, as its palette.

    Each piece begins at a whole pixel: the eye sees no difference, and more pieces are the same.
    """
    found = _SHEET.fullmatch(svg)
    if found is None or _OF_GROUPS.search(found[3]):
        raise NotFlat
    wide, high, style, symbols, paper, pieces = found.groups()
    sheet = sheet_of(style, symbols, across / float(wide))
    blank = piece(sheet, f'{paper}x="', '" y="', '" width="99" height="99"/>')[0].getpixel((4, 4))
    image = Image.new("L", (across, ceil(float(high) * sheet.scale)), blank)
    for text in _split(pieces):
        column, row, *unplaced = _placed(text, sheet.scale)
        colours, mask, right, down = piece(sheet, *unplaced)
        right, down = column + right, row + down
        image.im.paste(colours, (right, down, right + mask.size[0], down + mask.size[1]), mask)
    return sheet.coloured(image)


def _split(pieces: str) -> Iterator[str]:
    """Yield the pieces of a picture."""
    at = 0
    for found in _PIECE.finditer(pieces):
        if found.start() != at:
            raise NotFlat
        at = found.end()
        if found[0][1] not in "g/":
            yield found[0]
    if at != len(pieces):
        raise NotFlat


@lru_cache(2 * PIECES)
def _placed(text: str, scale: float) -> tuple[int, int, str, str, str]:
    """The column and the row of a piece, and the piece without them, as ``piece`` takes it."""
    found = _PLACE.fullmatch(text)
    if found is None or " transform=" in found[5]:
        raise NotFlat
    before, x, between, y, after = found.groups()
    return round(float(x) * scale), round(float(y) * scale), before, between, after


class _Palette(dict[int, int]):
    """The number of each colour; 0 is none at all. A colour is the four bytes that it has in a picture's memory."""

    def __missing__(self, colour: int) -> int:
        alpha = colour >> 24
        if alpha not in (0, 255) or len(self) == 255:
            raise NotFlat
        self[colour] = len(self) + 1 if alpha else 0
        return self[colour]


class Sheet:
    """The pieces of one style at one size, and the palette that they share."""

    def __init__(self, style: str, symbols: str, scale: float) -> None:
        self.scale = scale
        self.palette = _Palette()
        self._rules = _RULE.findall(style)
        self._is_plain = _RULE.sub("", style).split() == ["<style>", "</style>"]
        self._style = _UNCUT + style
        self._symbols = symbols

    def coloured(self, image: Image.Image) -> Image.Image:
        """Return an image of indexes with their colours. It does not depend on other images."""
        colours, pixels = {number: colour for colour, number in self.palette.items()}, image.tobytes()
        used = sorted((number for number in colours if number in pixels), key=colours.__getitem__)
        places = {number: place for place, number in enumerate(used)}
        image = image.point([places.get(number, 0) for number in range(256)])
        image.putpalette(b"".join(colours[number].to_bytes(4, "little")[:3] for number in used))
        return image

    def look(self, classes: Sequence[str]) -> tuple[int, bool] | None:
        """Return the colour of a line with these classes and whether it is bold, or None if the style contains more."""
        listed = ";".join(rule for name, rule in self._rules if name in classes)
        said = dict(each.split(":", 1) for each in listed.split(";") if each)
        if not self._is_plain or not _HEX.fullmatch(said.get("fill", "")) or said.keys() - {"fill", "font-weight"}:
            return None
        colour = bytes([*ImageColor.getrgb(said["fill"]), 255])
        return int.from_bytes(colour, "little"), said.get("font-weight") == "bold"

    def drawn(self, piece: str, across: int, high: int) -> Image.Image:
        """Render a part by itself, with its style, in an area of this many pixels."""
        symbols = self._symbols if piece.startswith("<use") else ""
        svg = (
            f'<svg xmlns="http://www.w3.org/2000/svg" {_SHARP} viewBox="0 0 {across / self.scale} {high / self.scale}"'
            f' width="{across}" height="{high}" font-family="{FONTS}">{self._style}{symbols}{piece}</svg>'
        )
        return Image.open(io.BytesIO(_rendered(svg, across))).convert("RGBA")


sheet_of: Final = lru_cache(128)(Sheet)


@lru_cache(PIECES)
def piece(sheet: Sheet, before: str, between: str, after: str) -> Drawn:
    """A piece whose place is between these three."""
    if before.endswith('d="M') and _FIXED.match(after):
        raise NotFlat
    if line := _line(sheet, f"{before}{between}{after}"):
        return line
    scale = sheet.scale
    left, up, right, down = (ceil(length * scale) + 1 for length in _reach(after))
    while True:
        place = f"{left / scale:.6f}{between}{up / scale:.6f}"
        drawn = sheet.drawn(f"{before}{place}{after}", left + right, up + down)
        box = drawn.getchannel("A").getbbox() or (1, 1, 2, 2)
        if box[0] and box[1] and box[2] < left + right and box[3] < up + down:
            break
        left, up, right, down = 2 * left, 2 * up, 2 * right, 2 * down
    drawn = drawn.crop(box)
    numbers = bytes(map(sheet.palette.__getitem__, memoryview(drawn.tobytes()).cast("I")))
    image, mask = (Image.frombytes("L", drawn.size, each) for each in (numbers, numbers.translate(_COVERING)))
    return image.im, mask.im, box[0] - left, box[1] - up


def _line(sheet: Sheet, text: str) -> Drawn | None:
    """Render a line of text as ``piece`` returns it, or return None if it needs more than our own font in one
    colour.
    """
    found = _TEXT.fullmatch(text)
    look = sheet.look(found[1].split()) if found else None
    if found is None or look is None or not _JOINS or not COVERED.fullmatch(written := html.unescape(found[4])):
        return None
    colour, is_bold = look
    anchor = _ANCHORS[found[3]]
    font = _font(is_bold, float(found[2]) * sheet.scale)
    mask, (left, up) = font.getmask2(written, "L", anchor=anchor, direction="ltr")
    return sheet.palette[colour], mask.point(_HALF, "L"), left, up


@lru_cache(128)
def _font(is_bold: bool, size: float) -> ImageFont.FreeTypeFont:
    return ImageFont.truetype(_FONTS / f"{_FAMILY}-{'Bold' if is_bold else 'Regular'}.ttf", size)


def _reach(rest: str) -> tuple[float, float, float, float]:
    """Return how far a piece reaches at most to the left of its place, above, to the right and below; a guess."""
    attributes, _, said = rest.partition(">")
    if found := _BOX.search(attributes):
        return _MARGIN, _MARGIN, float(found[1]) + _MARGIN, float(found[2]) + _MARGIN
    if found := _LINE.search(attributes):
        size = float(found[1])
        return (long := width(said) * size + _MARGIN), 1.3 * size, long, 0.7 * size
    return (max(map(abs, map(float, _NUMBER.findall(attributes))), default=0) + 4 * _MARGIN,) * 4


def _rendered(svg: str, across: int) -> bytes:
    """Fonts of the server's own are looked at only where a name is written in letters that ours lacks."""
    return resvg_py.svg_to_bytes(
        svg_string=svg,
        width=across,
        font_files=_font_files(),
        font_family=_FAMILY,
        sans_serif_family=_FAMILY,
        skip_system_fonts=COVERED.fullmatch(svg) is not None,
    )


@cache
def _font_files() -> list[str]:
    return sorted(str(file) for file in _FONTS.glob("*.ttf"))
