"""The parts of a picture. Each kind of skull has its own shape and colour."""

from typing import Final

from games.engine.drawing import box, moving_part, stylesheet, used
from games.rules.sedlec.cards import HALVES, Card, Kind

LIGHT: Final = """
.sd-paper{fill:#f4efe4}.sd-panel{fill:#fffdf8;stroke:#cfc4ad;stroke-width:2}.sd-level{stroke:#d9cfba;stroke-width:2}
.sd-text{fill:#2a251d}.sd-count{fill:#fff}.sd-bold{font-weight:bold}.sd-faint{fill:#6f6655}.sd-edge{fill:none;stroke:#2a251d;stroke-width:2.5}
.sd-back{fill:#5d6b7a;stroke:#2a251d;stroke-width:2.5}.sd-weave{fill:none;stroke:#8fa0b2;stroke-width:3}
.sd-gone{fill:none;stroke:#b9ad94;stroke-width:2.5;stroke-dasharray:4 7}
.sd-choice{fill:none;stroke:#b3410e;stroke-width:6;stroke-dasharray:13 7}
.sd-place{fill:#f9e6d2;stroke:#b3410e;stroke-width:4;stroke-dasharray:9 6}.sd-mark{fill:#b3410e}
.sd-turn{fill:none;stroke:#b3410e;stroke-width:5}.sd-struck{text-decoration:line-through}
.sd-bone{fill:#fffbef;stroke:#1c1812;stroke-width:1.6}.sd-hole{fill:#1c1812}
"""
DARK: Final = """
.sd-paper{fill:#17150f}.sd-panel{fill:#242119;stroke:#4d4636}.sd-level{stroke:#413b2d}
.sd-text{fill:#f3ecdb}.sd-faint{fill:#b3a88f}.sd-edge{stroke:#f3ecdb}.sd-back{fill:#46525f;stroke:#f3ecdb}
.sd-gone{stroke:#665d49}.sd-choice,.sd-turn{stroke:#ffb04d}.sd-place{fill:#3d2f1a;stroke:#ffb04d}.sd-mark{fill:#ffb04d}
"""
"""The colours that differ in dark surroundings."""
STYLE: Final = stylesheet(LIGHT, DARK)
"""The stylesheet of the game's pictures."""

WIDE: Final = 60
"""The width of a skull's drawing."""
HIGH: Final = 52
"""The height of a skull's drawing."""

_SKULL: Final = (
    '<path class="sd-bone" d="M30 15c-10 0-16 6-16 14 0 6 3 9 6 11v7q0 2 2 2h16q2 0 2-2v-7c3-2 6-5 6-11'
    ' 0-8-6-14-16-14z"/>'
    '<path class="sd-hole" d="M19 30a4.5 4.5 0 1 0 9 0a4.5 4.5 0 1 0-9 0M32 30a4.5 4.5 0 1 0 9 0a4.5 4.5 0 1 0-9 0'
    'M30 35l-2.5 4.5h5zM26 43h1.8v6H26zM32.2 43H34v6h-1.8z"/>'
)

_DRESSED: Final[dict[Kind, tuple[str, str]]] = {
    "royal": (
        "#e0ad2b",
        '<path d="M14 22V5l8 8 8-11 8 11 8-8v17z" fill="#5b2a86" stroke="#1c1812" stroke-width="1.6"/>'
        '<path d="M19 19h22" stroke="#f6dc7c" stroke-width="3"/>',
    ),
    "peasant": (
        "#2f8f5b",
        '<path d="M4 20q26 8 52 0q-2-5-14-6q-2-12-12-12t-12 12q-12 1-14 6z" fill="#f2d16b" stroke="#1c1812"'
        ' stroke-width="1.6"/><path d="M18 14.5q12 4 24 0" fill="none" stroke="#7a4a12" stroke-width="3"/>',
    ),
    "priest": (
        "#1769ae",
        '<path d="M16 23q-2-12 14-22q16 10 14 22q-14-4-28 0z" fill="#ffffff" stroke="#1c1812" stroke-width="1.6"/>'
        '<path d="M30 5v13M24.5 10.5h11" stroke="#b3122a" stroke-width="3.6"/>',
    ),
    "lover": (
        "#f4a9c4",
        '<path d="M30 25C15 15 13 9 16 4.5C19 0 27 0 30 6.5C33 0 41 0 44 4.5C47 9 45 15 30 25z" fill="#c8102e"'
        ' stroke="#1c1812" stroke-width="1.6"/>',
    ),
    "sinner": (
        "#4a443e",
        '<path d="M22 17Q7 18 8 1q4 9 18 13zM38 17Q53 18 52 1q-4 9-18 13z" fill="#f2772b" stroke="#1c1812"'
        ' stroke-width="1.6"/>',
    ),
}


def symbols() -> str:
    """Return a symbol for each kind, to be used as ``#sd-<kind>``."""
    return "".join(
        f'<symbol id="sd-{kind}" viewBox="0 0 {WIDE} {HIGH}"><rect width="{WIDE}" height="{HIGH}" fill="{colour}"/>'
        f"{_SKULL}{dress}</symbol>"
        for kind, (colour, dress) in _DRESSED.items()
    )


def card_height(wide: float) -> float:
    """Return the height of a card of this width: two skulls."""
    return 2 * wide * HIGH / WIDE


def card(face: Card, left: float, top: float, wide: float) -> str:
    """Draw a card, its top skull above its bottom one."""
    half = card_height(wide) / 2
    skulls = "".join(skull(kind, left, top + at * half, wide) for at, kind in enumerate(HALVES[face]))
    return moving_part("card", face, skulls, box("sd-edge", left, top, wide, 2 * half))


def skull(kind: Kind, left: float, top: float, wide: float) -> str:
    """Draw a skull of one kind."""
    return used(f"sd-{kind}", left, top, wide, wide * HIGH / WIDE)


def back(left: float, top: float, wide: float) -> str:
    """Draw a card that lies face down."""
    high = card_height(wide)
    x, y = wide / 4, high / 4
    weave = f"M{left + x:.4g} {top + 2 * y:.4g}l{x:.4g} {-y:.4g}l{x:.4g} {y:.4g}l{-x:.4g} {y:.4g}z"
    return moving_part("card", "back", box("sd-back", left, top, wide, high), f'<path class="sd-weave" d="{weave}"/>')
