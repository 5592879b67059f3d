"""Recognises the move by which a player resigns."""

from typing import Final

from games.engine import Phrase, RuleViolation, gettext_noop
from games.engine.reading import Vocabulary, fold
from games.engine.validation import MALFORMED

HOW_TO_RESIGN: Final = gettext_noop("To resign for good, answer “resign yes”. Nothing has changed.")
_RESIGN_WORDS: Final = Vocabulary({"resign": "resign", "yes": "yes", "انصراف": "resign", "بله": "yes"})


def is_resignation(text: str) -> bool:
    """Return True for "resign yes". Raises RuleViolation ``malformed`` for "resign" alone."""
    words = _RESIGN_WORDS.tokens(fold(text), {})
    if words == ("resign",):
        raise RuleViolation(MALFORMED, Phrase(HOW_TO_RESIGN))
    return words == ("resign", "yes")
