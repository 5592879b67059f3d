"""Figures of the rules pages, with the players who play in them."""

import re
from dataclasses import dataclass
from functools import cache
from typing import Final

from django.urls import reverse
from django.utils.translation import get_language, get_language_bidi, pgettext

from games.engine import AnyRules, SeatNumber
from games.rules.registry import RULES
from games.visibility.picture import Spoken

COVER: Final = "table"
"""The figure that stands for a game."""
_SIZE: Final = re.compile(r' width="(\d+)" height="(\d+)"')


def draw_figure(rules: AnyRules, name: str) -> str:
    """A figure as SVG, in the language that is active."""
    return rules.figures[name](Spoken(_example_players(), get_language_bidi()))


@dataclass(frozen=True)
class Cover:
    """The picture of a game, with its size, so that pages keep room for it."""

    address: str
    width: int
    height: int


def cover(rules: AnyRules) -> Cover | None:
    """The cover of a game in the language that is active; None for a game without one."""
    if COVER not in rules.figures:
        return None
    return Cover(reverse("pages:figure", args=[rules.name, COVER, get_language()]), *_cover_size(rules.name))


@cache
def _cover_size(name: str) -> tuple[int, int]:
    """Return how wide and how high a game's cover is; it is so in every language."""
    found = _SIZE.search(draw_figure(RULES[name], COVER))
    return (int(found[1]), int(found[2])) if found else (0, 0)


def _example_players() -> dict[SeatNumber, str]:
    return {
        SeatNumber(1): pgettext("name of a player", "Mahshid"),
        SeatNumber(2): pgettext("name of a player", "Sepideh"),
        SeatNumber(3): pgettext("name of a player", "Bahareh"),
    }
