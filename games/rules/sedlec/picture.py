"""The picture of the table, drawn from a view. It can show only the facts in the view.

Its only words are the player names and whose turn it is. Everything that the player in turn may choose has a ring, with
its notation beside it: the number of a pile, an end of the bottom row, or ``1.2``. For right-to-left scripts, piles and
players are mirrored; pyramids are not.
"""

from collections.abc import Iterator
from pathlib import Path
from typing import Final, TypeVar

from games.engine import Phrase, Reader, SeatName
from games.engine.drawing import (
    arrow,
    box,
    figure,
    fitting,
    hand_place,
    moving_part,
    named_place,
    read_symbols,
    sheet,
    star,
    stylesheet,
    text,
    used,
)
from games.rules.sedlec.pyramid import HALVES, KINDS, Card, Kind, Place, places, spot_of
from games.rules.sedlec.views import Pile, Player, View
from games.rules.sedlec.words import card_words, status

ACROSS: Final = 640.0

GAP: Final = 12.0

PILE: Final = 74.0
"""The width of a card of the graveyard."""

LIFT: Final = 8.0
"""The distance by which a card of a pile stands above the one below it."""

GUTTER: Final = 24.0
"""The position of the numbers of the levels."""

LEVELS: Final = 6

GROUND: Final = 72.0
"""The vertical position at which the lowest card of each pile begins."""

WIDE: Final = 120
"""The width of a skull's drawing."""

HIGH: Final = 104
"""The height of a skull's drawing."""


def card_height(width: float) -> float:
    """Return the height of a card of this width: two skulls."""
    return 2 * width * HIGH / WIDE


PANELS: Final = GROUND + card_height(PILE) + 46
"""The vertical position at which the players' panels begin."""

T = TypeVar("T")


def picture(view: View, reader: Reader) -> str:
    """Return the table as SVG, in the reader's words."""
    width = (ACROSS - GAP * (len(view.players) + 1)) / len(view.players)
    panels = [
        Panel(view, player, reader, GAP + at * (width + GAP), PANELS, width)
        for at, player in enumerate(_in_order(view.players, reader))
    ]
    down = round(PANELS + panels[0].height + GAP)
    shapes = [
        headline(view, reader),
        *graveyard(view, reader),
        *(named_place(f"seat-{panel.player.seat}", panel.shapes()) for panel in panels),
    ]
    label = reader.say(status(view, reader.seat))
    return sheet(ACROSS, down, STYLE, SYMBOLS, shapes, "sd-paper", label)


def _in_order(things: tuple[T, ...], reader: Reader) -> tuple[T, ...]:
    return things[::-1] if reader.right_to_left else things


def headline(view: View, reader: Reader) -> str:
    """Return whose turn it is, or who won."""
    sentence, size = fitting(reader.say(status(view, reader.seat)), ACROSS - 4 * GAP, 26)
    return text(sentence, ACROSS / 2, 34, size, "sd-text", rtl=reader.right_to_left)


def graveyard(view: View, reader: Reader) -> Iterator[str]:
    """Draw the six piles, with rings around those that the player in turn may dig, collect or take."""
    pitch = (ACROSS - GAP) / len(view.piles)
    taking = view.turn is not None and not view.dug and may_take(view, view.players[view.turn - 1])
    for at, (number, pile) in enumerate(_in_order(tuple(enumerate(view.piles, 1)), reader)):
        left = GAP + at * pitch + (pitch - GAP - PILE) / 2
        choice = number in view.dug or (taking and (pile.face_up is not None or pile.face_down != ()))
        yield named_place(f"pile-{number}", heap(pile, left, choice, reader))
        yield text(figure(number, reader), left + PILE / 2, GROUND + card_height(PILE) + 32, 24, "sd-faint")


def may_take(view: View, player: Player) -> bool:
    """Return whether a player has room for another card, in the hand and in the pyramid."""
    laid = sum(card is not None for row in player.pyramid for card in row)
    return len(player.hand) < 2 and laid + len(player.hand) < view.size


