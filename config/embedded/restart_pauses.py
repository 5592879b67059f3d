"""Growing pauses between the starts of a process that ends again and again."""

import time
from collections.abc import Callable
from typing import Final

LONGEST: Final = 10.0
"""Seconds; after so long a process is started again, however often it has ended."""
_SHORTEST: Final = 0.5
_STEADY: Final = 60.0
"""A process that has lived for so many seconds is started again at once."""


class Pauses:
    """The pauses of one process: none at first, half a second, and twice as long each time."""

    def __init__(self, clock: Callable[[], float] = time.monotonic) -> None:
        """``clock`` gives seconds since some moment."""
        self._clock = clock
        self._ends = 0
        self._started = 0.0
        self._ended: float | None = None

    def start(self) -> None:
        """Note that the process has been started."""
        self._started, self._ended = self._clock(), None

    def is_over(self) -> bool:
        """Return True if a process that has ended may be started again; called again and again until it is."""
        now = self._clock()
        if self._ended is None:
            self._ended = now
            self._ends = 1 if now - self._started >= _STEADY else self._ends + 1
        return now - self._ended >= self._length()

    def _length(self) -> float:
        return 0.0 if self._ends <= 1 else min(_SHORTEST * 2.0 ** (self._ends - 2), LONGEST)
