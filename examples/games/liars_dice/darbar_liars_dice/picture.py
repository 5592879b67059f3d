"""The table as a picture: a row for each player, with their dice and the bid."""

from collections.abc import Iterator
from typing import Final

from games.engine import Phrase, Reader, SeatName, SeatNumber
from games.engine.drawing import box, figure, fitting, named_place, sheet, stylesheet, text

from .game import View

WIDE: Final = 640
ROW: Final = 64
STYLE: Final = stylesheet(
    ".ld-paper{fill:#f6f1e7}.ld-row{fill:#fffdf8}.ld-turn{fill:#ffe9b8}.ld-die{fill:#b3392c}.ld-cup{fill:#8a8f98}"
    ".ld-name{fill:#26221c}.ld-face{fill:#fff}",
    ".ld-paper{fill:#1e1c19}.ld-row{fill:#2a2723}.ld-turn{fill:#4d4020}.ld-name{fill:#f2ede2}",
)


def picture(view: View, reader: Reader) -> str:
    """Return a view as SVG."""
    rows = [named_place(f"seat-{seat}", row(view, SeatNumber(seat), reader)) for seat in range(1, len(view.left) + 1)]
    return sheet(WIDE, ROW * len(rows) + 16, STYLE, "", rows, "ld-paper", "Liar's Dice")


def row(view: View, seat: SeatNumber, reader: Reader) -> Iterator[str]:
    """Draw the row of a player."""
    top = ROW * (seat - 1) + 12
    yield box("ld-turn" if seat in view.open.seats else "ld-row", 8, top, WIDE - 16, ROW - 8)
    name, size = fitting(reader.say(Phrase("%(player)s", {"player": SeatName(seat)})), 200, 24)
    yield text(name, 24, top + 36, size, "ld-name", "start", reader.right_to_left)
    for place, die in enumerate(view.dice[seat - 1]):
        left = 240 + 46 * place
        yield box("ld-cup" if die is None else "ld-die", left, top + 8, 40, 40)
        yield text("?" if die is None else figure(die, reader), left + 20, top + 37, 24, "ld-face")
    if view.bid is not None and view.bid.seat == seat:
        bid = f"{figure(view.bid.count, reader)} × {figure(view.bid.face, reader)}"
        yield text(bid, WIDE - 40, top + 36, 26, "ld-name", "end")
