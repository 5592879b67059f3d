"""The share of requests that end in a server error, for the health checks.

A slow disk, a missing database function or a fault in a page shows here, even if all other checks pass.
"""

import threading
import time
from collections import deque
from collections.abc import Callable
from typing import Final

from django.db import Error

from config.core.database import shared_values

WINDOW: Final = 60.0
"""Seconds over which requests are counted."""
FEWEST: Final = 3
"""The number of failures from which on they are reported."""
REPORT_INTERVAL: Final = 5.0
"""Seconds between two reports to the other processes."""


class ErrorRate:
    """Counts requests and failures of the last minute, by the second."""

    def __init__(self, clock: Callable[[], float] = time.monotonic) -> None:
        """``clock`` returns monotonic seconds."""
        self._clock = clock
        self._lock = threading.Lock()
        self._seconds: deque[list[int]] = deque()
        """Lists of a second, its requests and its failures."""
        self._reported_at = -REPORT_INTERVAL

    def count(self, failed: bool) -> None:
        """Count a request, and report to the other processes if enough have failed."""
        with self._lock:
            now = int(self._clock())
            if not self._seconds or self._seconds[-1][0] != now:
                self._seconds.append([now, 0, 0])
            self._seconds[-1][1] += 1
            self._seconds[-1][2] += failed
            while self._seconds[0][0] <= now - WINDOW:
                self._seconds.popleft()
            percent = self._percent() if failed else 0
            is_due = percent > 0 and self._clock() - self._reported_at >= REPORT_INTERVAL
            if is_due:
                self._reported_at = self._clock()
        if is_due:
            self._report(percent)

    def _percent(self) -> float:
        requests, failures = (sum(second[index] for second in self._seconds) for index in (1, 2))
        return 100 * failures / requests if failures >= FEWEST else 0

    def _report(self, percent: float) -> None:
        try:
            shared_values.share("errors", percent)
        except Error:
            return  # another health check reports that the database is away


ERROR_RATE: Final = ErrorRate()
"""The rate of this process."""
