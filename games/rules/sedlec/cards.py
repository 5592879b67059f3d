"""The skulls, the cards, and the deck that lies in ``deck.toml`` beside this file."""

import tomllib
from pathlib import Path
from typing import Final, Literal, NewType, get_args

from games.engine import gettext_noop as _

Kind = Literal["royal", "peasant", "priest", "lover", "sinner"]
"""The person that a skull once was."""

KINDS: Final[tuple[Kind, ...]] = get_args(Kind)
"""The five kinds in the order in which they are scored."""

KIND_NAMES: Final = (
    _("royal"),
    _("peasant"),
    _("priest"),
    _("lover"),
    _("sinner"),
)
"""The msgids of the kinds."""

Card = NewType("Card", str)
"""Two skulls, one above the other, as the notation writes them: ``top/bottom``."""

HALVES: Final[dict[Card, tuple[Kind, Kind]]] = {
    Card(f"{top}/{bottom}"): (top, bottom) for top in KINDS for bottom in KINDS
}
"""The top and the bottom skull of every possible card."""

DECK_SIZE: Final = 18


class DeckError(ValueError):
    """The deck file is not a valid deck. The message says why."""


def read_deck(text: str) -> tuple[Card, ...]:
    """Return the deck of a TOML text with a list ``cards``. Raises DeckError unless there are 18 cards of two kinds."""
    try:
        listed = tomllib.loads(text).get("cards")
    except tomllib.TOMLDecodeError as error:
        raise DeckError(f"The deck of Skulls of Sedlec cannot be read as TOML: {error}.") from error
    if not isinstance(listed, list):
        raise DeckError('The deck of Skulls of Sedlec needs a list named "cards".')
    for place, card in enumerate(listed, start=1):
        if not isinstance(card, str) or card not in HALVES:
            raise DeckError(
                f"Card {place} of the deck of Skulls of Sedlec is {card!r}, "
                f"but a card is top/bottom, two of the kinds {', '.join(KINDS)}."
            )
    if len(listed) != DECK_SIZE:
        raise DeckError(f"The deck of Skulls of Sedlec has {len(listed)} cards, but {DECK_SIZE} are needed.")
    return tuple(listed)


DECK: Final = read_deck(Path(__file__).with_name("deck.toml").read_text(encoding="utf-8"))
"""The deck that new games are played with."""
