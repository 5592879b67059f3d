"""The whole server in one process on a virtual clock. Tasks run immediately.

Only the clock that ``timezone.now`` reads and the mail are replaced. Notifications are created as usual, in the
transaction of the move. They are not rendered: the players of the bench need only their reasons, and the pictures of a
game take longer than the game.
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
    "notifications.tasks.deliver_notifications",
    tasks.answer_planned.name,
)
"""The tasks that are not run: notifications are not rendered, and the clock answers by plan."""
CLOCKWORK: Final = (tasks.sweep.name, tasks.sweep_bots.name)
"""The periodic tasks."""


class QueuedTasks(Celery):
    """Tasks that run in this process in the order in which they were sent."""

    def __init__(self, name: str) -> None:
        super().__init__(name)
        self.queue: deque[tuple[str, tuple[Any, ...]]] = deque()

    def send_task(self, name: str, args: Any = None, *_: Any, **__: Any) -> Any:
        """Queue a task, unless the same task is already waiting."""
        task = (name, tuple(args or ()))
        if name not in SKIPPED and task not in self.queue:
            self.queue.append(task)


class VirtualServer:
    """A server at a moment of virtual time, on the database of Django's settings."""

    def __init__(self) -> None:
        self._former = app_or_default()
        self._tasks = QueuedTasks("pace")
        self._tasks.set_default()
        self._clock = time_machine.travel(0, tick=False)
        self._moment = self._clock.start()

    def go(self, now: datetime) -> None:
        """Set the virtual time."""
        self._moment.move_to(now)

    def tick(self, now: datetime) -> None:
        """Run the periodic tasks. The heartbeat is stored first, because a gap would count as downtime."""
        if not Heartbeat.objects.update(at=now):
            Heartbeat.objects.create(at=now)
        for name in CLOCKWORK:
            self._tasks.send_task(name)
        self.answer()

    def answer(self) -> None:
        """Run all queued tasks, and the tasks that they send."""
        while self._tasks.queue:
            name, args = self._tasks.queue.popleft()
            self._tasks.tasks[name].run(*args)

    def close(self) -> None:
        """Restore the real clock and the former Celery app."""
        self._clock.stop()
        self._former.set_current()
        self._former.set_default()
