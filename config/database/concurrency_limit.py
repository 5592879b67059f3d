"""Concurrency limits: a few threads of a process for each kind of work, so that others are left for everything else."""

import threading
from collections.abc import Callable


class ConcurrencyLimit:
    """A kind of work that at most so many threads of this process do at a time.

    Whoever comes while as many are at it goes again at once, and it is done once more. So work that takes its time,
    notifications above all, never takes all threads of a worker: moves find one.
    """

    def __init__(self, work: Callable[[], object], most: int = 1) -> None:
        """More than one are of use only where they wait for others: Python's own work they would do by turns."""
        self.most = most
        self._work = work
        self._free = threading.Semaphore(most)
        self._called = False

    def __call__(self) -> None:
        self._called = True
        while self._called and self._free.acquire(blocking=False):
            try:
                self._called = False
                self._work()
            finally:
                self._free.release()
