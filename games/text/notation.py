"""Notation with the words of the active language."""

from django.utils.translation import pgettext

from games.engine import AnyRules
from games.text.notation_words import translate_notation


def localized(rules: AnyRules, text: str) -> str:
    """Return canonical notation of a move or plan in the active language. Notation is read in every language."""
    return translate_notation(text, rules.words.notation)


def plan_line(rules: AnyRules, text: str) -> str:
    """Return the line of an email that gives a plan, in the active language."""
    begins = pgettext("command in an email", "plan")
    return f"{begins} {localized(rules, text)}"
