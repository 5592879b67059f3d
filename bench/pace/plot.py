"""The figures as a picture: for each number of players a bar for each protocol, made of what was waited for."""

from collections.abc import Iterator, Mapping
from typing import Any, Final
from xml.sax.saxutils import escape

KINDS: Final[Mapping[str, str]] = {
    "turn": "#4c6a92",
    "challenge": "#b5654a",
    "block": "#d9a05b",
    "challenge-block": "#8f9f5a",
    "loss": "#7d6b91",
    "proof": "#5f9ea0",
    "exchange": "#a9a9a9",
}
"""The kinds of questions, and their colours."""
WIDTH: Final = 760
LEFT: Final = 190
BAR: Final = 16
GAP: Final = 6
HEAD: Final = 26


def plot(results: Mapping[str, Mapping[str, Any]]) -> str:
    """An SVG of the mean days of a game."""
    most = max(each["days"]["mean"] for found in results.values() for each in found.values())
    scale, body, y = (WIDTH - LEFT - 60) / most, [], 2 * HEAD
    for seats, found in results.items():
        body.append(_text(0, y + BAR - 3, f"{seats} players", "font-weight='bold'"))
        y += HEAD
        for name, each in found.items():
            body.append(_text(LEFT - 8, y + BAR - 3, name, "text-anchor='end'"))
            body.extend(_bar(each, y, scale))
            y += BAR + GAP
        y += GAP
    return "\n".join(
        [
            f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {y}" width="{WIDTH}" height="{y}"'
            ' font-family="sans-serif" font-size="12">',
            "<title>Days a game of Coup by post takes, by what is waited for</title>",
            f'<rect width="{WIDTH}" height="{y}" fill="#ffffff"/>',
            *_legend(),
            *body,
            "</svg>\n",
        ]
    )


def _bar(each: Mapping[str, Any], y: int, scale: float) -> Iterator[str]:
    x = float(LEFT)
    for kind, colour in KINDS.items():
        width = each["days waited for"].get(kind, 0) * scale
        yield f'<rect x="{x:.1f}" y="{y}" width="{width:.1f}" height="{BAR}" fill="{colour}"/>'
        x += width
    yield _text(x + 5, y + BAR - 3, f"{each['days']['mean']:.0f} days")


def _legend() -> Iterator[str]:
    x = LEFT
    for kind, colour in KINDS.items():
        yield f'<rect x="{x}" y="8" width="10" height="10" fill="{colour}"/>'
        yield _text(x + 14, 17, kind)
        x += 30 + 7 * len(kind)


def _text(x: float, y: float, said: str, how: str = "") -> str:
    return f'<text x="{x:.1f}" y="{y:.1f}" fill="#222222" {how}>{escape(said)}</text>'
