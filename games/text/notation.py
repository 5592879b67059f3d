"""Move notation as its reader writes it: with the words of the active language, where a game has them."""

from games.engine import AnyRules
from games.text.notation_words import in_words


def localized(rules: AnyRules, text: str) -> str:
    """``text``, the one canonical notation of a move or plan, in the active language; it is read in every language."""
    return in_words(text, rules.words.notation)
