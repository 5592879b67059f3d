"""Growing pauses between the restarts of a process that ends repeatedly."""

import time
from collections.abc import Callable
from typing import Final

LONGEST: Final = 10.0
"""The longest pause in seconds."""
_SHORTEST: Final = 0.5
_STEADY: Final = 60.0
"""Seconds after which a process that ends is restarted without a pause."""


class Pauses:
    """The pauses of a process: none, half a second, and then twice as long each time."""

    def __init__(self, clock: Callable[[], float] = time.monotonic) -> None:
        """``clock`` returns monotonic seconds."""
        self._clock = clock
        self._ends = 0
        self._started_at = 0.0
        self._ended_at: float | None = None

    def start(self) -> None:
        """Note that the process has been started."""
        self._started_at, self._ended_at = self._clock(), None

    def is_over(self) -> bool:
        """Return True if the ended process may be restarted. Call it repeatedly until it is True."""
        now = self._clock()
        if self._ended_at is None:
            self._ended_at = now
            self._ends = 1 if now - self._started_at >= _STEADY else self._ends + 1
        return now - self._ended_at >= self._length()

    def _length(self) -> float:
        return 0.0 if self._ends <= 1 else min(_SHORTEST * 2.0 ** (self._ends - 2), LONGEST)
