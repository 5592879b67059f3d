"""The words of notation in all languages, for all rules together."""

import re
from collections.abc import Mapping
from typing import Final

from django.utils.translation import get_language

from accounts.profile.local_times import in_digits

ALL_WORDS: Final[dict[str, dict[str, str]]] = {}
"""The words of the notation of all rules, by language. Rules do not translate the same word in different ways."""
_WORD: Final = re.compile("[a-z][a-z-]*")


def add_words(notation: Mapping[str, Mapping[str, str]]) -> None:
    """Add the words of a game's notation."""
    for language, words in notation.items():
        ALL_WORDS.setdefault(language, {}).update(words)


def translate_notation(text: str, notation: Mapping[str, Mapping[str, str]] = ALL_WORDS) -> str:
    """Return canonical notation with the words and digits of the active language, if the notation has words for it."""
    words = notation.get(get_language() or "", {})
    if not words:
        return text
    translated = _WORD.sub(lambda word: words.get(word[0], word[0]), text)
    return in_digits(translated)
