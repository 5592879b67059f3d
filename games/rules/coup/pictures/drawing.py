"""The parts of Coup's picture. Each character has its own emblem, colour and name."""

from typing import Final

from games.engine import Phrase, Reader
from games.engine.drawing import box, fitting, moving_part, stylesheet, text, used
from games.rules.coup.state import Character
from games.rules.coup.text.words import CHARACTERS, PARTIES

LIGHT: Final = """
.cp-paper{fill:#f1ece2}.cp-panel{fill:#fffdf8;stroke:#cfc4ad;stroke-width:2}.cp-own{fill:#fff3d6;stroke:#8a6a10;stroke-width:3}
.cp-turn{fill:none;stroke:#b3410e;stroke-width:6}.cp-ask{fill:#b3410e}.cp-asking{fill:#fffdf8;font-weight:bold}
.cp-text{fill:#231e17}.cp-bold{font-weight:bold}.cp-faint{fill:#655c4b}.cp-struck{text-decoration:line-through}
.cp-face{fill:#fffdf8;stroke:#231e17;stroke-width:2.5}.cp-edge{fill:none;stroke:#231e17;stroke-width:2.5}
.cp-emblem{fill:#fffdf8;stroke:#fffdf8;stroke-width:0}.cp-ghost{fill:#8b8170;stroke:#8b8170;stroke-width:0}
.cp-gone{fill:none;stroke:#8b8170;stroke-width:2.5;stroke-dasharray:6 5}.cp-slash{stroke:#8a1c34;stroke-width:5}
.cp-back{fill:#5d6b7a;stroke:#231e17;stroke-width:2.5}.cp-weave{fill:none;stroke:#9fb0c1}
.cp-mark{fill:#b3410e;stroke:#b3410e;stroke-width:0}.cp-seat{fill:#231e17}.cp-number{fill:#fffdf8;font-weight:bold}
.cp-coin{fill:#e9b730;stroke:#8a6a10;stroke-width:2.5}
.cp-empire{fill:#8a1c34}.cp-resistance{fill:#0c6a5c}.cp-party{fill:#fffdf8;stroke:#fffdf8;stroke-width:0}
.cp-duke{fill:#7a2f93}.cp-assassin{fill:#26292e}.cp-captain{fill:#1266ad}.cp-ambassador{fill:#1d8a4e}
.cp-contessa{fill:#cf4a1a}.cp-inquisitor{fill:#8a6a10}
"""
"""Few colours, used for several things. A picture with at most sixteen colours needs four bits a pixel in an email."""
DARK: Final = """
.cp-paper{fill:#14120e}.cp-panel{fill:#23201a;stroke:#4d4636}.cp-own{fill:#3a301a;stroke:#d9b45a}
.cp-turn{stroke:#ffb04d}.cp-ask{fill:#ffb04d}.cp-asking{fill:#1c1508}
.cp-text{fill:#f5eedf}.cp-faint{fill:#b9ae97}.cp-face{fill:#2f2b23;stroke:#f5eedf}.cp-edge{stroke:#f5eedf}
.cp-ghost{fill:#8f8571;stroke:#8f8571}.cp-gone{stroke:#8f8571}.cp-slash{stroke:#ff7a6b}
.cp-back{fill:#46525f;stroke:#f5eedf}.cp-mark{fill:#ffb04d;stroke:#ffb04d}.cp-seat{fill:#f5eedf}.cp-number{fill:#1c1508}
.cp-assassin{fill:#0b0c0e}
"""
"""The colours that differ in dark surroundings."""
STYLE: Final = stylesheet(LIGHT, DARK)
"""The stylesheet of the game's pictures."""

TILE: Final = 84.0
"""The height of a card."""
BAND: Final = 30.0
"""The height of the part of a card that its name stands on."""
ICON: Final = 30.0
"""The size of a mark, and the height of the badge of a party."""

