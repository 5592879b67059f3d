"""The periodic tasks of a worker, which run in separate threads and without the broker."""

import logging
import time
from collections.abc import Callable, Mapping, Sequence
from typing import Final

from django.db import close_old_connections, connections

from config.core.logs import describe_error
from config.core.processes import start_vital_thread

logger = logging.getLogger(__name__)

KEPT: Final = 10.0
"""Seconds between two rounds up to which a thread keeps its connection. A connection takes 2 to 7 MB of PostgreSQL."""
Perform = Callable[[str], object]
"""Runs a task in this thread, by its name."""


class Clock:
    """Runs the tasks of each period one after another, in one thread for each period.

    A task that takes longer than its period delays the next round. Missed rounds are not repeated.
    """

    def __init__(self, periods: Mapping[float, Sequence[str]], perform: Perform) -> None:
        """``periods`` maps the seconds between two rounds to the names of tasks."""
        self._periods = periods
        self._perform = perform
        self._next_due: dict[float, float] = {}
        """The time at which the next round is due, for each period whose tasks are running."""

    def start(self) -> None:
        """Start the threads, which end with the process. The first round starts immediately."""
        for seconds, names in self._periods.items():
            start_vital_thread(self._run, seconds, names, name=f"clock-{seconds:g}")

    def seconds_late(self) -> float:
        """Return the longest time in seconds for which a round has been due while the previous one still runs."""
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
    """Run a task in this thread, as a worker would. Errors are logged without their messages."""
    try:
        close_old_connections()
        task(*arguments)
    except Exception as error:
        logger.error("%s has failed: %s", name, describe_error(error))
