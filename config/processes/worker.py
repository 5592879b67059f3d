"""The worker, with the clock that ticks in it: ``python -m config.processes.worker``."""

import threading
import warnings
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from typing import Any, Final

from celery.concurrency.thread import TaskPool
from celery.exceptions import SecurityWarning
from celery.signals import celeryd_after_setup, worker_ready, worker_shutting_down

from config.celery import PERIODS, app
from config.database.database_checks import DATABASE_CHECKS
from config.embedded import parent_watch
from config.embedded.clock import Clock, perform
from config.processes import memory

THREADS: Final = 11
"""More than the notifications, posts and mails that take their time have together
(``config.database.concurrency_limit``).
"""
_BACKLOG: Final = 100
"""Tasks that may wait to be done without the broker; of more, the next tick finds the work."""


class LocalPerformer:
    """Threads that run what the broker cannot be told, in this process."""

    def __init__(self) -> None:
        self._threads = ThreadPoolExecutor(THREADS, thread_name_prefix="without-broker")
        self._room = threading.Semaphore(_BACKLOG)

    def __call__(self, name: str, arguments: Sequence[Any]) -> None:
        """Run a task soon, unless too many wait."""
        if self._room.acquire(blocking=False):
            self._threads.submit(self._perform, name, arguments)

    def _perform(self, name: str, arguments: Sequence[Any]) -> None:
        try:
            perform(app.tasks[name], name, arguments)
        finally:
            self._room.release()


@celeryd_after_setup.connect
def start_clock(**_: object) -> None:
    """Start the clock in threads of the worker, so that neither outlives the other, and before the broker is found."""
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
    """All is read that stays."""
    memory.freeze_modules()


@worker_shutting_down.connect
def leave_the_rest(**_: object) -> None:
    """Leave what other workers, or the next one, will find."""
    app.is_ending = True


def main() -> None:
    """Work until told to end. Several workers may run at once: each clock's ticks find what is left to do."""
    warnings.filterwarnings("ignore", category=SecurityWarning)
    parent_watch.watch()
    worker = app.Worker(
        pool_cls=TaskPool,
        concurrency=THREADS,
        quiet=True,
        without_gossip=True,
        without_mingle=True,
        without_heartbeat=True,
    )
    worker.start()
    parent_watch.exit_process(worker.exitcode or 0)


if __name__ == "__main__":
    main()
