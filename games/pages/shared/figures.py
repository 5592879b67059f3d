"""Figures of the rules pages, with the players who play in them."""

import re
from functools import cache
from typing import Final

from django.utils.translation import get_language_bidi, pgettext

from games.engine import AnyRules, SeatNumber
from games.rules.registry import RULES
from games.visibility.picture import Spoken

COVER: Final = "table"
"""The figure that stands for a game."""
_SIZE: Final = re.compile(r' width="(\d+)" height="(\d+)"')


def draw_figure(rules: AnyRules, name: str) -> str:
    """A figure as SVG, in the language that is active."""
    return rules.figures[name](Spoken(_example_players(), get_language_bidi()))


@cache
def cover_size(name: str) -> tuple[int, int]:
    """Return how wide and how high a game's cover is, so that pages keep room for it; it is so in every language."""
    found = _SIZE.search(draw_figure(RULES[name], COVER)) if COVER in RULES[name].figures else None
    return (int(found[1]), int(found[2])) if found else (0, 0)


def _example_players() -> dict[SeatNumber, str]:
    return {
        SeatNumber(1): pgettext("name of a player", "Mahshid"),
        SeatNumber(2): pgettext("name of a player", "Sepideh"),
        SeatNumber(3): pgettext("name of a player", "Bahareh"),
    }
