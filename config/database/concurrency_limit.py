"""Concurrency limits: a few threads of a process for each kind of work, so that others are left for everything else."""

import threading
from collections.abc import Callable


class ConcurrencyLimit:
    """A kind of work that at most so many threads of this process do at a time.

    Whoever comes while as many are at it goes again at once, and it is done once more. So work that takes its time,
    notifications above all, never takes all threads of a worker: moves find one.
    """

    def __init__(self, work: Callable[[], object], most: int = 1, in_a_row: int | None = None) -> None:
        """Do ``work`` in up to ``most`` threads, and in one call ``in_a_row`` times at most.

        The rest waits for the next call, so that the clock's thread can go on.
        """
        # Threads only help while they wait for others: the GIL serialises Python's own work.
        self.most = most
        self._in_a_row = in_a_row
        self._work = work
        self._free = threading.Semaphore(most)
        self._called = False

    def __call__(self) -> None:
        self._called, rounds = True, 0
        while self._called and rounds != self._in_a_row and self._free.acquire(blocking=False):
            try:
                self._called = False
                self._work()
            finally:
                self._free.release()
            rounds += 1
