"""The time of the database's clock, which is the same for all processes, and the format of times.

``now()`` is the database's time at the last comparison and the time that has passed since, by a monotonic clock. In
tests and commands, without comparisons, it is the machine's clock.
"""

import time
from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from typing import Final, NamedTuple

from django.db import Error
from django.utils import timezone

STEP: Final = timedelta(seconds=1)
"""The difference between the machine's clock and the monotonic one from which on the machine's clock counts as set."""


class _Comparison(NamedTuple):
    """The times of the database and of the machine at a time of the monotonic clock."""

    database: datetime
    machine: datetime
    steady: float


class DatabaseClock:
    """The database's clock, as far as this process knows it."""

    def __init__(
        self, steady: Callable[[], float] = time.monotonic, machine: Callable[[], datetime] = lambda: timezone.now()
    ) -> None:
        """``steady`` returns seconds of a monotonic clock, ``machine`` the time of the machine's clock."""
        self._steady = steady
        self._machine = machine
        self._last: _Comparison | None = None
        self.look: Callable[[], object] | None = None
        """Compare now. Called when the machine's clock was set, because the database's may have been set with it."""

    def now(self) -> datetime:
        """Return the time by the database's clock, or by the machine's clock before the first comparison."""
        last = self._last
        if last is None:
            return self._machine()
        passed = timedelta(seconds=self._steady() - last.steady)
        if self.look is not None and abs(self._machine() - last.machine - passed) > STEP:
            return self._after_step(last, self.look)
        return last.database + passed

    def _after_step(self, last: _Comparison, look: Callable[[], object]) -> datetime:
        """Return the time after the machine's clock was set.

        If the database does not answer, its clock is assumed to be set by the same amount.
        """
        try:
            look()
        except Error:
            return last.database + (self._machine() - last.machine)
        last = self._last or last
        return last.database + timedelta(seconds=self._steady() - last.steady)

    def compare(self, query_time: Callable[[], datetime]) -> None:
        """Compare with the database, whose time ``query_time`` returns.

        The answer was given at some moment of the round trip. The expected time is only moved into that range, so that
        a slow comparison does no harm, and after quick ones the clocks of all processes hardly differ.
        """
        before = self._steady()
        answer = query_time()
        steady, machine = self._steady(), self._machine()
        round_trip = timedelta(seconds=steady - before)
        database = answer + round_trip / 2
        if self._last is not None:
            expected = self._last.database + timedelta(seconds=steady - self._last.steady)
            database = min(max(expected, answer), answer + round_trip)
        self._last = _Comparison(database, machine, steady)

    def ahead(self) -> timedelta:
        """Return the time by which the machine's clock was ahead of the database's at the last comparison."""
        last = self._last
        return timedelta() if last is None else last.machine - last.database


CLOCK: Final = DatabaseClock()
"""The clock of this process."""
now: Final = CLOCK.now


def write_moment(moment: datetime) -> str:
    """Return a time in UTC as text, such as ``2026-11-22T08:30:00Z``."""
    return moment.astimezone(UTC).isoformat().removesuffix("+00:00") + "Z"


def whole_second(moment: datetime) -> datetime:
    """Return a time without its fraction of a second."""
    return moment.replace(microsecond=0)
