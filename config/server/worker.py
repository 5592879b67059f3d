"""The worker and its periodic tasks: ``python -m config.server.worker``.

Celery runs tasks in threads. Some kinds of work have limits (``config.core.work``): one thread resolves
moves, one composes notifications, two pass notifications to a mail server, one posts to devices, one to
webhooks, and one reads mail. So moves always find a free thread.
"""

import logging
import threading
import time
import warnings
from collections.abc import Callable, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from typing import Any, Final

from celery.apps import worker as celery_worker
from celery.concurrency.thread import TaskPool
from celery.exceptions import SecurityWarning
from celery.signals import celeryd_after_setup, worker_ready, worker_shutting_down
from django.db import close_old_connections, connections

from config.celery import PERIODS, app
from config.core import processes
from config.core.database.checks import DATABASE_CHECKS
from config.core.logs import describe_error
from config.core.processes import start_vital_thread

THREADS: Final = 11
"""The number of threads: more than all slow kinds of work together."""
_BACKLOG: Final = 100
"""Tasks that may wait to run without the broker. The next tick finds the work of all others."""


class LocalPerformer:
    """Threads that run tasks in this process while the broker does not answer."""

    def __init__(self) -> None:
        self._threads = ThreadPoolExecutor(THREADS, thread_name_prefix="without-broker")
        self._room = threading.Semaphore(_BACKLOG)

    def __call__(self, name: str, arguments: Sequence[Any]) -> None:
        """Run a task soon, unless too many are waiting."""
        if self._room.acquire(blocking=False):
            self._threads.submit(self._perform, name, arguments)

    def _perform(self, name: str, arguments: Sequence[Any]) -> None:
        try:
            perform(app.tasks[name], name, arguments)
        finally:
            self._room.release()


@celeryd_after_setup.connect
def start_clock(**_: object) -> None:
    """Start the periodic tasks in threads of the worker, even if the broker does not answer."""
    DATABASE_CHECKS.start()
    app.perform = LocalPerformer()
    clock = Clock(PERIODS, _tick)
    app.seconds_late = clock.seconds_late
    clock.start()


def _tick(name: str) -> None:
    with app.without_broker():
        perform(app.tasks[name], name)


@worker_ready.connect
def freeze_modules_later(**_: object) -> None:
    """Freeze the modules when the worker is ready."""
    processes.freeze_modules()


@worker_shutting_down.connect
def leave_the_rest(**_: object) -> None:
    """Stop long work. Another worker will find the rest."""
    app.is_ending = True


def main() -> None:
    """Run tasks until the process is stopped. Several workers may run at the same time."""
    warnings.filterwarnings("ignore", category=SecurityWarning)
    processes.watch_parent()
    # Celery prints that it ends past the log, whose lines may be JSON.
    celery_worker.safe_say = lambda *_: None  # type: ignore[attr-defined]  # missing in its stubs
    worker = app.Worker(
        pool_cls=TaskPool,
        concurrency=THREADS,
        quiet=True,
        without_gossip=True,
        without_mingle=True,
        without_heartbeat=True,
    )
    worker.start()
    processes.exit_process(worker.exitcode or 0)


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


if __name__ == "__main__":
    main()
