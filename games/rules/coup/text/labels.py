"""The options of Coup as a form says them."""

from collections.abc import Mapping
from typing import Final

from games.engine import Phrase, gettext_noop
from games.engine.options import STARTER_WORDS

_SAID: Final[Mapping[str, str]] = {
    "inquisitor": gettext_noop("The inquisitor replaces the ambassador"),
    "reformation": gettext_noop("Reformation: parties, conversion and the reserve"),
    "anarchist": gettext_noop("Anarchist: the bomb"),
    "two_player_setup": gettext_noop("Cards for two players"),
    "two_player_setup.draft": gettext_noop("by secret draft"),
    "two_player_setup.dealt": gettext_noop("dealt like everyone else's"),
    "answers": gettext_noop("A challenge or block"),
    "answers.first": gettext_noop("the first one is played right away"),
    "answers.sealed": gettext_noop("is opened when all have answered"),
    "waiting": gettext_noop("Who has not answered yet"),
    "waiting.hidden": gettext_noop("hidden"),
    "waiting.number": gettext_noop("the number is shown: it may tell who plans ahead"),
    "waiting.public": gettext_noop("the names are shown: they tell who plans ahead"),
}
OPTIONS: Final[Mapping[str, Phrase]] = STARTER_WORDS | {name: Phrase(said) for name, said in _SAID.items()}
