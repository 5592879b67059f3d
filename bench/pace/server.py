"""The whole server in one process on a virtual clock: its bells are answered at once, by its own tasks.

Two ends are others: the clock that ``timezone.now`` reads, and the mail. Letters are ordered as ever, in the
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

UNHEARD: Final = (tasks.write_letters.name, "notifications.delivery.tasks.deliver_letters")
"""The bells whose letters nobody writes here."""
CLOCKWORK: Final = (tasks.sweep.name, tasks.sweep_bots.name)
"""The bells that time rings."""


class Bells(Celery):
    """Bells that are answered in the order in which they were rung, by whoever rang them."""

    def __init__(self, name: str) -> None:
        super().__init__(name)
        self.rung: deque[tuple[str, tuple[Any, ...]]] = deque()

    def send_task(self, name: str, args: Any = None, *_: Any, **__: Any) -> None:
        """Note a bell, once however often it is rung before it is answered."""
        bell = (name, tuple(args or ()))
        if name not in UNHEARD and bell not in self.rung:
            self.rung.append(bell)


class VirtualServer:
    """A server at a moment of virtual time, on the database that Django is set to."""

    def __init__(self) -> None:
        self._former = app_or_default()
        self._bells = Bells("pace")
        self._bells.set_default()
        self._clock = time_machine.travel(0, tick=False)
        self._moment = self._clock.start()

    def go(self, now: datetime) -> None:
        """Let time pass."""
        self._moment.move_to(now)

    def tick(self, now: datetime) -> None:
        """Ring what time rings. The clock's heart has been beating meanwhile: the server was not down."""
        if not Heartbeat.objects.update(at=now):
            Heartbeat.objects.create(at=now)
        for name in CLOCKWORK:
            self._bells.send_task(name)
        self.answer()

    def answer(self) -> None:
        """Answer every bell, and those that are rung by it."""
        while self._bells.rung:
            name, args = self._bells.rung.popleft()
            self._bells.tasks[name].run(*args)

    def close(self) -> None:
        """Give the clock back to the machine, and the task notifier that was there before."""
        self._clock.stop()
        self._former.set_current()
        self._former.set_default()
