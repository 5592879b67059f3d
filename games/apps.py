from collections.abc import Iterator

from django.apps import AppConfig
from django.conf import settings
from django.utils.translation import gettext, override

import config.core.database.sql
import config.core.tasks  # noqa: F401 - the app that shared_task enqueues with
from accounts import names
from games.engine.reading import notation_words
from games.phrases import add_words
from games.rules.registry import RULES


class GamesConfig(AppConfig):
    name = "games"
    default_auto_field = "django.db.models.BigAutoField"

    def ready(self) -> None:
        """Tell accounts which words belong to games, and phrases in which words moves are shown."""
        names.register(_notation, _titles)
        for rules in RULES.values():
            add_words(rules.words.notation)


def _notation() -> Iterator[str]:
    for rules in RULES.values():
        yield from notation_words(rules)


def _titles() -> Iterator[str]:
    for language, _ in settings.LANGUAGES:
        with override(language):
            yield from (gettext(rules.words.title.text) for rules in RULES.values())
