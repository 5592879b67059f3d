"""The usual length of games for hosts of new games, from this server's finished games.

Private games count as well, but each figure comes from at least ``FEWEST`` games. So it reveals nothing about a running
game, and hardly anything about a single one.
"""

from dataclasses import dataclass
from datetime import timedelta
from typing import Any, Final

import msgspec
from django.db import connection

from games.terms.speeds import LIMITS, SPEEDS

LATEST: Final = 1000
"""The number of the latest finished games of a title that are used."""
FEWEST: Final = 10
_COLUMNS: Final = ", ".join(f"terms->>'{name}'" for name in LIMITS)
_GROUPS: Final = ", ".join(map(str, range(1, len(LIMITS) + 2)))
_QUERY: Final = f"""
    SELECT {_COLUMNS}, seat_count - bot_count, count(*),
        percentile_disc(0.5) WITHIN GROUP (ORDER BY ended_at - started_at),
        percentile_disc(0.9) WITHIN GROUP (ORDER BY ended_at - started_at)
    FROM (
        SELECT terms, seat_count, bot_count, started_at, ended_at FROM games_game
        WHERE rules = %s AND state = 'over' AND started_at IS NOT NULL ORDER BY ended_at DESC LIMIT %s
    ) AS latest
    WHERE seat_count - bot_count > 1
    GROUP BY {_GROUPS} HAVING count(*) >= %s
"""


@dataclass(frozen=True)
class Duration:
    """The usual length of games of one speed and size, from start to end, including nights and pauses."""

    speed: str
    """The name of the speed (``games.terms.speeds``)."""
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
    with connection.cursor() as cursor:
        cursor.execute(_QUERY, [rules, LATEST, FEWEST])
        rows = cursor.fetchall()
    speeds = {_limits_of(name): name for name in SPEEDS}
    split = [(tuple(row[: len(LIMITS)]), row[len(LIMITS) :]) for row in rows]
    result = [Duration(speeds[limits], *figures) for limits, figures in split if limits in speeds]
    order = list(SPEEDS)
    return sorted(result, key=lambda row: (order.index(row.speed), row.people))


def _limits_of(speed: str) -> tuple[Any, ...]:
    """Return the stored limits of a speed."""
    limits = msgspec.to_builtins(SPEEDS[speed].limits)
    return tuple(limits[name] for name in LIMITS)
