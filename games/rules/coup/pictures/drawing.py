"""The parts of Coup's picture. Each character has a drawing, a colour and a name of its own."""

from pathlib import Path
from typing import Final

from games.engine import Phrase, Reader
from games.engine.drawing import BOLD, box, fitting, moving_part, read_symbols, stylesheet, text, text_width, used
from games.rules.coup.state import Character
from games.rules.coup.text.words import CHARACTERS, PARTIES

LIGHT: Final = """
.cp-paper{fill:#f1ece2}.cp-panel{fill:#fffdf8;stroke:#cfc4ad;stroke-width:2}.cp-own{fill:#fff3d6;stroke:#861;stroke-width:3}
.cp-turn{fill:none;stroke:#b41;stroke-width:6}.cp-ask{fill:#b41}.cp-asking{fill:#fffdf8;font-weight:bold}
.cp-text{fill:#221}.cp-bold{font-weight:bold}.cp-faint{fill:#655c4b}.cp-struck{text-decoration:line-through}
.cp-face,.cp-say{fill:#fffdf8;stroke:#221;stroke-width:2.5}.cp-edge{fill:none;stroke:#221;stroke-width:2.5}
.cp-emblem{fill:#fffdf8;stroke:#221;stroke-width:2.6;stroke-linejoin:round;stroke-linecap:round}
.cp-ghost{fill:#8b8170}.cp-gone{fill:none;stroke:#8b8170;stroke-width:2.5;stroke-dasharray:6 5}
.cp-slash{stroke:#912;stroke-width:4}.cp-back{fill:#148;stroke:#221;stroke-width:2.5}.cp-star{fill:#eb3}
.cp-mark{fill:#b41;stroke:#b41;stroke-width:0}.cp-seat{fill:#221}.cp-number{fill:#fffdf8;font-weight:bold}
.cp-empire{fill:#912}.cp-resistance{fill:#065}.cp-party{fill:#fffdf8;stroke:#fffdf8;stroke-width:0}
.cp-duke{fill:#628}.cp-assassin{fill:#223}.cp-captain{fill:#088}.cp-ambassador{fill:#065}
.cp-contessa{fill:#b41}.cp-inquisitor{fill:#861}.cp-clear{fill:none}.cp-line{fill:none;stroke:#eb3;stroke-width:2}
"""
"""Few colours, used for several things and by the symbols. A picture with at most sixteen colours needs four bits a
pixel in an email.
"""
DARK: Final = """
.cp-paper{fill:#14120e}.cp-panel{fill:#23201a;stroke:#4d4636}.cp-own{fill:#3a301a;stroke:#d9b45a}
.cp-turn{stroke:#ffb04d}.cp-ask{fill:#ffb04d}.cp-asking{fill:#1c1508}
.cp-text{fill:#f5eedf}.cp-faint{fill:#b9ae97}.cp-face,.cp-say{fill:#2f2b23;stroke:#f5eedf}.cp-edge{stroke:#f5eedf}
.cp-ghost{fill:#8f8571}.cp-gone{stroke:#8f8571}.cp-slash{stroke:#ff7a6b}
.cp-back{stroke:#f5eedf}.cp-mark{fill:#ffb04d;stroke:#ffb04d}.cp-seat{fill:#f5eedf}.cp-number{fill:#1c1508}
"""
"""The colours that differ in dark surroundings."""
STYLE: Final = stylesheet(LIGHT, DARK)
"""The stylesheet of the game's pictures."""

TILE: Final = 96.0
"""The height of a card."""
BAND: Final = 28.0
"""The height of the part of a card that its name stands on."""
ROOMY: Final = 120.0
"""The least width of a card that has room for a star on each side of its character."""
ICON: Final = 30.0
"""The size of a mark, and the height of the badge of a party."""

SMALL: Final = 28.0
"""The width of a small card."""

ART: Final = TILE - BAND
"""The size of a character's drawing."""
SYMBOLS: Final = read_symbols(Path(__file__).with_name("symbols.svg"))
"""The symbols of the game's pictures, to be used as ``#cp-<name>``."""


def mark(name: str, left: float, top: float, size: float = ICON) -> str:
    """Draw a small sign for an action or for its effect on a player."""
    return used(f"cp-{name}", left, top, size, size, "cp-mark")


def coin(left: float, top: float, size: float = ICON) -> str:
    """Draw a coin."""
    return used("cp-coin", left, top, size, size)


def coins_in(container: str, left: float, top: float) -> str:
    """Draw a ``chest`` or a ``pouch`` with a coin that sticks out of it."""
    return coin(left + 5, top - 4, 20) + used(f"cp-{container}", left - 1, top + 2, ICON + 2, ICON + 2)


