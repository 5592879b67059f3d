"""Move notation as its reader writes it: with the words of the active language, where a game has them."""

import re
from typing import Final

from django.utils.translation import get_language

from games.engine import AnyRules
from games.text.phrases import number

_WORD: Final = re.compile("[a-z][a-z-]*")
_NUMBER: Final = re.compile(r"\d+")


def localized(rules: AnyRules, text: str) -> str:
    """``text``, the one canonical notation of a move or plan, in the active language; it is read in every language."""
    words = rules.words.notation.get(get_language() or "", {})
    if not words:
        return text
    spoken = _WORD.sub(lambda word: words.get(word[0], word[0]), text)
    return _NUMBER.sub(lambda found: number(int(found[0])), spoken)
