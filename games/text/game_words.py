"""Words about one game: what it is called and what binds its chance."""

from typing import Final

from django.utils.translation import gettext as _

from games.models import Game
from games.text.phrases import isolated

_SHORT: Final = 4
"""So many notifications of a table's code name it to people; the whole code is for those who may join."""


def short_code(game: Game) -> str:
    """Return what a table is called: part of its code, which lets nobody in."""
    return game.code[:_SHORT].upper()


def bound(game: Game) -> str:
    """Return what binds the server to its chance."""
    sentence = _("Fingerprint of the deck: %(commitment)s. After the game you can check the cards with it.")
    return sentence % {"commitment": isolated(game.commitment)}


def bound_so_far(game: Game) -> str:
    """Return what binds the server to the log as far as everybody knows of it; it tells nothing."""
    sentence = _("Fingerprint of the game so far: %(head)s")
    return sentence % {"head": isolated(bytes(game.public_head).hex())}


def trust() -> str:
    """Return whom a game trusts with its cards (``docs/fairness.md``)."""
    return _(
        "No player can choose the cards. The operator of this server could see or choose them: "
        "this game trusts the operator."
    )
