"""Characters, parties, cards and coins in words."""

from collections.abc import Mapping
from typing import Final

from games.engine import Phrase, gettext_noop
from games.rules.coup.state import Card

CHARACTERS: Final[Mapping[str, str]] = {
    "duke": gettext_noop("duke"),
    "assassin": gettext_noop("assassin"),
    "captain": gettext_noop("captain"),
    "ambassador": gettext_noop("ambassador"),
    "contessa": gettext_noop("contessa"),
    "inquisitor": gettext_noop("inquisitor"),
}

PARTIES: Final[Mapping[str, str]] = {"empire": gettext_noop("empire"), "resistance": gettext_noop("resistance")}


def cards(given: tuple[Card, ...]) -> tuple[Phrase, ...]:
    """Known cards as a list of phrases."""
    return tuple(Phrase(CHARACTERS[card]) for card in given if card)


def coins(number: int) -> Phrase:
    """Return so many coins as a phrase."""
    return Phrase(gettext_noop("1 coin") if number == 1 else gettext_noop("%(coins)s coins"), {"coins": number})
