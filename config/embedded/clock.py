"""The clock of a worker: runs tasks again and again, in threads of its own and without the broker."""

import logging
import time
from collections.abc import Callable, Mapping, Sequence
from typing import Final

from django.db import close_old_connections, connections

from config.embedded.vital_threads import start_vital_thread
from config.failures import describe_error

logger = logging.getLogger(__name__)

KEPT: Final = 10.0
"""Seconds for which a thread keeps its connection from one round to the next: each takes PostgreSQL 2 to 7 MB."""
Perform = Callable[[str], object]
"""Runs a task by its name in this thread."""


class Clock:
    """Runs the tasks of each period one after another, in one thread a period. It goes by a clock that nobody sets.

    A task that takes longer than its period delays the next round; no round is made up for.
    """

    def __init__(self, periods: Mapping[float, Sequence[str]], perform: Perform) -> None:
        """``periods`` are the names of tasks by the seconds between two rounds."""
        self._periods = periods
        self._perform = perform
        self._next_due: dict[float, float] = {}
        """The time at which the next round of a period is due that is at work."""

    def start(self) -> None:
        """Start the threads, which end with the process. The first round is at once."""
        for seconds, names in self._periods.items():
            start_vital_thread(self._run, seconds, names, name=f"clock-{seconds:g}")

    def seconds_late(self) -> float:
        """Return for how many seconds a round has been due that the one before it holds up; the longest time."""
        now = time.monotonic()
        return max((now - due for due in tuple(self._next_due.values())), default=0.0)

    def _run(self, seconds: float, names: Sequence[str]) -> None:
        due = time.monotonic()
        while True:
            self._next_due[seconds] = due + seconds
            for name in names:
                self._perform(name)
            del self._next_due[seconds]
            now = time.monotonic()
            due = max(due + seconds, now)
            if due - now > KEPT:
                connections.close_all()
            time.sleep(due - now)


def perform(task: Callable[..., object], name: str, arguments: Sequence[object] = ()) -> None:
    """Run a task in this thread as a worker would. Errors are logged without their messages."""
    try:
        close_old_connections()
        task(*arguments)
    except Exception as error:
        logger.error("%s has failed: %s", name, describe_error(error))
