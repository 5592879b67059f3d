"""Limits on the threads of a process that do one kind of work at the same time."""

import threading
from collections.abc import Callable


class ConcurrencyLimit:
    """A kind of work that only a few threads of this process do at the same time.

    A call returns immediately if all of these threads are busy, and the work is then repeated once for all such calls.
    So slow work, above all notifications, never takes all threads of a worker, and moves always find one.
    """

    def __init__(self, work: Callable[[], object], most: int = 1, in_a_row: int | None = None) -> None:
        """Do ``work`` in up to ``most`` threads, and repeat it within one call up to ``in_a_row`` times.

        The rest waits for the next call, so that the thread of periodic tasks can go on.
        """
        # More threads only help while they wait for the network: the GIL serializes Python's own work.
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
