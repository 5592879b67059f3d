"""The Celery application.

The database is the truth, and the broker only wakes workers. A message may be lost, doubled or late: every five seconds
``games.tasks.tick`` reads from the tables which work is pending, with one statement for all kinds of it
(``config.core.work``). Work that may take long, such as received mail, notifications and webhooks, becomes a task of
its own."""

import logging
import threading
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from contextvars import copy_context
from functools import cached_property
from typing import Any, Final

from celery import Celery, Task, current_app
from celery.fixups.django import DjangoFixup, DjangoWorkerFixup  # type: ignore[attr-defined]  # its stubs lack one
from django.conf import settings
from django.db import close_old_connections, transaction
from kombu.exceptions import OperationalError
from kombu.transport import TRANSPORT_ALIASES

from config.core import traces
from config.core.database import shared_values
from config.core.database.checks import DATABASE_CHECKS
from config.core.logs import REQUEST_ID, describe_error
from config.core.processes import set_up_django

logger = logging.getLogger(__name__)

LONGEST_ROUND: Final = 120.0
"""Seconds by which a round of periodic tasks may be late because the previous round still runs."""
MIN_INTERVAL: Final = 0.1
"""Seconds between two messages for one task under load. Sending a message costs half as much as accepting a move."""
FIRST_INTERVAL: Final = 0.02
"""Seconds between the first message for a task and the next one."""
BROKER_RETRY_AFTER: Final = 5.0
"""Seconds for which a broker that did not answer is not used, because every sender would wait for it."""


class SchemaCheckedTask(Task[..., Any]):
    """A task that does nothing during maintenance, or while the database has the schema of another version.

    Deadlines then move by the length of the maintenance, as they do after any time in which no worker ran.
    """

    def __call__(self, *args: Any, **kwargs: Any) -> Any:
        if settings.MAINTENANCE:
            return None
        if DATABASE_CHECKS.difference.is_breaking:
            logger.warning("%s does nothing while the database has the schema of another version", self.name)
            return None
        began = time.monotonic()
        token = REQUEST_ID.set(self.request.get("request_id") or REQUEST_ID.get())
        try:
            with traces.follow(self.request.get("traceparent"), f"task {self.name}"):
                return super().__call__(*args, **kwargs)
        finally:
            logger.debug("%s took %d ms", self.name, round(1000 * (time.monotonic() - began)))
            REQUEST_ID.reset(token)


class TaskNotifier(Celery):
    """Celery application that does not fail if the broker does not answer, and sends few messages.

    Without a broker, a worker runs the task itself (``perform``). Any other process leaves the work to the next tick.
    Messages for a task without arguments are all alike, so several of them within ``FIRST_INTERVAL``, or under load
    within ``MIN_INTERVAL``, are sent as one.
    """

    task_cls = SchemaCheckedTask  # type: ignore[assignment]  # the stubs know only its name

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self._free_at: dict[str, float] = {}
        """The time from which a task may be sent again, by the task's name."""
        self._waiting: set[str] = set()
        self._turn = threading.Lock()
        self._away_until: float | None = None
        self.perform: Callable[[str, Sequence[Any]], object] | None = None
        """Run a task in this process without waiting for its end."""
        self.is_ending = False
        """True once this process is ending. Long work then stops after the current part."""
        self.seconds_late: Callable[[], float] | None = None
        """Return the seconds by which a round of this worker's periodic tasks is late."""
        self._thread = threading.local()

    @contextmanager
    def without_broker(self) -> Iterator[None]:
        """Run the tasks that this thread enqueues in this process."""
        # After a broker has come back, it takes the workers some seconds to connect to it.
        self._thread.is_alone = True
        try:
            yield
        finally:
            self._thread.is_alone = False

    def send_task(  # type: ignore[override]  # Celery gives options by name
        self, name: str, args: Any = None, kwargs: Any = None, **options: Any
    ) -> Any:
        """Send a task. Return None if the broker cannot be reached, or if it is sent later, with others."""
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
            except RuntimeError:  # no thread can be started, so the message is sent now
                self._send_late(name)
        return None

    def _seconds_to_wait(self, name: str) -> float | None:
        """Return the seconds to wait before sending, or None if a message is waiting already."""
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
        self._send(name, None, None, {})  # without options: the connection among them may be closed by now

    def _send(self, name: str, args: Any, kwargs: Any, options: Any) -> Any:
        if self._away_until is not None and time.monotonic() < self._away_until:
            return self._perform_here(name, args)
        headers = {
            "request_id": REQUEST_ID.get(),
            "traceparent": traces.carrier(),
            **(options.pop("headers", None) or {}),
        }
        try:
            result = super().send_task(name, args, kwargs, headers=headers, **options)
        except (OperationalError, OSError) as error:  # OSError: the disk of the embedded broker is full
            self._away_until = time.monotonic() + BROKER_RETRY_AFTER
            logger.warning("The broker does not answer, work goes on without it: %s", describe_error(error))
            return self._perform_here(name, args)
        if self._away_until is not None:
            self._away_until = None
            logger.warning("The broker answers again.")
        return result

    def check_broker(self) -> None:
        """Check that the broker answers, and report a failure to the health checks of all processes."""
        try:
            with self.connection_for_write() as connection:
                connection.ensure_connection(max_retries=1, interval_start=0, timeout=int(BROKER_RETRY_AFTER))
        except (OperationalError, OSError) as error:
            logger.warning("The broker does not answer: %s", describe_error(error))
            shared_values.share("broker", 1)

    def check_rounds(self) -> None:
        """Check that the rounds of periodic tasks end, and report a late one to the health checks of all processes."""
        if self.seconds_late is not None and (late := self.seconds_late()) > LONGEST_ROUND:
            logger.error("a round of periodic tasks does not end")
            shared_values.share("tick", late)

    def _perform_here(self, name: str, args: Any) -> None:
        if self.perform is not None:
            self.perform(name, args or ())


class _WorkerSupport(DjangoWorkerFixup):  # type: ignore[misc]
    """Celery's Django support in a worker. Its connections stay open between tasks, like those of a web server.

    Celery closes connections before and after each task, but opening one and preparing its statements takes longer than
    resolving a move. Celery's setting ``CELERY_DB_REUSE_MAX`` would keep broken connections, too.
    """

    def validate_models(self) -> None:
        # Celery's own method also runs all system checks, and does not show their results.
        set_up_django()

    def close_database(self, **_: Any) -> None:
        """Close connections that are broken or older than ``CONN_MAX_AGE``. Called before and after each task."""
        close_old_connections()


class _DjangoSupport(DjangoFixup):
    @cached_property
    def worker_fixup(self) -> _WorkerSupport:
        return _WorkerSupport(self.app)


def _support_django(app: Celery) -> DjangoFixup:
    support = _DjangoSupport(app)
    support.install()
    return support


TRANSPORT_ALIASES.update(settings.BROKER_TRANSPORTS)
app = TaskNotifier("darbar", fixups={_support_django})
app.config_from_object("django.conf:settings", namespace="CELERY")
app.set_default()  # otherwise other threads would use a default application of their own


def enqueue(task: str, *ids: str, expires: float | None = None) -> None:
    """Enqueue ``task`` after the commit. It expires after this number of seconds.

    A lost task does no harm, because the next tick finds the work.
    """

    def send() -> None:
        current_app.send_task(task, ids, expires=expires)

    transaction.on_commit(send, robust=True)