def heap(pile: Pile, left: float, choice: bool, reader: Reader) -> Iterator[str]:
    """Draw a pile: its cards, and its top card if it is face up, else their number."""
    height = card_height(PILE)
    cards = len(pile.face_down) + (pile.face_up is not None)
    top = GROUND - LIFT * max(0, cards - 1)
    if not cards:
        yield box("sd-gone", left, GROUND, PILE, height)
    for at in range(cards):
        yield back(left, GROUND - LIFT * at, PILE)
    if pile.face_up is not None:
        yield card(pile.face_up, left, top, PILE)
    elif cards:
        yield text(figure(cards, reader), left + PILE / 2, top + height / 2 + 11, 30, "sd-count sd-bold")
    if choice:
        yield box("sd-choice", left - 7, top - 7, PILE + 14, height + GROUND - top + 14, 12)


class Panel:
    """The panel of one player: name and points, hand, pyramid, and what each kind of skull adds."""

    def __init__(self, view: View, player: Player, reader: Reader, left: float, top: float, width: float) -> None:
        self.view, self.player, self.reader = view, player, reader
        self.left, self.top, self.width = left, top, width
        self.card = (width - GUTTER - GAP) / view.width
        self.half = card_height(self.card) / 2
        self.hand = top + 58
        self.floor = self.hand + 2 * self.half + 2 * GAP + LEVELS * self.half
        self.height = self.floor + 84 - top
        self.asked = view.turn == player.seat
        self.lays = self.asked and bool(player.hand) and not view.dug

    def shapes(self) -> Iterator[str]:
        """Yield the pieces of the panel."""
        yield box("sd-panel", self.left, self.top, self.width, self.height, 12)
        if self.asked:
            yield box("sd-turn", self.left, self.top, self.width, self.height, 12)
        yield from self.head()
        yield from self.hand_shapes()
        yield from self.levels()
        yield from self.built()
        if self.lays:
            for place in places(self.player.pyramid, self.view.width):
                yield from self.free(place)
        yield from self.points()

    def head(self) -> Iterator[str]:
        """Yield the name and the points. The name is marked if the player has the turn or won, and struck out if they
        resigned.
        """
        line, rtl = self.top + 38, self.reader.right_to_left
        mark = self.left + (self.width - 24 if rtl else 24)
        if self.player.seat in (self.view.winners or ()):
            yield star("sd-mark", mark, line - 9)
        elif self.asked:
            yield arrow("sd-mark", rtl, mark, line - 9)
        style = "sd-faint sd-struck" if self.player.forfeited else "sd-text"
        name = self.reader.say(Phrase("%(seat)s", {"seat": SeatName(self.player.seat)}))
        name, size = fitting(name, self.width - 46 - GAP, 25)
        if rtl:
            yield text(name, mark - 22, line, size, style, "end", rtl)
        else:
            yield text(name, mark + 22, line, size, style, "start")
        total = figure(self.player.score.total, self.reader)
        yield text(
            total, self.left + self.width - self.card / 2 - 4, self.floor - 5 * self.half - 8, 34, "sd-text sd-bold"
        )

    def hand_shapes(self) -> Iterator[str]:
        """Yield the hand. Its cards have rings if one of them may be laid."""
        start = self.left + (self.width - 2 * self.card - 2 * GAP) / 2
        for at in range(2):
            left = start + at * (self.card + 2 * GAP)
            if at >= len(self.player.hand):
                yield box("sd-gone", left, self.hand, self.card, 2 * self.half)
                continue
            shape = card(self.player.hand[at], left, self.hand, self.card)
            yield named_place(hand_place(card_words(self.player.hand[at])), [shape]) if self.lays else shape
            if self.lays:
                yield box("sd-choice", left - 6, self.hand - 6, self.card + 12, 2 * self.half + 12, 12)

    def levels(self) -> Iterator[str]:
        """Yield the six levels with their numbers, the lowest at the bottom."""
        for level in range(LEVELS + 1):
            at = self.floor - level * self.half
            yield f'<path class="sd-level" d="M{self.left + GUTTER:.4g} {at:.4g}h{self.width - GUTTER - GAP / 2:.4g}"/>'
            if level:
                yield text(
                    figure(level, self.reader), self.left + GUTTER / 2 + 2, at + self.half / 2 + 7, 20, "sd-faint"
                )

    def corner(self, row: int, column: float) -> tuple[float, float]:
        """Return the upper left corner of a card of the pyramid."""
        spare = (self.view.width - max(1, len(self.player.pyramid[0]))) / 2
        left = self.left + GUTTER + GAP / 4 + (spare + column + row / 2) * self.card
        return left, self.floor - 2 * (row + 1) * self.half

    def built(self) -> Iterator[str]:
        """Yield the cards of the pyramid."""
        for row, cards in enumerate(self.player.pyramid):
            for column, face in enumerate(cards):
                if face is not None:
                    yield card(face, *self.corner(row, column), self.card)

    def free(self, place: Place) -> Iterator[str]:
        """Draw a free place with its name."""
        bottom = len(self.player.pyramid[0])
        if place not in ("left", "right"):
            left, top = self.corner(*spot_of(self.player.pyramid, place))
            yield box("sd-place", left + 3, top + 3, self.card - 6, 2 * self.half - 6)
            name = ".".join(figure(int(digit), self.reader) for digit in place.removeprefix("on ").split("."))
            yield text(name, left + self.card / 2, top + self.half + 8, 23, "sd-text")
            return
        width = self.card if not bottom else self.card / 2
        left, top = self.corner(0, bottom if place == "right" else -0.5 if bottom else 0)
        yield box("sd-place", left + 3, top + 3, width - 6, 2 * self.half - 6)
        yield arrow("sd-mark", place == "left", left + width / 2, top + self.half, 9)

    def points(self) -> Iterator[str]:
        """Yield the points of each kind of skull. This line is also the key to the drawings."""
        pitch = (self.width - GAP) / len(KINDS)
        for at, kind in enumerate(KINDS):
            left = self.left + GAP / 2 + at * pitch + (pitch - 34) / 2
            yield skull(kind, left, self.floor + 14, 34)
            yield text(figure(getattr(self.player.score, kind), self.reader), left + 17, self.floor + 70, 22, "sd-text")