_EMBLEMS: Final[dict[str, str]] = {
    "duke": '<path d="M7 36h34v6H7zM7 32L4 13l11 8 9-15 9 15 11-8-3 19z"/>',
    "assassin": '<path d="M24 1l6 9v18H18V10zM10 29h28v5H10zM21 34h6v8h-6z"/><circle cx="24" cy="44" r="4"/>',
    "captain": '<path fill="none" stroke-width="5" d="M24 13v30M14 20h20M6 27q2 16 18 16t18-16M24 3a5 5 0 1 0 .1 0z"/>'
    '<path d="M1 32l5-10 8 8zM47 32l-5-10-8 8z"/>',
    "ambassador": '<path fill="none" stroke-width="4.5" stroke-linejoin="round" d="M4 10h40v29H4zM5 11l19 17L43 11"/>',
    "contessa": '<path fill="none" stroke-width="4" stroke-linejoin="round" d="M24 43L3 21Q24-7 45 21z'
    'M24 42V9M24 42L13 12M24 42L35 12"/><circle cx="24" cy="43" r="4"/>',
    "inquisitor": '<path fill="none" stroke-width="5" d="M20 5a15 15 0 1 0 .1 0z"/><path fill="none" stroke-width="8" '
    'stroke-linecap="round" d="M32 32l11 11"/><circle cx="20" cy="20" r="5"/>',
    "empire": '<path d="M9 44V22H5V6h8v6h7V6h8v6h7V6h8v16h-4v22h-9V33H18v11z"/>',
    "resistance": '<path d="M9 3h5v43H9zM16 5q8-4 15 0t14 0v20q-7 4-14 0t-15 0z"/>',
    "target": '<path fill="none" stroke-width="5" d="M24 8a16 16 0 1 0 .1 0zM24 0v16M24 32v16M0 24h16M32 24h16"/>',
    "block": '<path d="M24 2l19 6v14q0 16-19 24Q5 38 5 22V8z"/>',
    "doubt": '<path fill-rule="evenodd" d="M4 4h40v30H24L12 45V34H4zM21 8h6l-1 14h-4zM21.5 25h5v5h-5z"/>',
    "waited": '<path fill-rule="evenodd" d="M8 2h32v7H37q0 10-9 15 9 5 9 15h3v7H8v-7h3q0-10 9-15-9-5-9-15H8z'
    'M17 38h14q-1-7-7-10-6 3-7 10z"/>',
    "bomb": '<circle cx="20" cy="29" r="17"/><path fill="none" stroke-width="4" d="M29 15l5-6q5-4 9 1"/>'
    '<path d="M43 3l2 5 3 3-4 2-1 4-3-4-5 0 3-4z"/>',
}
_COIN: Final = '<circle class="cp-coin" cx="24" cy="24" r="21"/><circle class="cp-coin" cx="24" cy="24" r="13"/>'
_WEAVE: Final = (
    '<symbol id="cp-weave" viewBox="0 0 6 4" preserveAspectRatio="none">'
    '<path stroke-width=".14" d="M1 2l1-1 1 1-1 1zM3 2l1-1 1 1-1 1z"/></symbol>'
)
"""The pattern on the back of a card, as wide and high as the card is."""


def symbols() -> str:
    """Return a symbol for each emblem and mark, to be used as ``#cp-<name>``."""
    shapes = {**_EMBLEMS, "coin": _COIN}
    symbols = "".join(f'<symbol id="cp-{name}" viewBox="0 0 48 48">{shape}</symbol>' for name, shape in shapes.items())
    return symbols + _WEAVE


def mark(name: str, left: float, top: float, size: float = ICON) -> str:
    """Draw a small sign for an action or for its effect on a player."""
    return used(f"cp-{name}", left, top, size, size, "cp-mark")


def coin(left: float, top: float, size: float = ICON) -> str:
    """A coin."""
    return used("cp-coin", left, top, size, size)


def hand_card(card: Character, reader: Reader, top: float, left: float, wide: float) -> str:
    """Draw a card that lies face down and that its viewer may know: in full colour."""
    side = TILE - BAND - 10
    return moving_part(
        "card",
        card,
        box("cp-face", left, top, wide, TILE),
        box(f"cp-{card}", left + 1, top + 1, wide - 2, TILE - BAND, 6),
        used(f"cp-{card}", left + (wide - side) / 2, top + 5, side, side, "cp-emblem"),
        _name_of(card, left, top, wide, "cp-text", reader),
    )


def lost(card: Character, reader: Reader, top: float, left: float, wide: float) -> str:
    """Draw a lost influence, face up: pale and struck through."""
    side = TILE - BAND - 10
    return moving_part(
        "card",
        f"{card} lost",
        box("cp-gone", left, top, wide, TILE),
        used(f"cp-{card}", left + (wide - side) / 2, top + 5, side, side, "cp-ghost"),
        f'<path class="cp-slash" d="M{left + 10:.4g} {top + TILE - BAND:.4g}l{wide - 20:.4g} {BAND + 8 - TILE:.4g}"/>',
        _name_of(card, left, top, wide, "cp-faint", reader),
    )


def back(top: float, left: float, wide: float) -> str:
    """Draw a card that lies face down."""
    weave = used("cp-weave", left, top, wide, TILE, "cp-weave")
    return moving_part("card", "back", box("cp-back", left, top, wide, TILE), weave)


def _name_of(card: Character, left: float, top: float, wide: float, style: str, reader: Reader) -> str:
    name, size = fitting(reader.say(Phrase(CHARACTERS[card])), wide - 8, 22)
    return text(name, left + wide / 2, top + TILE - 8, size, style, rtl=reader.right_to_left)


def party(name: str, left: float, top: float, wide: float, reader: Reader) -> str:
    """Draw the badge of a party, with its sign and its name: square for the empire, round for the resistance."""
    rtl, sign = reader.right_to_left, ICON - 8
    label, size = fitting(reader.say(Phrase(PARTIES[name])), wide - sign - 26, 21)
    begins, middle = (
        (left + wide - sign - 9, left + (wide - sign - 7) / 2) if rtl else (left + 9, left + (wide + sign + 7) / 2)
    )
    return (
        box(f"cp-{name}", left, top, wide, ICON + 2, 3 if name == "empire" else ICON / 2)
        + used(f"cp-{name}", begins, top + 5, sign, sign, "cp-party")
        + text(label, middle, top + 23, size, "cp-party", rtl=rtl)
    )


def seat_badge(content: str, x: float, y: float, style: str = "cp-seat") -> str:
    """Draw the number of a seat in a disc around ``x``, ``y``."""
    return f'<circle class="{style}" cx="{x:.4g}" cy="{y:.4g}" r="17"/>' + text(content, x, y + 8, 22, "cp-number")
