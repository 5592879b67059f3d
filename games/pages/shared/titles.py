"""Titles of games on pages."""

from dataclasses import dataclass

from django.utils.translation import gettext as _

from games.deadlines import deadline_words
from games.models import Game
from games.rules.registry import RULES, find_rules
from games.terms.speeds import SPEEDS, name_speed
from games.text.game_words import (
    deal_fingerprint,
    deal_protection,
    deck_fingerprint,
    game_fingerprint,
    short_code,
    title_of,
)
from games.text.phrases import player, render_phrase


def rules_titles() -> dict[str, str]:
    """Return the titles of all rules in the active language, by their names."""
    return {name: render_phrase(rules.words.title, {}) for name, rules in RULES.items()}


@dataclass(frozen=True)
class GameOverview:
    """A game as lists show it."""

    game: Game

    @property
    def title(self) -> str:
        """Return the title of the rules, or their name if they are not installed here."""
        return title_of(self.game)

    @property
    def name(self) -> str:
        """Return the short code of the game."""
        return short_code(self.game)

    @property
    def players(self) -> list[str]:
        """Return the names of the players."""
        names = self.game.names()
        return [player(seat, names) for seat in names]

    @property
    def speed(self) -> str:
        """Return the label of the game's speed, or an empty string if the host chose other time limits."""
        name = name_speed(self.game.terms)
        return _(SPEEDS[name].label) if name else ""

    @property
    def chosen(self) -> list[str]:
        """Return the labels of the expansions and other boolean options that the host chose."""
        rules = find_rules(self.game.rules, self.game.rules_version)
        words = rules.words.options if rules else {}
        return [
            render_phrase(words[name], {})
            for name, value in self.game.options.items()
            if value is True and name in words
        ]

    @property
    def pace(self) -> str:
        """Return a sentence about the time limits."""
        return deadline_words.terms(self.game)[0]

    @property
    def fairness(self) -> tuple[str, ...]:
        """Return sentences about the protection of the deal and the log, and about the trust in the operator."""
        return (
            deck_fingerprint(self.game),
            *deal_fingerprint(self.game),
            game_fingerprint(self.game),
            deal_protection(self.game),
        )

    @property
    def free(self) -> int:
        """Return the number of free seats for people."""
        return self.game.seat_count - self.game.bot_count - len(self.game.seats.all())