LIGHT: Final = """
.sd-paper{fill:#f1ece2}.sd-panel{fill:#fffdf8;stroke:#cfc4ad;stroke-width:2}.sd-level{stroke:#cfc4ad;stroke-width:2}
.sd-text{fill:#221}.sd-count{fill:#fffdf8}.sd-bold{font-weight:bold}.sd-faint{fill:#655c4b}.sd-edge{fill:none;stroke:#221;stroke-width:2.5}
.sd-back{fill:#148;stroke:#221;stroke-width:2.5}
.sd-gone{fill:none;stroke:#cfc4ad;stroke-width:2.5;stroke-dasharray:4 7}
.sd-choice{fill:none;stroke:#b41;stroke-width:6;stroke-dasharray:13 7}
.sd-place{fill:#f9e6d2;stroke:#b41;stroke-width:4;stroke-dasharray:9 6}.sd-mark{fill:#b41}
.sd-turn{fill:none;stroke:#b41;stroke-width:5}.sd-struck{text-decoration:line-through}
.sd-bone{fill:#fffdf8;stroke:#221;stroke-width:2.6;stroke-linejoin:round;stroke-linecap:round}
"""
"""The colours of Coup's pictures and of the symbols: few, because they make pictures in emails small."""

DARK: Final = """
.sd-paper{fill:#14120e}.sd-panel{fill:#23201a;stroke:#4d4636}.sd-level{stroke:#4d4636}
.sd-text{fill:#f5eedf}.sd-faint{fill:#b9ae97}.sd-edge,.sd-back{stroke:#f5eedf}
.sd-gone{stroke:#665d49}.sd-choice,.sd-turn{stroke:#ffb04d}.sd-place{fill:#3d2f1a;stroke:#ffb04d}.sd-mark{fill:#ffb04d}
"""
"""The colours that differ in dark surroundings."""

STYLE: Final = stylesheet(LIGHT, DARK)
"""The stylesheet of the game's pictures."""

SYMBOLS: Final = read_symbols(Path(__file__).with_name("symbols.svg"))
"""A symbol for each kind, to be used as ``#sd-<kind>``, and the back of a card."""


def card(face: Card, left: float, top: float, width: float) -> str:
    """Draw a card, its top skull above its bottom one."""
    half = card_height(width) / 2
    skulls = "".join(skull(kind, left, top + at * half, width) for at, kind in enumerate(HALVES[face]))
    return moving_part("card", face, skulls, box("sd-edge", left, top, width, 2 * half))


def skull(kind: Kind, left: float, top: float, width: float) -> str:
    """Draw a skull of one kind."""
    return used(f"sd-{kind}", left, top, width, width * HIGH / WIDE, "sd-bone")


def back(left: float, top: float, width: float) -> str:
    """Draw a card that lies face down."""
    height = card_height(width)
    tiles = used("sd-back", left, top, width, height)
    return moving_part("card", "back", box("sd-back", left, top, width, height), tiles)
