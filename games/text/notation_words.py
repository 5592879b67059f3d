"""The words of notation in the reader's language, of all games together."""

import re
from collections.abc import Mapping
from typing import Final

from django.utils.translation import get_language

from accounts.profile.local_times import in_digits

KNOWN: Final[dict[str, dict[str, str]]] = {}
"""The words of all games' notations, by language. No two games have different words for the same."""
_WORD: Final = re.compile("[a-z][a-z-]*")


def learn(notation: Mapping[str, Mapping[str, str]]) -> None:
    """Know the words of a game's notation."""
    for language, words in notation.items():
        KNOWN.setdefault(language, {}).update(words)


def in_words(text: str, notation: Mapping[str, Mapping[str, str]] = KNOWN) -> str:
    """``text``, canonical notation, with the words and digits of the active language, if the notation has some."""
    words = notation.get(get_language() or "", {})
    if not words:
        return text
    written = _WORD.sub(lambda word: words.get(word[0], word[0]), text)
    return in_digits(written)
