"""Detecting steps of the system clock by comparing it with a monotonic clock."""

import threading
import time
from collections.abc import Callable
from datetime import datetime, timedelta
from typing import Final, NamedTuple

STEP_KEPT: Final = 60.0
"""The number of seconds for which a step is reported to callers, so that all threads of a worker see it."""
SMALLEST_STEP: Final = timedelta(seconds=1)


class ClockStep(NamedTuple):
    """The clock was set forward."""

    by: timedelta
    before: datetime
    """The latest time of the step by the clock before it. Rows with a later time were written by the new clock."""


class ClockSkewDetector:
    """Compares the machine's clock with a monotonic one whenever it is asked. Each process has one."""

    def __init__(self, monotonic: Callable[[], float] = time.monotonic) -> None:
        """``monotonic`` gives seconds since some moment."""
        self._monotonic = monotonic
        self._last: tuple[datetime, float] | None = None
        self._step: tuple[ClockStep, float] | None = None
        self._lock = threading.Lock()

    def step(self, now: datetime) -> ClockStep | None:
        """The step by which the clock, which says ``now``, was set forward within the last minute; None: it was not."""
        with self._lock:
            monotonic = self._monotonic()
            if self._last is not None:
                expected = self._last[0] + timedelta(seconds=monotonic - self._last[1])
                self._note(now - expected, expected, monotonic)
            self._last = now, monotonic
            return self._step[0] if self._step and monotonic - self._step[1] < STEP_KEPT else None

    def _note(self, difference: timedelta, expected: datetime, monotonic: float) -> None:
        """Remember a step forward; of one back, that it takes as much off the step before it."""
        if difference > SMALLEST_STEP:
            self._step = ClockStep(difference, expected), monotonic
        elif difference < -SMALLEST_STEP and self._step is not None:
            step, noted = self._step
            left = step.by + difference
            self._step = (step._replace(by=left), noted) if left > timedelta() else None
