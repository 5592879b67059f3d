"""When a player is reminded of a question: the steps of their ladder. Pure.

A step is a part of the time to answer (``80%``) or a duration before its end (``PT1H``).
"""

from collections.abc import Iterable, Sequence
from datetime import datetime, timedelta
from functools import cache
from typing import Final

from django.utils.dateparse import parse_duration

from notifications.models import Preferences

_USUAL: Final = tuple(Preferences().reminders)


def steps_of(wanted: Preferences | None) -> Sequence[str]:
    """The steps of whoever has these preferences, or never said."""
    return _USUAL if wanted is None else wanted.reminders


def next_step(steps: Iterable[str], asked_at: datetime, due_at: datetime, after: datetime) -> datetime | None:
    """The first moment later than ``after`` at which to remind of a question; None where there is none left."""
    moments = (_moment(step, asked_at, due_at) for step in steps)
    return min((each for each in moments if asked_at < each < due_at and each > after), default=None)


def _moment(step: str, asked_at: datetime, due_at: datetime) -> datetime:
    if step.endswith("%"):
        return asked_at + (due_at - asked_at) * int(step[:-1]) / 100
    return due_at - _before(step)


@cache
def _before(step: str) -> timedelta:
    return parse_duration(step) or timedelta()
