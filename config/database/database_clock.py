"""The time of the database's clock, which is the same for all processes."""

import time
from collections.abc import Callable
from datetime import datetime, timedelta
from typing import Final, NamedTuple

from django.db import Error
from django.utils import timezone

STEP: Final = timedelta(seconds=1)
"""By so much the machine's clock was set, if it differs from what has passed by the steady one."""


class _Known(NamedTuple):
    """The times of the database and of the machine at a moment of the steady clock."""

    at: datetime
    own: datetime
    steady: float


class DatabaseClock:
    """The database's clock, as far as this process knows it. Each process has one."""

    def __init__(
        self, steady: Callable[[], float] = time.monotonic, own: Callable[[], datetime] = lambda: timezone.now()
    ) -> None:
        """``steady`` gives seconds since some moment; ``own`` is the machine's clock."""
        self._steady = steady
        self._own = own
        self._known: _Known | None = None
        self.look: Callable[[], object] | None = None
        """Compares at once: called when the machine's clock was set, as the database's may have been with it."""

    def now(self) -> datetime:
        """The time by the database's clock, as far as it is known; else by the machine's."""
        known = self._known
        if known is None:
            return self._own()
        passed = timedelta(seconds=self._steady() - known.steady)
        if self.look is not None and abs(self._own() - known.own - passed) > STEP:
            return self._after_step(known, self.look)
        return known.at + passed

    def _after_step(self, known: _Known, look: Callable[[], object]) -> datetime:
        """The time after the machine's clock was set; without an answer the database's is taken to be set alike."""
        try:
            look()
        except Error:
            return known.at + (self._own() - known.own)
        known = self._known or known
        return known.at + timedelta(seconds=self._steady() - known.steady)

    def compare(self, ask: Callable[[], datetime]) -> None:
        """Compare with the database, which ``ask`` asks for its time: it was told on the way there or back.

        What was known moves only as far as that proves it wrong. So the slow look of a start does no lasting harm, and
        each quick one leaves processes hardly apart: what one makes due now, another finds due at once.
        """
        before = self._steady()
        told = ask()
        steady, own = self._steady(), self._own()
        journey = timedelta(seconds=steady - before)
        at = told + journey / 2
        if self._known is not None:
            expected = self._known.at + timedelta(seconds=steady - self._known.steady)
            at = min(max(expected, told), told + journey)
        self._known = _Known(at, own, steady)

    def ahead(self) -> timedelta:
        """By how much the machine's clock was ahead of the database's at the last look."""
        known = self._known
        return timedelta() if known is None else known.own - known.at


CLOCK: Final = DatabaseClock()
"""The clock of this process."""
now: Final = CLOCK.now
