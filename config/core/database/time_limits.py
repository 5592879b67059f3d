"""Time limits for waiting on the database.

PostgreSQL's own limits, such as ``statement_timeout``, do not work while the server is stopped, hangs or cannot be
reached: the client has to stop waiting. A request may wait for the database ``REQUEST`` seconds in total, over all of
its statements. Then it gets an error as if the database were away, and its connection is closed. The running statement
is cancelled, if the server listens.

A process that checks its database (``config.core.database.checks``) also knows when the database does not answer at
all. Then requests fail immediately, so that they do not queue for threads.

Other threads of such a process may wait for ``LONGEST`` seconds for each answer: the statements of workers take longer
than those of requests. Commands such as ``migrate`` and ``backup`` wait without a limit.
"""

import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any, Final, TypeVar

import psycopg
from psycopg.abc import PQGen, PQGenConn

REQUEST: Final = 4.8
"""Seconds that a request, a received email or the metrics page may wait for the database in total. So the answer comes
within five seconds."""
RECEIVED: Final = "darbar.received"
"""The WSGI variable with the time at which a request was received completely, by the monotonic clock."""
LEAST: Final = 0.25
"""Seconds that every request gets, even if it has waited long for a thread. A working database needs less."""
LONGEST: Final = 600.0
"""Seconds that a worker waits for one answer."""
_CANCELLING: Final = 0.2
"""Seconds for asking the server to cancel a statement."""
_INTERVAL: Final = 0.1

T = TypeVar("T")


class NoAnswer(psycopg.OperationalError):
    """The database did not answer in time. The last statement may have been executed."""


class NotSent(NoAnswer):
    """There was no time left, so nothing was sent to the database."""


class _Thread(threading.local):
    """The time limit of a thread."""

    left: float | None = None
    """Seconds that the thread may still wait. None without a limit."""
    hosts: int = 1
    """The number of database hosts that it has not tried to connect to yet."""
    is_check: bool = False
    """True while the thread checks whether the database answers."""


class _Process:
    """The state of the database for all threads of this process."""

    default: float | None = None
    """Seconds that threads without a limit wait for one answer."""
    is_silent = False
    """True while the database does not answer."""


_thread = _Thread()
_process = _Process()


def left_since(began: float | None) -> float:
    """Return the seconds for which a request that arrived at ``began`` may wait for the database."""
    return REQUEST if began is None else max(LEAST, REQUEST - (time.monotonic() - began))


def limit_all_waits() -> None:
    """Limit the waits of all threads of this process, which runs until it is stopped."""
    _process.default = LONGEST


def note_silence(is_silent: bool) -> None:
    """Note whether the database answers."""
    _process.is_silent = is_silent


@contextmanager
def limited(seconds: float | None = None, *, is_check: bool = False) -> Iterator[None]:
    """Limit the total time that this thread waits for the database in this block to ``REQUEST`` or ``seconds``.

    An inner limit can only shorten an outer one. A check is sent even if the database counts as silent.
    """
    before = _thread.left, _thread.is_check
    shorter = REQUEST if seconds is None else seconds
    shorter = shorter if before[0] is None else min(shorter, before[0])
    _thread.left, _thread.is_check = shorter, is_check or before[1]
    try:
        yield
    finally:
        left, _thread.is_check = before
        _thread.left = None if left is None else max(0.0, left - (shorter - (_thread.left or 0.0)))


def _spend(began: float) -> None:
    if _thread.left is not None:
        _thread.left = max(0.0, _thread.left - (time.monotonic() - began))


def _seconds_left() -> float | None:
    """Return the seconds that this thread may wait now. Raises NotSent if there are none."""
    left = _thread.left
    if left is None:
        return _process.default
    if left <= 0:
        raise NotSent("no time is left to wait for the database")
    if _process.is_silent and not _thread.is_check:
        raise NotSent("the database does not answer")
    return left


class Connection(psycopg.Connection[Any]):
    """A connection that respects the time limit of its thread."""

    @classmethod
    def connect(cls, conninfo: str = "", **options: Any) -> Any:
        """Connect to the first host that answers. The remaining time is divided among the hosts."""
        _thread.hosts = str(options.get("host", "")).count(",") + 1
        return super().connect(conninfo, **options)

    @classmethod
    def _connect_gen(cls, conninfo: str = "") -> PQGenConn[Any]:
        left, began = _seconds_left(), time.monotonic()
        left = left and left / max(1, _thread.hosts)
        _thread.hosts -= 1
        steps = super()._connect_gen(conninfo)
        try:
            event = next(steps)
            while True:
                if left is not None and time.monotonic() - began > left:
                    raise NotSent("the database did not accept a connection in time")
                event = steps.send((yield event))
        except StopIteration as stop:
            return stop.value
        finally:
            _spend(began)

    def wait(self, gen: PQGen[T], interval: float = _INTERVAL, timeout: float | None = None) -> T:
        """Wait for an answer. Raises NoAnswer if it takes too long; then the connection is closed."""
        limit = _seconds_left()
        if limit is None or timeout is not None:
            return super().wait(gen, interval, timeout)
        began = time.monotonic()
        try:
            return super().wait(gen, interval, max(limit - _CANCELLING, limit / 2))
        except psycopg.errors._WaitTimeout:
            self._cancel()
            raise NoAnswer("the database did not answer in time") from None
        finally:
            _spend(began)

    def _cancel(self) -> None:
        """Ask the server to cancel the statement. A statement that waits for a lock would not notice a lost client."""
        try:
            self.cancel_safe(timeout=_CANCELLING)
        except psycopg.Error:
            pass  # the server is stopped or cannot be reached
        finally:
            self.close()
            if _thread.left is not None:
                _thread.left = 0.0


class AsyncConnection(psycopg.AsyncConnection[Any]):
    """A connection for an event loop that waits up to ``REQUEST`` seconds for each answer."""

    async def wait(self, gen: PQGen[T], interval: float = _INTERVAL, timeout: float | None = None) -> T:
        """Wait for an answer. Raises NoAnswer if it takes too long; then the connection is closed."""
        if timeout is not None:
            return await super().wait(gen, interval, timeout)
        try:
            return await super().wait(gen, interval, REQUEST)
        except psycopg.errors._WaitTimeout:
            await self.close()
            raise NoAnswer("the database did not answer in time") from None
