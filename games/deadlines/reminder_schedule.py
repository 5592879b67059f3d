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
from notifications.content.quiet_hours import Wishes, after_quiet
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
        """Return the moment shortly before one of these hours that is nearest to a reminder.

        It moves by at most half of the time since the question or until its end, whichever is shorter: a late reminder
        stays late. Without such a moment outside quiet hours, it does not move.
        """
        room = min(at - asked_at, due_at - at) / 2
        near = (moment for moment in self._moments(at) if abs(moment - at) <= room)
        return min(near, key=lambda each: abs(each - at), default=at)

    def _moments(self, around: datetime) -> Iterator[datetime]:
        """Yield the moments before these hours, from the day before to the day after."""
        today = around.astimezone(self.wishes.zone).date()
        for day in (today - _DAY, today, today + _DAY):
            for hour in self.hours:
                begins = datetime.combine(day, time(hour), self.wishes.zone).astimezone(UTC)
                moment = after_quiet(self.wishes, begins - BEFORE)
                if moment < begins + PART:
                    yield moment


def usual_hours_of(wanted: Preferences | None) -> UsualHours | None:
    """Return when whoever has these preferences usually answers; None where that is not known, or not to be."""
    return UsualHours(tuple(wanted.usual_hours), wanted.wishes()) if wanted is not None and wanted.usual_hours else None


def steps_of(wanted: Preferences | None, *, alone: bool) -> Sequence[str]:
    """Return the steps for a question by these preferences, or by the defaults without any. ``alone`` depends on the
    question.
    """
    steps = _USUAL if wanted is None else wanted.reminders
    early = [WHERE_ALONE] if alone and ALONE in steps else []
    return [*early, *(step for step in steps if step != ALONE)]


def set_next(
    row: OpenQuestion, wanted: Preferences | None, asked_at: datetime, after: datetime, *, shared: bool
) -> None:
    """Set the next reminder of a question by these preferences: the next step that was not taken yet.

    A step is taken once, until the player's calendar moves the deadline. If the question is ``shared`` with a stand-in,
    who must not learn when the player usually answers, no step moves, and those that were taken early are repeated at
    their own time (``is_repeated``).
    """
    taken = row.reminders[:-1] if row.remind_at else row.reminders
    steps = [step for step in steps_of(wanted, alone=row.alone) if shared or step not in taken]
    found = next_step(steps, asked_at, row.due_at, after, None if shared else usual_hours_of(wanted))
    row.remind_at, row.reminders = (None, taken) if found is None else (found[0], [*taken, found[1]])


def is_repeated(row: OpenQuestion) -> bool:
    """Return whether the player of a question was reminded by its present step before."""
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
