"""The usual length of games for hosts of new games, from this server's finished games.

Private games count as well, but each figure comes from at least ``FEWEST`` games. So it reveals nothing about a running
game, and hardly anything about a single one.
"""

from dataclasses import dataclass
from datetime import timedelta
from typing import Any, Final

import msgspec

from config.core.database.sql import find
from games import queries
from games.terms import LIMITS, SPEEDS

LATEST: Final = 1000
"""The number of the latest finished games of a title that are used."""
FEWEST: Final = 10


@dataclass(frozen=True)
class Duration:
    """The usual length of games of one speed and size, from start to end, including nights and pauses."""

    speed: str
    """The name of the speed (``games.terms``)."""
    people: int
    """The number of people at the table, without bots."""
    games: int
    """The number of games behind this figure."""
    half_within: timedelta
    """The time within which half of the games ended."""
    most_within: timedelta
    """The time within which nine of ten games ended."""


def durations(rules: str) -> list[Duration]:
    """Return the usual duration of a game's rules by speed and number of people, without rare combinations."""
    rows = find(queries.DURATIONS, [rules, LATEST, FEWEST])
    speeds = {_limits_of(name): name for name in SPEEDS}
    split = [(tuple(row[: len(LIMITS)]), row[len(LIMITS) :]) for row in rows]
    all_durations = [Duration(speeds[limits], *figures) for limits, figures in split if limits in speeds]
    order = list(SPEEDS)
    return sorted(all_durations, key=lambda row: (order.index(row.speed), row.people))


def _limits_of(speed: str) -> tuple[Any, ...]:
    """Return the stored limits of a speed."""
    limits = msgspec.to_builtins(SPEEDS[speed].limits)
    return tuple(limits[name] for name in LIMITS)
