"""The reminder schedule: when a player is reminded of a question.

A step is a part of the time to answer (``80%``) or a duration before its end (``PT1H``). The step ``alone`` is an early
one, for questions that no other player had at the same time.
"""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime, time, timedelta
from functools import cache, lru_cache
from typing import Final

from django.utils.dateparse import parse_duration

from games.models import OpenQuestion
from notifications.kinds import Wishes, after_quiet
from notifications.models import ALONE, Preferences

WHERE_ALONE: Final = "25%"
"""The time of the step ``alone``."""
_USUAL: Final = tuple(Preferences().reminders)


PART: Final = timedelta(hours=2)
"""The length of the parts of a day that are told apart; each begins at an even hour."""
BEFORE: Final = timedelta(minutes=30)
"""The time between a reminder and the usual part of the day after it."""
_DAY: Final = timedelta(days=1)


@dataclass(frozen=True)
class UsualHours:
    """The starting hours of the parts of the day in which an account usually answers, in its own time zone."""

    hours: Sequence[int]
    wishes: Wishes

    def moved(self, at: datetime, asked_at: datetime, due_at: datetime) -> datetime:
        """Return the time to which a reminder moves: shortly before the nearest of these hours.

        It moves by at most half of the time since the question and half of the time until the deadline, so that a late
        reminder stays late. It does not move if no such time is outside the quiet hours.
        """
        room = min(at - asked_at, due_at - at) / 2
        near = (moment for moment in self._moments(at) if abs(moment - at) <= room)
        return min(near, key=lambda moment: abs(moment - at), default=at)

    def _moments(self, around: datetime) -> Iterator[datetime]:
        """Yield the times shortly before these hours, from the day before to the day after."""
        today = around.astimezone(self.wishes.zone).date()
        for day in (today - _DAY, today, today + _DAY):
            for hour in self.hours:
                begins = datetime.combine(day, time(hour), self.wishes.zone).astimezone(UTC)
                moment = after_quiet(self.wishes, begins - BEFORE)
                if moment < begins + PART:
                    yield moment


def usual_hours_of(preferences: Preferences | None) -> UsualHours | None:
    """Return the usual hours in these preferences. None if they are unknown, or if the account has turned them off."""
    if preferences is None or not preferences.usual_hours:
        return None
    return UsualHours(tuple(preferences.usual_hours), preferences.wishes())


def steps_of(preferences: Preferences | None, *, alone: bool) -> Sequence[str]:
    """Return the steps for a question by these preferences, or by the defaults without any. ``alone`` depends on the
    question.
    """
    steps = _USUAL if preferences is None else preferences.reminders
    early = [WHERE_ALONE] if alone and ALONE in steps else []
    return [*early, *(step for step in steps if step != ALONE)]


def set_next(
    row: OpenQuestion, preferences: Preferences | None, asked_at: datetime, after: datetime, *, shared: bool
) -> None:
    """Set the next reminder of a question by these preferences: the next step that was not taken yet.

    A step is taken once, until the player's calendar moves the deadline. If the question is ``shared`` with a stand-in,
    who must not learn when the player usually answers, no step moves, and those that were taken early are repeated at
    their own time (``is_repeated``).
    """
    past_steps = row.reminders[:-1] if row.remind_at else row.reminders
    steps = [step for step in steps_of(preferences, alone=row.alone) if shared or step not in past_steps]
    reminder = next_step(steps, asked_at, row.due_at, after, None if shared else usual_hours_of(preferences))
    row.remind_at, row.reminders = (None, past_steps) if reminder is None else (reminder[0], [*past_steps, reminder[1]])


def is_repeated(row: OpenQuestion) -> bool:
    """Return whether the player was already reminded by the present step of a question."""
    return bool(row.reminders) and row.reminders[-1] in row.reminders[:-1]


def next_step(
    steps: Iterable[str], asked_at: datetime, due_at: datetime, after: datetime, usual: UsualHours | None = None
) -> tuple[datetime, str] | None:
    """Return the time of the next reminder after ``after``, and its step, or None if there is none.

    Steps that are parts of the time move to the hours at which the reader usually answers, if these are known. A step
    that has passed, moved or not, is skipped: a pause moves ``due_at`` and so the target of the moves.
    """
    moments = ((asked_at + length, step) for length, step in _lengths(tuple(steps), due_at - asked_at))
    left = [(at, step) for at, step in moments if at > after]
    if usual is not None:
        moved = ((usual.moved(at, asked_at, due_at) if step.endswith("%") else at, step) for at, step in left)
        left = [(at, step) for at, step in moved if at > after]
    return min(left, default=None)


@lru_cache(1000)
def _lengths(steps: tuple[str, ...], whole: timedelta) -> Sequence[tuple[timedelta, str]]:
    """Return the time from the question to each of these steps. ``whole`` is the time to answer."""
    lengths = (whole * int(step[:-1]) / 100 if step.endswith("%") else whole - _before(step) for step in steps)
    return tuple((length, step) for length, step in zip(lengths, steps, strict=True) if timedelta() < length < whole)


@cache
def _before(step: str) -> timedelta:
    return parse_duration(step) or timedelta()
