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

from games.engine.drawing import FONTS, text_width

COLOURS: Final = 32
"""With this number of colours, a drawing of flat colours looks the same as with more."""
PIECES: Final = 4096
"""The number of cached pieces of about 12 kB each: 50 MB at most in each process that draws."""
SMALL: Final = 400
"""Narrower pictures must be small, so they are compressed more."""
LEVEL: Final = 5
SMALL_LEVEL: Final = 8
"""Compression levels. The second one takes six times as long and saves a twelfth. Level 6 takes two thirds longer than
the first and saves a twenty-fifth. The highest level takes a third longer than the second and saves a hundredth.
"""

COVERED: Final = re.compile(
    "[\n -~\xa0-\u017f\u0218-\u021b\u200c-\u2015\u2017-\u201e\u2020-\u2022\u2025-\u2027\u2066-\u2069"
    "\u060c\u061b\u061f\u0621-\u063a\u0640-\u0658\u0660-\u0671\u0679\u067c\u067e\u0681\u0685\u0686\u0688\u0689"
    "\u0691\u0693\u0695\u0696\u0698\u06a4\u06a9-\u06ad\u06af\u06b5\u06ba\u06bc-\u06be\u06c0-\u06c3\u06c6-\u06d0"
    "\u06d2-\u06d5\u06f0-\u06f9]*"
)
"""The characters for which our own font has glyphs."""

_SIGNATURE: Final = b"\x89PNG\r\n\x1a\n"
_SHARP: Final = 'shape-rendering="crispEdges" text-rendering="optimizeSpeed"'
"""Attributes against antialiasing. The shades between two colours would take most of the bytes."""
_UNCUT: Final = "<style>symbol{overflow:visible}</style>"
"""Symbols are not clipped at their edges, which are between two pixels and would be blended."""
_FONTS: Final = Path(__file__).parent / "fonts"
_FAMILY: Final = "Vazirmatn"
_SHEET: Final = re.compile(
    r'<svg [^>]*?viewBox="0 0 ([\d.]+) ([\d.]+)"[^>]*>(<style>.*?</style>)(<defs>.*?</defs>)'
    r'(<rect class="[\w-]+" )width="[\d.]+" height="[\d.]+"/>(.*)</svg>',
    re.DOTALL,
)
"""A picture from ``games.engine.drawing.sheet``: its size, style, symbols, background and pieces."""
_PIECE: Final = re.compile(
    r"<(?:rect|use|circle|polygon|path) [^<>]*/>|<text [^<>]*>[^<>]*</text>"
    r"|<g(?: data-\w+=\"[^\"<>]*\")*>|</g>"  # groups without effect
)
_OF_GROUPS: Final = re.compile(r"[\]\w)] *[ >+~] *[.\[:\w][^{}]*\{")
"""A style rule that depends on the parents or siblings of a piece."""
_PLACE: Final = re.compile(r'(.*?(?: c?x="|"translate\(| d="M))(-?[\d.]+)(" c?y="| )(-?[\d.]+)(.*)', re.DOTALL)
"""A piece, split into its place and the rest, which is the same at every place."""
_BOX: Final = re.compile(r' width="([\d.]+)" height="([\d.]+)"')
_NUMBER: Final = re.compile(r"-?\d+(?:\.\d+)?")
_LINE: Final = re.compile(r' font-size="([\d.]+)"')
_FIXED: Final = re.compile(r"[^\"]*[A-Y]")
"""The rest of a path that does not move with its first point."""
_TEXT: Final = re.compile(
    r'<text class="([\w -]+)" x="" y="" font-size="([\d.]+)" text-anchor="(start|middle|end)">([^<>]*)</text>'
)
"""A line of text from ``games.engine.drawing.text``, without its place."""
_RULE: Final = re.compile(r"\.([\w-]+)\{([^{}]*)\}")
"""A style rule that depends on one class only."""
_HEX: Final = re.compile("#(?:[0-9a-f]{3}|[0-9a-f]{6})")
_ANCHORS: Final = {"start": "ls", "middle": "ms", "end": "rs"}
"""Pillow's names for the anchor of a line of text."""
_HALF: Final = [0] * 128 + [255] * 128
"""Threshold for drawing without blending: a pixel is set if at least half of its area is covered."""
_JOINS: Final = features.check("raqm")
"""Pillow joins Persian letters only if it was built with raqm."""
_MARGIN: Final = 8.0
_COVERING: Final = bytes([0] + [255] * 255)
"""Makes a mask from colour numbers: all except 0 cover the content below."""
_drawing: Final = threading.Lock()
Drawn = tuple[Any, Any, int, int]
"""A rendered part: its colours or its only colour, its mask, and its offset to the right and down. Colours and mask are
Pillow's internal images.
"""


