"""The task notifier, and what the workers' clock does. The database holds all work; a lost task changes nothing."""

import logging
import threading
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from contextvars import copy_context
from typing import Any, Final

from celery import Celery, Task
from django.conf import settings
from kombu.exceptions import OperationalError

from config import traces
from config.database import shared_values
from config.database.database_checks import DATABASE_CHECKS
from config.embedded import folder_broker  # noqa: F401
from config.failures import describe_error
from config.logs import REQUEST_ID

logger = logging.getLogger(__name__)

TICK: Final = 5.0
HEARTBEAT: Final = 30.0
HOUR: Final = 3600.0
LONGEST_ROUND: Final = 120.0
"""Seconds that a round of the clock may be late because the one before it has not ended."""
MIN_INTERVAL: Final = 0.1
"""Seconds between two messages for one task under load: sending one costs half as much as accepting a move."""
FIRST_INTERVAL: Final = 0.02
"""Seconds after a message that did not have to wait."""
BROKER_RETRY_AFTER: Final = 5.0
"""Seconds in which a broker is left alone that did not answer: to wait for it costs each sender time."""


class SchemaCheckedTask(Task[..., Any]):
    """A task that does nothing during maintenance, or in a process whose database has the schema of another version.

    So nothing becomes due during maintenance, and its time is given back like any in which no clock ticked.
    """

    def __call__(self, *args: Any, **kwargs: Any) -> Any:
        if settings.MAINTENANCE:
            return None
        if DATABASE_CHECKS.difference.breaks:
            logger.warning("%s does nothing while the schema is that of another version", self.name)
            return None
        token = REQUEST_ID.set(self.request.get("request_id") or REQUEST_ID.get())
        try:
            with traces.follow(self.request.get("traceparent"), f"task {self.name}"):
                return super().__call__(*args, **kwargs)
        finally:
            REQUEST_ID.reset(token)


class TaskNotifier(Celery):
    """Celery, for which a broker that does not answer is no reason to fail.

    A worker then does the work itself (``perform``); elsewhere the next tick finds it. A task without arguments says no
    more the second time: sent again within ``FIRST_INTERVAL`` it waits for the end of that, and is sent once for all
    that came meanwhile; after a message that has waited so, the next waits for the end of ``MIN_INTERVAL``.
    """

    task_cls = SchemaCheckedTask  # type: ignore[assignment]  # the stubs know only its name

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self._free_at: dict[str, float] = {}
        """The time from which a task may be sent again."""
        self._waiting: set[str] = set()
        self._turn = threading.Lock()
        self._away_until: float | None = None
        self.perform: Callable[[str, Sequence[Any]], object] | None = None
        """Runs a task in this process, without waiting for it."""
        self.is_ending = False
        """True once this process has been told to end: work of which much is left then stops at the next piece."""
        self.seconds_late: Callable[[], float] | None = None
        """Returns by how many seconds a round of this worker's clock is late."""
        self._thread = threading.local()

    @contextmanager
    def without_broker(self) -> Iterator[None]:
        """Run here what this thread enqueues: a broker that has just come back may not be heard by anybody yet."""
        self._thread.is_alone = True
        try:
            yield
        finally:
            self._thread.is_alone = False

    def send_task(  # type: ignore[override]  # Celery gives options by name
        self, name: str, args: Any = None, kwargs: Any = None, **options: Any
    ) -> Any:
        """Send a task; None where the broker could not be reached, or it has just been sent and will be again."""
        if getattr(self._thread, "is_alone", False):
            return self._perform_here(name, args)
        if args or kwargs:
            return self._send(name, args, kwargs, options)
        wait = self._seconds_to_wait(name)
        if wait == 0:
            return self._send(name, args, kwargs, options)
        if wait is not None:
            try:
                threading.Timer(wait, copy_context().run, [self._send_late, name]).start()
            except RuntimeError:  # there is no thread to be had: it is sent now
                self._send_late(name)
        return None

    def _seconds_to_wait(self, name: str) -> float | None:
        """Return how long to wait before sending; None where a message waits already."""
        with self._turn:
            now = time.monotonic()
            left = self._free_at.get(name, now) - now
            if left <= 0:
                self._free_at[name] = now + FIRST_INTERVAL
                return 0
            if name in self._waiting:
                return None
            self._waiting.add(name)
            return left

    def _send_late(self, name: str) -> None:
        with self._turn:
            self._waiting.discard(name)
            self._free_at[name] = time.monotonic() + MIN_INTERVAL
        self._send(name, None, None, {})  # what the first was sent with may be closed by now

    def _send(self, name: str, args: Any, kwargs: Any, options: Any) -> Any:
        if self._away_until is not None and time.monotonic() < self._away_until:
            return self._perform_here(name, args)
        headers = {
            "request_id": REQUEST_ID.get(),
            "traceparent": traces.carrier(),
            **(options.pop("headers", None) or {}),
        }
        try:
            sent = super().send_task(name, args, kwargs, headers=headers, **options)
        except (OperationalError, OSError) as error:  # OSError: the disk of the embedded broker is full
            self._away_until = time.monotonic() + BROKER_RETRY_AFTER
            logger.warning("The broker does not answer, the work is done without it: %s", describe_error(error))
            return self._perform_here(name, args)
        if self._away_until is not None:
            self._away_until = None
            logger.warning("The broker answers again.")
        return sent

    def check_broker(self) -> None:
        """Check that the broker answers; tell all processes where it does not (a sign of health)."""
        try:
            with self.connection_for_write() as connection:
                connection.ensure_connection(max_retries=1, interval_start=0, timeout=int(BROKER_RETRY_AFTER))
        except (OperationalError, OSError) as error:
            logger.warning("The broker does not answer: %s", describe_error(error))
            shared_values.share("broker", 1)

    def check_rounds(self) -> None:
        """Check that the rounds of this worker's clock end. Report one that does not to all processes (a sign)."""
        if self.seconds_late is not None and (late := self.seconds_late()) > LONGEST_ROUND:
            logger.error("a round of the clock does not end")
            shared_values.share("tick", late)

    def _perform_here(self, name: str, args: Any) -> None:
        if self.perform is not None:
            self.perform(name, args or ())


app = TaskNotifier("darbar", fixups={"config.database.task_connections:fixup"})
app.config_from_object("django.conf:settings", namespace="CELERY")
app.autodiscover_tasks()
app.autodiscover_tasks(["games.mail", "notifications.delivery", "notifications.webhooks"])
app.set_default()  # else threads other than the first one would send on an application of their own
PERIODS: Final[Mapping[float, Sequence[str]]] = {
    TICK: ["games.tasks.tick"],
    HEARTBEAT: ["games.tasks.heartbeat", "games.tasks.check_rounds", "games.tasks.check_broker"],
    HOUR: [
        "accounts.tasks.delete_expired",
        "games.mail.tasks.forget_mail",
        "games.mail.tasks.forget_addresses",
        "games.tasks.lift_suspensions",
        "notifications.delivery.tasks.drop_contents",
        "notifications.webhooks.tasks.forget",
        "games.tasks.forget_keys",
        "games.tasks.stamp_heads",
        "games.tasks.forget_rejected_moves",
        "games.tasks.archive_games",
        "games.tasks.forget_seeks",
    ],
}
"""The tasks of the clock in each worker, by the seconds between two rounds."""
