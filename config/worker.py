"""The worker, with the clock that rings for it: ``python -m config.worker``."""

import warnings
from typing import Final

from celery.beat import EmbeddedService, Scheduler
from celery.platforms import SecurityWarning
from celery.signals import worker_ready

from config import lifeline, memory
from config.celery import app

THREADS: Final = 8
"""More than the letters, posts and mails that take their time have together (``notifications.turns``)."""


@worker_ready.connect
def start_clock(**_: object) -> None:
    """Start the clock in a thread of the worker, so that neither outlives the other; then all is read that stays.

    It keeps no file, which a worker that is killed could leave broken: a tick too many changes nothing. (Named here
    because the embedded service does not look at the setting.)
    """
    EmbeddedService(app, thread=True, scheduler_cls=Scheduler).start()
    memory.settle()


def main() -> None:
    """Work until told to end. Several workers may run at once: each clock's ticks find what is left to do."""
    warnings.filterwarnings("ignore", category=SecurityWarning)
    lifeline.watch()
    alone = ["--without-gossip", "--without-mingle", "--without-heartbeat"]
    app.worker_main(["--quiet", "worker", "--pool=threads", f"--concurrency={THREADS}", *alone])


if __name__ == "__main__":
    main()