class NotFlat(Exception):
    """A picture cannot be composed of pieces."""


def png(svg: str, across: int) -> bytes:
    """Render a picture as PNG of this width."""
    try:
        with _drawing:
            image = composed(svg, across)
    except NotFlat:
        image = Image.open(io.BytesIO(_rendered(svg.replace("<svg ", f"<svg {_SHARP} ", 1), across))).convert("RGB")
        image = image.quantize(COLOURS, Image.Quantize.FASTOCTREE, dither=Image.Dither.NONE)
    return _encoded(image, LEVEL if across >= SMALL else SMALL_LEVEL)


def _encoded(image: Image.Image, level: int) -> bytes:
    """Return a picture with a palette as PNG. The result is smaller than Pillow's, and takes half the time."""
    palette = bytes(image.getpalette() or ())
    depth = 4 if len(palette) <= 3 * 16 else 8
    left = 8 // depth  # A byte of 0 before each line selects the PNG filter "none".
    lines = Image.new("P", (left + image.width, image.height))
    lines.paste(image, (left, 0))
    data = zlib_ng.compress(lines.tobytes("raw", f"P;{depth}" if depth < 8 else "P"), level)
    head = struct.pack(">IIBBBBB", *image.size, depth, 3, 0, 0, 0)  # 3 means that the colours are in a palette.
    chunks = ((b"IHDR", head), (b"PLTE", palette), (b"IDAT", data), (b"IEND", b""))
    return _SIGNATURE + b"".join(map(_chunk, *zip(*chunks, strict=True)))


def _chunk(name: bytes, data: bytes) -> bytes:
    return struct.pack(">I", len(data)) + name + data + struct.pack(">I", zlib_ng.crc32(name + data))


def composed(svg: str, across: int) -> Image.Image:
    """Compose a picture of pieces. Its palette has exactly the colours of the picture.

    Each piece begins at a whole pixel. The difference is not visible, and more pieces are equal.
    """
    match = _SHEET.fullmatch(svg)
    if match is None or _OF_GROUPS.search(match[3]):
        raise NotFlat
    width, height, style, symbols, paper, pieces = match.groups()
    sheet = sheet_of(style, symbols, across / float(width))
    blank = piece(sheet, f'{paper}x="', '" y="', '" width="99" height="99"/>')[0].getpixel((4, 4))
    image = Image.new("L", (across, ceil(float(height) * sheet.scale)), blank)
    for text in _split(pieces):
        column, row, *unplaced = _placed(text, sheet.scale)
        colours, mask, right, down = piece(sheet, *unplaced)
        right, down = column + right, row + down
        image.im.paste(colours, (right, down, right + mask.size[0], down + mask.size[1]), mask)
    return sheet.coloured(image)


def _split(pieces: str) -> Iterator[str]:
    """Yield the pieces of a picture."""
    position = 0
    for match in _PIECE.finditer(pieces):
        if match.start() != position:
            raise NotFlat
        position = match.end()
        if match[0][1] not in "g/":
            yield match[0]
    if position != len(pieces):
        raise NotFlat


@lru_cache(2 * PIECES)
def _placed(text: str, scale: float) -> tuple[int, int, str, str, str]:
    """Return column and row of a piece, and the piece without them for ``piece``."""
    match = _PLACE.fullmatch(text)
    if match is None or " transform=" in match[5]:
        raise NotFlat
    before, x, between, y, after = match.groups()
    return round(float(x) * scale), round(float(y) * scale), before, between, after


class _Palette(dict[int, int]):
    """The number of each colour. 0 is transparent. A colour is an int of its four bytes in the memory of an image."""

    def __missing__(self, colour: int) -> int:
        alpha = colour >> 24
        if alpha not in (0, 255) or len(self) == 255:
            raise NotFlat
        self[colour] = len(self) + 1 if alpha else 0
        return self[colour]


