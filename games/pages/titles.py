"""Titles, labels and figures of games on pages."""

import re
from dataclasses import dataclass
from functools import cache
from typing import Final

from django.urls import reverse
from django.utils.translation import get_language, get_language_bidi, pgettext, pgettext_lazy
from django.utils.translation import gettext as _

from games.deadlines import deadline_words
from games.engine import AnyRules, SeatNumber
from games.models import Game
from games.phrases import player, render_phrase
from games.rules.registry import RULES, find_rules
from games.terms import SPEEDS, name_speed
from games.visibility.picture import PictureReader, with_used_symbols
from games.visibility.words import (
    deal_fingerprint,
    deal_protection,
    deck_fingerprint,
    game_fingerprint,
    short_code,
    title_of,
)


def rules_titles() -> dict[str, str]:
    """Return the titles of all rules in the active language, by their names."""
    return {name: render_phrase(rules.words.title, {}) for name, rules in RULES.items()}


def goal_of(rules: AnyRules) -> str:
    """Return the way to win a game in one sentence, or the first line of its summary, or an empty string."""
    if rules.words.coaching is not None:
        return render_phrase(rules.words.coaching.goal, {})
    return "".join(render_phrase(line, {}) for line in rules.words.summary(rules.options(), min(rules.players))[:1])


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
    def winners(self) -> list[str]:
        """Return the names of the winners of a finished game whose results have been counted."""
        names = self.game.names()
        return [player(SeatNumber(result.seat), names) for result in self.game.results.all() if result.won]

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


LEVEL_LABELS: Final = {
    "easy": pgettext_lazy("level of a bot", "Easy"),
    "normal": pgettext_lazy("level of a bot", "Normal"),
    "strong": pgettext_lazy("level of a bot", "Strong"),
    "master": pgettext_lazy("level of a bot", "Master"),
}


COVER: Final = "table"
"""The name of the figure that is a game's cover."""
_SIZE: Final = re.compile(r' width="(\d+)" height="(\d+)"')


def draw_figure(rules: AnyRules, name: str) -> str:
    """Return a figure as SVG in the active language."""
    return with_used_symbols(rules.figures[name](PictureReader(_example_players(), get_language_bidi())))


@dataclass(frozen=True)
class Cover:
    """The address of a game's cover and its size, so that pages can reserve space for it."""

    address: str
    width: int
    height: int


def cover(rules: AnyRules) -> Cover | None:
    """Return the cover of a game in the active language, or None for a game without one."""
    if COVER not in rules.figures:
        return None
    return Cover(reverse("pages:figure", args=[rules.name, COVER, get_language()]), *_cover_size(rules.name))


@cache
def _cover_size(name: str) -> tuple[int, int]:
    """Return width and height of a game's cover. They are the same in every language."""
    match = _SIZE.search(draw_figure(RULES[name], COVER))
    return (int(match[1]), int(match[2])) if match else (0, 0)


def _example_players() -> dict[SeatNumber, str]:
    return {
        SeatNumber(1): pgettext("name of a player", "Mahshid"),
        SeatNumber(2): pgettext("name of a player", "Sepideh"),
        SeatNumber(3): pgettext("name of a player", "Bahareh"),
    }


@dataclass(frozen=True)
class RulesCard:
    """The rules of a game as an introduction for visitors."""

    rules: str
    title: str
    least: int
    most: int
    goal: str
    cover: Cover | None
    lesson: int
    """The number of moves of its lesson, or 0."""


def list_rules() -> list[RulesCard]:
    """Return the installed rules as cards."""
    return [_rules_card(rules) for rules in RULES.values()]


def _rules_card(rules: AnyRules) -> RulesCard:
    least, most = min(rules.players), max(rules.players)
    return RulesCard(
        rules=rules.name,
        title=render_phrase(rules.words.title, {}),
        least=least,
        most=most,
        goal=goal_of(rules),
        cover=cover(rules),
        lesson=lesson_length(rules),
    )


def lesson_length(rules: AnyRules) -> int:
    """Return the number of moves of a game's lesson, or 0."""
    return len(rules.lesson.steps) if rules.lesson else 0