def hand_card(card: Character, reader: Reader, top: float, left: float, width: float) -> str:
    """Draw a card that lies face down and that its viewer may know: in full colour."""
    return moving_part(
        "card",
        card,
        box("cp-face", left, top, width, TILE),
        box(f"cp-{card}", left + 1, top + 1, width - 2, ART, 6),
        used("cp-stars", left, top, width, ART, "cp-star") if width >= ROOMY else "",
        used(f"cp-{card}", left + (width - ART) / 2, top + 1, ART, ART, "cp-emblem"),
        _name_of(card, left, top, width, "cp-text", reader),
    )


def lost(card: Character, reader: Reader, top: float, left: float, width: float) -> str:
    """Draw a lost influence, face up: pale and struck through."""
    return moving_part(
        "card",
        f"{card} lost",
        box("cp-gone", left, top, width, TILE),
        used(f"cp-{card}-sign", left + (width - ART) / 2, top + 3, ART, ART, "cp-ghost"),
        f'<path class="cp-slash" d="M{left + 10:.4g} {top + ART:.4g}l{width - 20:.4g} {8 - ART:.4g}"/>',
        _name_of(card, left, top, width, "cp-faint", reader),
    )


def back(top: float, left: float, width: float) -> str:
    """Draw a card that lies face down."""
    return moving_part("card", "back", box("cp-back", left, top, width, TILE), used("cp-back", left, top, width, TILE))


def small_card(card: Character | None, is_lost: bool, top: float, left: float) -> str:
    """Draw a card as a sign in its colour, pale if it is lost. None is a card that lies face down."""
    edges, sign = (left, top, SMALL, ICON + 6, 4), (left + 3, top + 7, SMALL - 6, SMALL - 6)
    if card is None:
        return moving_part("card", "back", box("cp-back", *edges), used("cp-star", *sign, "cp-star"))
    if is_lost:
        return moving_part("card", f"{card} lost", box("cp-gone", *edges), used(f"cp-{card}-sign", *sign, "cp-ghost"))
    return moving_part("card", card, box(f"cp-{card}", *edges), used(f"cp-{card}-sign", *sign, "cp-party"))


def _name_of(card: Character, left: float, top: float, width: float, style: str, reader: Reader) -> str:
    name, size = fitting(reader.say(Phrase(CHARACTERS[card])), width - 8, 22)
    return text(name, left + width / 2, top + TILE - 8, size, style, rtl=reader.right_to_left)


def party_sign(name: str, left: float, top: float) -> str:
    """Draw the badge of a party without its name, as wide as a mark."""
    badge = box(f"cp-{name}", left, top, ICON + 2, ICON + 2, 3 if name == "empire" else ICON / 2)
    return badge + used(f"cp-{name}", left + 5, top + 5, ICON - 8, ICON - 8, "cp-party")


def bubble(card: Character, words: str, left: float, top: float, room: float, reader: Reader) -> str:
    """Draw a speech bubble below a name, with the emblem and the words of a claim."""
    height, sign, rtl, around = ICON + 4, ICON - 4, reader.right_to_left, ICON + 16
    label, size = fitting(words, (room - around) / BOLD, 21)
    width = around + min(room - around, BOLD * text_width(label) * size)
    begin = left + room - width if rtl else left
    tip, emblem = (begin + width - 24, begin + width - sign - 4) if rtl else (begin + 24, begin + 8)
    middle = begin + (width - sign if rtl else width + sign) / 2
    return moving_part(
        "claim",
        "",
        box("cp-say", begin, top, width, height, 12),
        f'<path class="cp-say" d="M{tip - 8:.4g} {top + 1.5:.4g}l8 -9l8 9"/>',
        mark(f"{card}-sign", emblem, top + 6, sign - 4),
        text(label, middle, top + height - 10, size, "cp-text cp-bold", rtl=rtl),
    )


def party(name: str, left: float, top: float, width: float, reader: Reader) -> str:
    """Draw the badge of a party, with its sign and its name: square for the empire, round for the resistance."""
    rtl, sign = reader.right_to_left, ICON - 8
    label, size = fitting(reader.say(Phrase(PARTIES[name])), width - sign - 26, 21)
    begins, middle = (
        (left + width - sign - 9, left + (width - sign - 7) / 2) if rtl else (left + 9, left + (width + sign + 7) / 2)
    )
    return (
        box(f"cp-{name}", left, top, width, ICON + 2, 3 if name == "empire" else ICON / 2)
        + used(f"cp-{name}", begins, top + 5, sign, sign, "cp-party")
        + text(label, middle, top + 23, size, "cp-party", rtl=rtl)
    )


def seat_badge(content: str, x: float, y: float, party: str | None = None) -> str:
    """Draw the number of a seat around ``x``, ``y``: in a disc, or in a square for a player of the empire."""
    style, round_ = (f"cp-{party}" if party else "cp-seat"), 4 if party == "empire" else 17
    number = "cp-party" if party else "cp-number"
    return box(style, x - 17, y - 17, 34, 34, round_) + text(content, x, y + 8, 22, number)
