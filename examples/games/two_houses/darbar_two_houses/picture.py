"""The table as a picture: a row for each player, and the caravan."""

from collections.abc import Iterator
from typing import Final

from games.engine import Phrase, Reader, SeatName, SeatNumber
from games.engine.drawing import box, figure, fitting, named_place, sheet, stylesheet, text

from .game import View, side_of

WIDE: Final = 640
ROW: Final = 60
STYLE: Final = stylesheet(
    ".th-paper{fill:#f6f1e7}.th-one{fill:#d9e6f2}.th-two{fill:#f6dcc9}.th-text{fill:#26221c}.th-coin{fill:#e8c35a}"
    ".th-seal{fill:#e59a8f}.th-worth{fill:#a9cfb1}",
    ".th-paper{fill:#1e1c19}.th-one{fill:#22384d}.th-two{fill:#4d3322}.th-text{fill:#f2ede2}"
    ".th-worth{fill:#3f6b4a}.th-coin{fill:#7d5f14}.th-seal{fill:#8c3226}",
)
HOUSES: Final = ("th-one", "th-two")


def picture(view: View, reader: Reader) -> str:
    """Return a view as SVG: the waiting caravan between the points of both houses, and a row for each player."""
    rows = [named_place(f"seat-{n}", row(view, SeatNumber(n), reader)) for n in range(1, len(view.coins) + 1)]
    boxes = ((HOUSES[0], 60, view.points[0]), ("th-worth", 320, view.worth), (HOUSES[1], 580, view.points[1]))
    top = [item for kind, x, count in boxes for item in (box(kind, x - 36, 12, 72, 48), number(x, 46, count, reader))]
    return sheet(WIDE, ROW * (len(rows) + 1) + 16, STYLE, "", [*top, *rows], "th-paper", "Two Houses")


def number(x: int, y: int, count: int, reader: Reader) -> str:
    """Return a number in the reader's digits."""
    return text(figure(count, reader), x, y, 26, "th-text")


def row(view: View, seat: SeatNumber, reader: Reader) -> Iterator[str]:
    """Draw the row of a player: name, coins, and the sealed bid."""
    top = ROW * seat + 12
    yield box(HOUSES[side_of(seat)], 8, top, WIDE - 16, ROW - 8)
    name, size = fitting(reader.say(Phrase("%(player)s", {"player": SeatName(seat)})), 240, 24)
    yield text(name, 24, top + 34, size, "th-text", "start", reader.right_to_left)
    for kind, left, count in (("th-coin", 400, view.coins[seat - 1]), ("th-seal", 500, view.bids[seat - 1])):
        if count is not None and seat not in view.gone:
            yield box(kind, left, top + 6, 64, 40)
            yield number(left + 32, top + 34, count, reader)
