"""The hours at which an account usually answers, and the moments before them. Pure.

They move the account's own reminders and nothing else: no deadlines, and nothing that other players see.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime, time, timedelta
from typing import Final

from notifications.content.quiet_hours import Wishes, after_quiet
from notifications.models import Preferences

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
