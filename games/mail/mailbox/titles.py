"""The titles of games and the names of their expansions in all languages."""

from django.utils.translation import override

from accounts.models import Language
from games.engine.reading import fold
from games.rules.registry import RULES
from games.text.phrases import render_phrase


def read_titles() -> dict[str, str]:
    """Return the names of rules by their titles in all languages."""
    titles = {name: name for name in RULES}
    for language in Language.values:
        with override(language):
            titles |= {fold(render_phrase(rules.words.title, {})): name for name, rules in RULES.items()}
    return titles


def read_options(rules: str) -> dict[str, str]:
    """Return the expansions of a game by their names and by the first words of their labels, without articles."""
    law = RULES[rules]
    flags = {
        name: label for name, label in law.words.options.items() if isinstance(getattr(law.options(), name, None), bool)
    }
    names = {name: name for name in flags}
    for language in Language.values:
        with override(language):
            names |= {fold(render_phrase(label, {})).split()[0].strip(":،,"): name for name, label in flags.items()}
    return {word: name for word, name in names.items() if word != "the"}
