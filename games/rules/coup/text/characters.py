"""Characters, parties, cards and coins in words."""

from collections.abc import Callable, Mapping, Sequence
from typing import Any, Final

from games.engine import Phrase
from games.engine import gettext_noop as _
from games.rules.coup.state import Card

CHARACTERS: Final[Mapping[str, str]] = {
    "duke": _("duke"),
    "assassin": _("assassin"),
    "captain": _("captain"),
    "ambassador": _("ambassador"),
    "contessa": _("contessa"),
    "inquisitor": _("inquisitor"),
}

PARTIES: Final[Mapping[str, str]] = {"empire": _("empire"), "resistance": _("resistance")}


def cards(hand: tuple[Card, ...]) -> tuple[Phrase, ...]:
    """Return known cards as a list of phrases."""
    return tuple(Phrase(CHARACTERS[card]) for card in hand if card)


def coins(number: int) -> Phrase:
    """Return a number of coins as a phrase."""
    return Phrase(_("1 coin") if number == 1 else _("%(coins)s coins"), {"coins": number})


def card_or_cards(value: Any) -> Any:
    """Return the words for one or more cards, or none if they are hidden."""
    return cards(value) if isinstance(value, tuple) else CHARACTERS.get(value)


SPOKEN: Final[Sequence[tuple[str, str, Callable[[Any], Any]]]] = (
    *((field, field, card_or_cards) for field in ("cards", "card", "returned")),
    ("kept", "cards", card_or_cards),
    ("drawn", "card", card_or_cards),
    ("character", "card", card_or_cards),
    ("characters", "cards", card_or_cards),
    ("coins", "coins", coins),
)
"""The fields of events and moves that sentences mention: the name in the sentence, and the words for the value."""


def spoken(source: Any) -> dict[str, Any]:
    """Return the fields of an event or a move as values of a sentence."""
    return {place: words(getattr(source, field)) for field, place, words in SPOKEN if hasattr(source, field)}
