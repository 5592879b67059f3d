"""Titles of games on pages."""

from dataclasses import dataclass

from django.utils.translation import gettext as _

from games.deadlines import deadline_words
from games.models import Game
from games.rules.registry import RULES, find_rules
from games.terms.speeds import SPEEDS, name_speed
from games.text.game_words import bound, bound_deal, bound_so_far, short_code, title_of, trust
from games.text.phrases import player, render_phrase


def rules_titles() -> dict[str, str]:
    """The games' names in the active language."""
    return {name: render_phrase(rules.words.title, {}) for name, rules in RULES.items()}


@dataclass(frozen=True)
class GameOverview:
    """A table as a list shows it."""

    game: Game

    @property
    def title(self) -> str:
        """The game that is played; its bare name where this server does not have it any more."""
        return title_of(self.game)

    @property
    def name(self) -> str:
        """The name of the game."""
        return short_code(self.game)

    @property
    def players(self) -> list[str]:
        """The players who sit there."""
        names = self.game.names()
        return [player(seat, names) for seat in names]

    @property
    def speed(self) -> str:
        """The name of the game's speed; blank where its host chose limits of their own."""
        name = name_speed(self.game.terms)
        return _(SPEEDS[name].label) if name else ""

    @property
    def chosen(self) -> list[str]:
        """The expansions and other flags that its host chose, in the words of the game."""
        rules = find_rules(self.game.rules, self.game.rules_version)
        words = rules.words.options if rules else {}
        return [
            render_phrase(words[name], {})
            for name, value in self.game.options.items()
            if value is True and name in words
        ]

    @property
    def pace(self) -> str:
        """The time that there is to answer."""
        return deadline_words.terms(self.game)[0]

    @property
    def fairness(self) -> tuple[str, ...]:
        """Return sentences about the protection of the deal and the log, and about whom the game trusts."""
        return (bound(self.game), *bound_deal(self.game), bound_so_far(self.game), trust(self.game))

    @property
    def free(self) -> int:
        """The number of seats that are free for people."""
        return self.game.seat_count - self.game.bot_count - len(self.game.seats.all())
