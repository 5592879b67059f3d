"""Notation as its reader writes it: with the words of the active language, where a game has them."""

from django.utils.translation import pgettext

from games.engine import AnyRules
from games.text.notation_words import in_words


def localized(rules: AnyRules, text: str) -> str:
    """``text``, the one canonical notation of a move or plan, in the active language; it is read in every language."""
    return in_words(text, rules.words.notation)


def plan_line(rules: AnyRules, text: str) -> str:
    """Return the line of an email that gives a plan, in the active language."""
    begins = pgettext("command in an email", "plan")
    return f"{begins} {localized(rules, text)}"
