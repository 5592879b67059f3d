"""The workers' bell and its clock. The database holds all work; a bell that is lost or doubled changes nothing."""

import logging
import threading
import time
from datetime import UTC, datetime, timedelta
from typing import Any, Final

from celery import Celery
from celery.schedules import schedule
from kombu.exceptions import OperationalError

import config.folder  # noqa: F401 - makes the embedded broker known

logger = logging.getLogger(__name__)

TICK: Final = 5.0
HEARTBEAT: Final = 30.0
HOUR: Final = 3600.0
PAUSE: Final = 0.1
"""Seconds between two rings of one bell: ringing costs about as much as accepting a move."""


class Bells(Celery):
    """Celery, for which a broker that does not answer is no reason to fail: the next tick finds the work.

    A bell without arguments says no more the second time: rung again within ``PAUSE`` it waits for the end of that,
    and rings once for all that came meanwhile.
    """

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self._rung: dict[str, float] = {}
        self._waiting: set[str] = set()
        self._turn = threading.Lock()

    def send_task(self, name: str, args: Any = None, kwargs: Any = None, **options: Any) -> Any:
        """Ring; None where the broker could not be reached, or the bell has just been rung and will be again."""
        if args or kwargs:
            return self._send(name, args, kwargs, options)
        wait = self._wait(name)
        if wait == 0:
            return self._send(name, args, kwargs, options)
        if wait is not None:
            threading.Timer(wait, self._ring_late, [name]).start()
        return None

    def _wait(self, name: str) -> float | None:
        """How long to wait before ringing; None where somebody waits already."""
        with self._turn:
            now = time.monotonic()
            left = self._rung.get(name, -PAUSE) + PAUSE - now
            if left <= 0:
                self._rung[name] = now
                return 0
            if name in self._waiting:
                return None
            self._waiting.add(name)
            return left

    def _ring_late(self, name: str) -> None:
        with self._turn:
            self._waiting.discard(name)
            self._rung[name] = time.monotonic()
        self._send(name, None, None, {})  # what the first ring was sent with may be closed by now

    def _send(self, name: str, args: Any, kwargs: Any, options: Any) -> Any:
        try:
            return super().send_task(name, args, kwargs, **options)
        except OperationalError as error:
            logger.warning("The broker does not answer, %s is left to the next tick: %s", name, error)
            return None


_BEGAN: Final = datetime.now(UTC), time.monotonic()


def steadily() -> datetime:
    """The time by a clock that nobody sets: were the machine's set back by an hour, it would not tick for an hour."""
    return _BEGAN[0] + timedelta(seconds=time.monotonic() - _BEGAN[1])


def _every(seconds: float, task: str) -> dict[str, Any]:
    """A bell that a busy worker does not hear twice."""
    return {"task": task, "schedule": schedule(seconds, nowfun=steadily), "options": {"expires": seconds}}


app = Bells("darbar")
app.config_from_object("django.conf:settings", namespace="CELERY")
app.autodiscover_tasks()
app.autodiscover_tasks(["games.post", "notifications.webhooks"])
app.set_default()  # else threads other than the first one would ring on an application of their own
app.conf.beat_schedule = {
    "tick": _every(TICK, "games.tasks.tick"),
    "heartbeat": _every(HEARTBEAT, "games.tasks.heartbeat"),
    "forget limits and grants": _every(HOUR, "accounts.tasks.forget"),
    "forget mail": _every(HOUR, "games.post.tasks.forget_mail"),
    "forget addresses": _every(HOUR, "games.post.tasks.forget_addresses"),
    "lift suspensions": _every(HOUR, "games.tasks.lift_suspensions"),
    "forget signals": _every(HOUR, "notifications.webhooks.tasks.forget"),
    "forget keys": _every(HOUR, "games.tasks.forget_keys"),
}
