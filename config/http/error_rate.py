"""The share of requests that end in an error of the server: each web process counts, and tells all (a sign of health).

A slow disk, a missing function or a fault in a page shows here, whatever else is green.
"""

import threading
import time
from collections import deque
from collections.abc import Callable
from typing import Final

from django.db import Error

from config.database import shared_values

WINDOW: Final = 60.0
"""Seconds over which requests are counted."""
FEWEST: Final = 3
"""The number of failures below which they say nothing."""
TOLD_EVERY: Final = 5.0
"""Seconds between two words to the other processes."""


class ErrorRate:
    """Counts requests and failures by the second, over the last minute."""

    def __init__(self, clock: Callable[[], float] = time.monotonic) -> None:
        """``clock`` gives seconds since some moment."""
        self._clock = clock
        self._lock = threading.Lock()
        self._seconds: deque[list[int]] = deque()
        """The second, its requests and its failures."""
        self._told_at = -TOLD_EVERY

    def count(self, failed: bool) -> None:
        """Count a request, and tell the other processes once enough have failed."""
        with self._lock:
            now = int(self._clock())
            if not self._seconds or self._seconds[-1][0] != now:
                self._seconds.append([now, 0, 0])
            self._seconds[-1][1] += 1
            self._seconds[-1][2] += failed
            while self._seconds[0][0] <= now - WINDOW:
                self._seconds.popleft()
            percent = self._percent() if failed else 0
            tells = percent > 0 and self._clock() - self._told_at >= TOLD_EVERY
            if tells:
                self._told_at = self._clock()
        if tells:
            self._tell(percent)

    def _percent(self) -> float:
        requests, failures = (sum(second[index] for second in self._seconds) for index in (1, 2))
        return 100 * failures / requests if failures >= FEWEST else 0

    def _tell(self, percent: float) -> None:
        try:
            shared_values.share("errors", percent)
        except Error:
            return  # a database that is away is a sign of its own


ERROR_RATE: Final = ErrorRate()
"""The rate of this process."""
