"""Figures of the rules pages, with the players who play in them."""

from typing import Final

from django.utils.translation import get_language_bidi, pgettext

from games.engine import AnyRules, SeatNumber
from games.visibility.picture import Spoken

COVER: Final = "table"
"""The figure that stands for a game."""


def draw_figure(rules: AnyRules, name: str) -> str:
    """A figure as SVG, in the language that is active."""
    return rules.figures[name](Spoken(_example_players(), get_language_bidi()))


def _example_players() -> dict[SeatNumber, str]:
    return {
        SeatNumber(1): pgettext("name of a player", "Mahshid"),
        SeatNumber(2): pgettext("name of a player", "Sepideh"),
        SeatNumber(3): pgettext("name of a player", "Bahareh"),
    }
