"""Cards: pictures of 1200 x 630 pixels that messengers and other sites show beside a link (Open Graph).

A card shows public information only. The caller passes the view of a spectator, or of a finished game.
"""

import hashlib
import re
import threading
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final

from games.engine.drawing import fitting, sheet, text, wrapped
from games.visibility.picture import png

WIDE: Final = 1200
HIGH: Final = 630
MARGIN: Final = 56
BOARD: Final = 540
"""The maximum width of the board."""
MOST: Final = 200_000
"""The maximum size of a card in bytes. Most cards have a tenth of that."""
WIDTHS: Final = (WIDE, 800, 600, 480, 320)
"""The widths of a card in pixels. The first one that is small enough is used. With one byte for each pixel the third
one is always small enough.
"""
PATIENCE: Final = 2.0
"""The seconds for which a request waits while other cards are drawn. A process draws one card at a time."""
MOST_LINES: Final = 5
one_at_a_time: Final = threading.Lock()

_STYLE: Final = """
.og-paper{fill:#f6f0e4}.og-edge{fill:#7a1f2b}.og-mark{fill:#f0c869}.og-title{fill:#7a1f2b;font-weight:bold}
.og-text{fill:#2a211c}.og-faint{fill:#695b4f}.og-bold{fill:#2a211c;font-weight:bold}
.og-frame{fill:none;stroke:#e0d3bd;stroke-width:2}
"""
_MARK: Final = (
    '<rect class="og-edge" width="32" height="32" rx="7"/>'
    '<path class="og-mark" d="M6 22V10l5.2 5L16 7l4.8 8L26 10v12zM6 24h20v2.4H6z"/>'
)
_SIZE: Final = re.compile(r'<svg [^>]*?viewBox="0 0 ([\d.]+) ([\d.]+)"[^>]*>')


class Busy(Exception):
    """Other cards are being drawn. The client should try again in a second."""


@dataclass(frozen=True)
class Card:
    """A card in the language that is active."""

    title: str
    lines: tuple[str, ...]
    """The first line is bold."""
    site: str
    """The name of the site and its address."""
    board: str | None
    """A drawing as SVG that is shown beside the words, or None."""
    right_to_left: bool

    def svg(self) -> str:
        """Return the card as SVG."""
        room = WIDE - 2 * MARGIN - (BOARD + MARGIN if self.board else 0)
        parts = [f'<rect class="og-edge" width="{WIDE}" height="16"/>', *self._words(room)]
        if self.board:
            parts.append(_beside(self.board, MARGIN if self.right_to_left else WIDE - MARGIN - BOARD))
        return sheet(WIDE, HIGH, _STYLE, "", parts, "og-paper", self.title)

    def _words(self, room: float) -> Iterator[str]:
        edge = WIDE - 64 - MARGIN if self.right_to_left else MARGIN
        yield f'<g transform="translate({edge} 56) scale(2)">{_MARK}</g>'
        yield self._line(self.site, 100, 32, "og-faint", inset=84)
        down = 176.0
        for line in [*wrapped(self.title, room / 1.12, 58)][:2]:
            down += 34
            fitted, size = fitting(line, room / 1.12, 58, 30)
            yield self._line(fitted, down, size, "og-title")
            down += 42
        for style, line in self._body(room)[:MOST_LINES]:
            down += 46
            yield self._line(line, down, 34, style)

    def _body(self, room: float) -> list[tuple[str, str]]:
        """Return the lines below the title, wrapped, each with its style."""
        styled = [("og-bold" if index == 0 else "og-text", line) for index, line in enumerate(self.lines)]
        return [(style, part) for style, line in styled for part in wrapped(line, room / 1.12, 34)]

    def _line(self, line: str, down: float, size: float, style: str, inset: float = 0) -> str:
        start = WIDE - MARGIN - inset if self.right_to_left else MARGIN + inset
        return text(line, start, down, size, style, "end" if self.right_to_left else "start", self.right_to_left)


def version(svg: str) -> str:
    """Return the part of a card's address that depends on its content."""
    return hashlib.sha256(svg.encode()).hexdigest()[:12]


def draw_png(svg: str) -> bytes:
    """Return a card as PNG. Raises Busy if other cards are being drawn for too long."""
    if not one_at_a_time.acquire(timeout=PATIENCE):
        raise Busy
    try:
        image = png(svg, widths=WIDTHS, most=MOST)
    finally:
        one_at_a_time.release()
    assert image is not None
    return image


def _beside(board: str, left: float) -> str:
    """Return a drawing with a frame, as large as its space allows."""
    match = _SIZE.match(board)
    assert match is not None
    width, height = float(match[1]), float(match[2])
    scale = min(BOARD / width, (HIGH - 2 * MARGIN + 20) / height)
    across, down = width * scale, height * scale
    start, top = left + (BOARD - across) / 2, (HIGH + 16 - down) / 2
    place = f'x="{start:.4g}" y="{top:.4g}" width="{across:.4g}" height="{down:.4g}"'
    inner = f'<svg {place} viewBox="0 0 {width:g} {height:g}">{board[match.end() :]}'
    return f'{inner}<rect class="og-frame" {place} rx="10"/>'
