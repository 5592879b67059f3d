"""Speeds: named presets of all terms about time."""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import timedelta
from typing import Final

from msgspec.structs import replace

from games.engine.phrases import gettext_noop
from games.terms.game_terms import MOST_SLEEP, MOST_VACATION, GameTerms, Schedule

_TERMS: Final = GameTerms()


@dataclass(frozen=True)
class Speed:
    """A preset of limits, and of the hours of sleep and days of vacation that move deadlines."""

    label: str
    """The name on the page. Translated."""
    help: str
    """The purpose of the speed. Translated."""
    turn_limit: timedelta = _TERMS.turn_limit
    reaction_limit: timedelta = _TERMS.reaction_limit
    open_limit: timedelta = _TERMS.open_limit
    choice_limit: timedelta = _TERMS.choice_limit
    sleep: int = MOST_SLEEP
    """The hours a night that count."""
    vacation: int = MOST_VACATION
    """The days a year that count."""

    @property
    def limits(self) -> dict[str, timedelta]:
        """The limits by their field names in ``GameTerms``."""
        return {name: getattr(self, name) for name in LIMITS}

    @property
    def terms(self) -> GameTerms:
        """The terms of a game at this speed, with defaults for everything else."""
        return replace(GameTerms(), schedule=Schedule(sleep=self.sleep, vacation=self.vacation), **self.limits)


LIMITS: Final = ("turn_limit", "reaction_limit", "open_limit", "choice_limit")
USUAL: Final = "daily"
"""The speed of a game whose host has chosen none. It has the defaults of ``GameTerms``."""
SPEEDS: Final[Mapping[str, Speed]] = {
    "live": Speed(
        gettext_noop("Live"),
        gettext_noop("5 minutes a turn, for players who are all here now."),
        timedelta(minutes=5),
        timedelta(minutes=2),
        timedelta(minutes=2),
        timedelta(minutes=2),
        sleep=0,
        vacation=0,
    ),
    "evening": Speed(
        gettext_noop("Evening"),
        gettext_noop("30 minutes a turn, over in an evening or two."),
        timedelta(minutes=30),
        timedelta(minutes=15),
        timedelta(minutes=15),
        timedelta(minutes=15),
        sleep=0,
        vacation=0,
    ),
    USUAL: Speed(gettext_noop("Daily"), gettext_noop("2 days a turn. Nights and vacations don’t count.")),
    "slow": Speed(
        gettext_noop("Slow"),
        gettext_noop("5 days a turn, for players who look in twice a week."),
        timedelta(days=5),
        timedelta(days=3),
        timedelta(days=3),
        timedelta(days=3),
    ),
}


def name_speed(terms: GameTerms) -> str | None:
    """Return the name of the speed with the limits of these terms, or None if the host has chosen other limits."""
    limits = {name: getattr(terms, name) for name in LIMITS}
    return next((name for name, speed in SPEEDS.items() if speed.limits == limits), None)
