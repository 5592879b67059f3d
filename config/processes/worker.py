"""The worker and its periodic tasks: ``python -m config.processes.worker``.

Celery runs tasks in threads. Some kinds of work have limits (``config.core.work``): one thread
resolves moves, one composes notifications, two pass notifications to a mail server, one posts to devices, one to
webhooks, and one reads mail. So moves always find a free thread.
"""

import threading
import warnings
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from typing import Any, Final

from celery.concurrency.thread import TaskPool
from celery.exceptions import SecurityWarning
from celery.signals import celeryd_after_setup, worker_ready, worker_shutting_down

from config.celery import PERIODS, app
from config.core import processes
from config.core.database.checks import DATABASE_CHECKS
from config.embedded.clock import Clock, perform

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


if __name__ == "__main__":
    main()
