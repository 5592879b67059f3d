"""The whole server in one process on a virtual clock: its tasks run at once.

Two ends are others: the clock that ``timezone.now`` reads, and the mail. Notifications are ordered as ever, in the
transaction of what they tell; they are not written, since nobody here reads more than that there is one, and to draw
the pictures of one game takes longer than to play it.
"""

from collections import deque
from datetime import datetime
from typing import Any, Final

import time_machine
from celery import Celery
from celery.app import app_or_default

from games import tasks
from games.models import Heartbeat

SKIPPED: Final = (
    tasks.compose_notifications.name,
    "notifications.delivery.tasks.deliver_notifications",
    tasks.answer_planned.name,
)
"""The tasks that are not run here: nobody reads notifications, and answers by plan need no timer."""
CLOCKWORK: Final = (tasks.sweep.name, tasks.sweep_bots.name)
"""The tasks of the clock."""


class QueuedTasks(Celery):
    """Tasks that run in the order in which they were sent, in this process."""

    def __init__(self, name: str) -> None:
        super().__init__(name)
        self.sent: deque[tuple[str, tuple[Any, ...]]] = deque()

    def send_task(self, name: str, args: Any = None, *_: Any, **__: Any) -> Any:
        """Note a task, once however often it is sent before it runs."""
        task = (name, tuple(args or ()))
        if name not in SKIPPED and task not in self.sent:
            self.sent.append(task)


class VirtualServer:
    """A server at a moment of virtual time, on the database that Django is set to."""

    def __init__(self) -> None:
        self._former = app_or_default()
        self._tasks = QueuedTasks("pace")
        self._tasks.set_default()
        self._clock = time_machine.travel(0, tick=False)
        self._moment = self._clock.start()

    def go(self, now: datetime) -> None:
        """Let time pass."""
        self._moment.move_to(now)

    def tick(self, now: datetime, *more: str) -> None:
        """Send the tasks of the clock, and these besides.

        The clock's heart has been beating meanwhile: the server was not down.
        """
        if not Heartbeat.objects.update(at=now):
            Heartbeat.objects.create(at=now)
        for name in (*CLOCKWORK, *more):
            self._tasks.send_task(name)
        self.answer()

    def answer(self) -> None:
        """Run every task, and those that it sends."""
        while self._tasks.sent:
            name, args = self._tasks.sent.popleft()
            self._tasks.tasks[name].run(*args)

    def close(self) -> None:
        """Give the clock back to the machine, and the task notifier that was there before."""
        self._clock.stop()
        self._former.set_current()
        self._former.set_default()
