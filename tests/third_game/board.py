"""A board for the third game: it names its numbers as places, so people can press them."""

from typing import Final

from msgspec.structs import replace

from games.engine import Move, Phrase
from games.engine.drawing import Reader, box, named_place, sheet, stylesheet, text
from tests.third_game import fist

STYLE: Final = stylesheet(".fist{fill:#fffdf8}.fist-text{fill:#2a211c}", ".fist{fill:#221b17}.fist-text{fill:#efe6d8}")
SIDE: Final = 60


def picture(view: fist.View, reader: Reader) -> str:
    """Draw a square for each number, with the last claims below."""
    squares = [named_place(f"number-{number}", _square(number)) for number in range(1, 7)]
    claims = text(", ".join(map(str, view.claims)), SIDE / 2, 1.6 * SIDE, 20, "fist-text")
    return sheet(6 * SIDE, 2 * SIDE, STYLE, "", [*squares, claims], "fist", reader.say(Phrase("Six numbers.")))


def _square(number: int) -> list[str]:
    left = (number - 1) * SIDE
    return [box("fist", left, 0, SIDE, SIDE), text(str(number), left + SIDE / 2, 40, 24, "fist-text", "middle")]


def label(move: Move) -> Phrase:
    """A move as a button says it; the number of a claim is that of a place."""
    if isinstance(move, fist.Claim):
        return Phrase("Claim %(number)s", {"number": move.number})
    return Phrase("Allow it" if isinstance(move, fist.Allow) else "Doubt it")


RULES: Final = replace(fist.RULES, picture=picture, picture_style=STYLE, words=replace(fist.RULES.words, label=label))
