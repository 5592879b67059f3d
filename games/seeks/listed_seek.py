"""A search for players in the words of its owner."""

from dataclasses import dataclass

from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from accounts.models import Account
from games.models import Seek
from games.rules.registry import RULES
from games.seeks import own_seeks
from games.terms.speeds import SPEEDS
from games.text.phrases import number, period, render_phrase


@dataclass(frozen=True)
class ListedSeek:
    """A search in the words of its owner, in the active language."""

    seek: Seek

    @property
    def title(self) -> str:
        """The game that is looked for; its bare name where this server does not have it any more."""
        rules = RULES.get(self.seek.rules)
        return render_phrase(rules.words.title, {}) if rules else self.seek.rules

    @property
    def players(self) -> str:
        """The numbers of players that would do."""
        least, most = number(self.seek.least), number(self.seek.most)
        if least == most:
            return ngettext("%(number)s player", "%(number)s players", self.seek.least) % {"number": least}
        return _("%(least)s to %(most)s players") % {"least": least, "most": most}

    @property
    def speed(self) -> str:
        """The name of the speed."""
        return _(SPEEDS[self.seek.speed].label) if self.seek.speed in SPEEDS else ""

    @property
    def expansions(self) -> list[str]:
        """The expansions that have to be in the game."""
        return self._options(chosen=True)

    @property
    def unwanted(self) -> list[str]:
        """The expansions that must not be in the game."""
        return self._options(chosen=False)

    def _options(self, *, chosen: bool) -> list[str]:
        rules = RULES.get(self.seek.rules)
        words = rules.words.options if rules else {}
        return [
            render_phrase(words[name], {})
            for name, value in self.seek.options.items()
            if value is chosen and name in words
        ]

    @property
    def bots(self) -> str:
        """The sentence on when bots take the free seats; blank: never."""
        if self.seek.fill_after is None:
            return ""
        return _("Bots take the free seats after %(time)s.") % {"time": period(self.seek.fill_after)}


def open_seeks(account: Account) -> list[ListedSeek]:
    """Return the open seeks of an account."""
    return [ListedSeek(seek) for seek in own_seeks.list_seeks(account) if seek.state == Seek.State.OPEN]
