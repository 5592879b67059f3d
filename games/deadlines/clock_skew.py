"""A step of the machine's clock, told from time that has passed: by a clock that nobody sets."""

import threading
import time
from collections.abc import Callable
from datetime import datetime, timedelta
from typing import Final, NamedTuple

KEPT: Final = 60.0
"""For so many seconds a leap is told to whoever asks: all threads of a worker have to hear of it."""
LEAST: Final = timedelta(seconds=1)


class Leap(NamedTuple):
    """The clock was set forward."""

    by: timedelta
    before: datetime
    """The last moment, by the clock as it was, at which this may have been: what bears a later time knows of it."""


class Watch:
    """Looks at both clocks whenever it is asked. Each process has one."""

    def __init__(self, steady: Callable[[], float] = time.monotonic) -> None:
        """``steady`` gives seconds since some moment."""
        self._steady = steady
        self._last: tuple[datetime, float] | None = None
        self._leap: tuple[Leap, float] | None = None
        self._lock = threading.Lock()

    def leap(self, now: datetime) -> Leap | None:
        """The step by which the clock, which says ``now``, was set forward within the last minute; None: it was not."""
        with self._lock:
            steady = self._steady()
            if self._last is not None:
                expected = self._last[0] + timedelta(seconds=steady - self._last[1])
                self._note(now - expected, expected, steady)
            self._last = now, steady
            return self._leap[0] if self._leap and steady - self._leap[1] < KEPT else None

    def _note(self, step: timedelta, expected: datetime, steady: float) -> None:
        """Remember a step forward; of one back, that it takes as much off the leap before it."""
        if step > LEAST:
            self._leap = Leap(step, expected), steady
        elif step < -LEAST and self._leap is not None:
            leap, noted = self._leap
            left = leap.by + step
            self._leap = (leap._replace(by=left), noted) if left > timedelta() else None
