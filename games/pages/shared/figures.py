"""Figures of the rules pages, with example players."""

import re
from dataclasses import dataclass
from functools import cache
from typing import Final

from django.urls import reverse
from django.utils.translation import get_language, get_language_bidi, pgettext

from games.engine import AnyRules, SeatNumber
from games.rules.registry import RULES
from games.visibility.picture import PictureReader

COVER: Final = "table"
"""The name of the figure that is a game's cover."""
_SIZE: Final = re.compile(r' width="(\d+)" height="(\d+)"')


def draw_figure(rules: AnyRules, name: str) -> str:
    """Return a figure as SVG in the active language."""
    return rules.figures[name](PictureReader(_example_players(), get_language_bidi()))


@dataclass(frozen=True)
class Cover:
    """The address of a game's cover and its size, so that pages can reserve space for it."""

    address: str
    width: int
    height: int


def cover(rules: AnyRules) -> Cover | None:
    """Return the cover of a game in the active language, or None for a game without one."""
    if COVER not in rules.figures:
        return None
    return Cover(reverse("pages:figure", args=[rules.name, COVER, get_language()]), *_cover_size(rules.name))


@cache
def _cover_size(name: str) -> tuple[int, int]:
    """Return width and height of a game's cover. They are the same in every language."""
    match = _SIZE.search(draw_figure(RULES[name], COVER))
    return (int(match[1]), int(match[2])) if match else (0, 0)


def _example_players() -> dict[SeatNumber, str]:
    return {
        SeatNumber(1): pgettext("name of a player", "Mahshid"),
        SeatNumber(2): pgettext("name of a player", "Sepideh"),
        SeatNumber(3): pgettext("name of a player", "Bahareh"),
    }
