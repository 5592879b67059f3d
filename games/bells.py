"""Ringing for the workers: by name, so that what is below a task can ring it, and only once the work is committed."""

import threading
from collections.abc import Callable

from celery import current_app
from django.db import transaction


def ring(task: str, *ids: str, expires: float | None = None) -> None:
    """Have ``task`` run after the commit, if it is heard before so many seconds are over.

    A bell that gets lost is no harm: the next tick finds the work.
    """

    def send() -> None:
        current_app.send_task(task, ids, expires=expires)

    transaction.on_commit(send, robust=True)


class OneAtATime:
    """What a bell calls to, done by one thread of this process at a time: several would only take turns with Python.

    Whoever comes while it is being done goes again at once, and it is done once more.
    """

    def __init__(self, work: Callable[[], None]) -> None:
        self._work = work
        self._busy = threading.Lock()
        self._rung = False

    def __call__(self) -> None:
        self._rung = True
        while self._rung and self._busy.acquire(blocking=False):
            try:
                self._rung = False
                self._work()
            finally:
                self._busy.release()
