"""The options of Coup in the words of a form."""

from collections.abc import Mapping
from typing import Final

from games.engine import Phrase
from games.engine import gettext_noop as _
from games.engine.validation import STARTER_WORDS

_SAID: Final[Mapping[str, str]] = {
    "inquisitor": _("The inquisitor replaces the ambassador"),
    "reformation": _("Reformation: parties, conversion and the reserve"),
    "anarchist": _("Anarchist: the bomb"),
    "two_player_setup": _("Cards for two players"),
    "two_player_setup.draft": _("by secret draft"),
    "two_player_setup.dealt": _("dealt like everyone else's"),
    "answers": _("A challenge or block"),
    "answers.first": _("the first one is played right away"),
    "answers.sealed": _("is opened when all have answered"),
    "waiting": _("Who has not answered yet"),
    "waiting.hidden": _("hidden"),
    "waiting.number": _("the number is shown: with quick plans it may tell who plans ahead"),
    "waiting.public": _("the names are shown: with quick plans they tell who plans ahead"),
}
OPTIONS: Final[Mapping[str, Phrase]] = STARTER_WORDS | {name: Phrase(label) for name, label in _SAID.items()}