class Sheet:
    """The pieces of one style at one size, and their common palette."""

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
        properties = dict(part.split(":", 1) for part in listed.split(";") if part)
        if (
            not self._is_plain
            or not _HEX.fullmatch(properties.get("fill", ""))
            or properties.keys() - {"fill", "font-weight"}
        ):
            return None
        colour = bytes([*ImageColor.getrgb(properties["fill"]), 255])
        return int.from_bytes(colour, "little"), properties.get("font-weight") == "bold"

    def render(self, piece: str, across: int, height: int) -> Image.Image:
        """Render a part by itself, with its style, in an area of this many pixels."""
        symbols = self._symbols if piece.startswith("<use") else ""
        svg = (
            f'<svg xmlns="http://www.w3.org/2000/svg" {_SHARP}'
            f' viewBox="0 0 {across / self.scale} {height / self.scale}"'
            f' width="{across}" height="{height}" font-family="{FONTS}">{self._style}{symbols}{piece}</svg>'
        )
        return Image.open(io.BytesIO(_rendered(svg, across))).convert("RGBA")


sheet_of: Final = lru_cache(128)(Sheet)


@lru_cache(PIECES)
def piece(sheet: Sheet, before: str, between: str, after: str) -> Drawn:
    """Return the rendered piece. Its place is between the three texts."""
    if before.endswith('d="M') and _FIXED.match(after):
        raise NotFlat
    if line := _line(sheet, f"{before}{between}{after}"):
        return line
    scale = sheet.scale
    left, up, right, down = (ceil(length * scale) + 1 for length in _reach(after))
    while True:
        place = f"{left / scale:.6f}{between}{up / scale:.6f}"
        image = sheet.render(f"{before}{place}{after}", left + right, up + down)
        box = image.getchannel("A").getbbox() or (1, 1, 2, 2)
        if box[0] and box[1] and box[2] < left + right and box[3] < up + down:
            break
        left, up, right, down = 2 * left, 2 * up, 2 * right, 2 * down
    image = image.crop(box)
    numbers = bytes(map(sheet.palette.__getitem__, memoryview(image.tobytes()).cast("I")))
    colours, mask = (Image.frombytes("L", image.size, values) for values in (numbers, numbers.translate(_COVERING)))
    return colours.im, mask.im, box[0] - left, box[1] - up


def _line(sheet: Sheet, text: str) -> Drawn | None:
    """Render a line of text as ``piece`` returns it. Return None if it needs more than our own font in one colour."""
    match = _TEXT.fullmatch(text)
    look = sheet.look(match[1].split()) if match else None
    if match is None or look is None or not _JOINS or not COVERED.fullmatch(text_content := html.unescape(match[4])):
        return None
    colour, is_bold = look
    anchor = _ANCHORS[match[3]]
    font = _font(is_bold, float(match[2]) * sheet.scale)
    mask, (left, up) = font.getmask2(text_content, "L", anchor=anchor, direction="ltr")
    return sheet.palette[colour], mask.point(_HALF, "L"), left, up


@lru_cache(128)
def _font(is_bold: bool, size: float) -> ImageFont.FreeTypeFont:
    return ImageFont.truetype(_FONTS / f"{_FAMILY}-{'Bold' if is_bold else 'Regular'}.ttf", size)


def _reach(rest: str) -> tuple[float, float, float, float]:
    """Estimate how far a piece extends at most to the left of its place, above, to the right and below."""
    attributes, _, content = rest.partition(">")
    if match := _BOX.search(attributes):
        return _MARGIN, _MARGIN, float(match[1]) + _MARGIN, float(match[2]) + _MARGIN
    if match := _LINE.search(attributes):
        size = float(match[1])
        return (long := text_width(content) * size + _MARGIN), 1.3 * size, long, 0.7 * size
    return (max(map(abs, map(float, _NUMBER.findall(attributes))), default=0) + 4 * _MARGIN,) * 4


def _rendered(svg: str, across: int) -> bytes:
    """Render an SVG with resvg. System fonts are used only if our own font lacks a letter."""
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
