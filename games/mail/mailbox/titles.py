"""The titles by which people name a game's rules."""

from django.utils.translation import override

from accounts.models import Language
from games.engine.reading import fold
from games.rules.registry import RULES
from games.text.phrases import render_phrase


def read_titles() -> dict[str, str]:
    """Return the name of each game's rules by its titles in all languages."""
    titles = {name: name for name in RULES}
    for language in Language.values:
        with override(language):
            titles |= {fold(render_phrase(rules.words.title, {})): name for name, rules in RULES.items()}
    return titles
