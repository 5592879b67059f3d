"""The reminder schedule: when a player is reminded of a question. Pure.

A step is a part of the time to answer (``80%``) or a duration before its end (``PT1H``). The step ``alone`` is an early
one, and there only where nobody else was asked together with this player.
"""

from collections.abc import Iterable, Sequence
from datetime import datetime, timedelta
from functools import cache, lru_cache
from typing import Final

from django.utils.dateparse import parse_duration

from games.deadlines.usual_hours import UsualHours
from notifications.models import ALONE, Preferences

WHERE_ALONE: Final = "25%"
"""The time of the step ``alone``."""
_USUAL: Final = tuple(Preferences().reminders)


def steps_of(wanted: Preferences | None, *, alone: bool) -> Sequence[str]:
    """The steps of whoever has these preferences, or never said, for a question that they alone are asked or not."""
    steps = _USUAL if wanted is None else wanted.reminders
    early = [WHERE_ALONE] if alone and ALONE in steps else []
    return [*early, *(step for step in steps if step != ALONE)]


def next_step(
    steps: Iterable[str], asked_at: datetime, due_at: datetime, after: datetime, usual: UsualHours | None = None
) -> datetime | None:
    """Return the first moment later than ``after`` at which to remind of a question; None where there is none left.

    Steps that are parts of the time move to the hours at which their reader usually answers, where these are known.
    One that has passed, moved or not, is not taken again: a pause moves ``due_at``, and with it where they move to.
    """
    if usual is None:
        passed = after - asked_at
        return next((asked_at + each for each in _lengths(tuple(steps), due_at - asked_at) if each > passed), None)
    whole = due_at - asked_at
    parts, others = [each for each in steps if each.endswith("%")], [each for each in steps if not each.endswith("%")]
    left = (asked_at + each for each in _lengths(tuple(parts), whole) if asked_at + each > after)
    moved = (usual.moved(each, asked_at, due_at) for each in left)
    moments = (*moved, *(asked_at + each for each in _lengths(tuple(others), whole)))
    return min((each for each in moments if each > after), default=None)


@lru_cache(1000)
def _lengths(steps: tuple[str, ...], whole: timedelta) -> Sequence[timedelta]:
    """Return how long after the question these steps are, in their order, where there is ``whole`` to answer."""
    lengths = (whole * int(step[:-1]) / 100 if step.endswith("%") else whole - _before(step) for step in steps)
    return tuple(sorted(each for each in lengths if timedelta() < each < whole))


@cache
def _before(step: str) -> timedelta:
    return parse_duration(step) or timedelta()
