"""Time limits on waiting for the database.

PostgreSQL's own limits, such as ``statement_timeout``, end nothing while the server is stopped, hangs or cannot be
reached: the client has to stop waiting. A request may wait for the database ``REQUEST`` seconds in all, however many
statements it sends. Then it gets an error as if the database were away, and its connection is closed. What the server
is still doing for it is cancelled, if the server listens.

A process that looks after its database (``config.database.database_checks``) also knows when the database does not
answer at all. Then requests fail without delay, so that they do not queue for the threads of those that wait.

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
"""Seconds that a request, an email that comes in or a look at the metrics may wait for the database in all. So it is
answered within five seconds."""
RECEIVED: Final = "darbar.received"
"""The variable of WSGI in which the web server notes when a request was there as a whole, by the monotonic clock."""
LEAST: Final = 0.25
"""Seconds that are left to a request that has waited long for its turn: enough for a database that works."""
LONGEST: Final = 600.0
"""Seconds that a worker waits for one answer: to wait longer would not bring it."""
_CANCELLING: Final = 0.2
"""Seconds that it may take to ask the server to cancel a statement."""
_INTERVAL: Final = 0.1

T = TypeVar("T")


class NoAnswer(psycopg.OperationalError):
    """The database did not answer in time. The last statement may have been executed."""


class NotAsked(NoAnswer):
    """No time was left to ask the database: nothing was sent to it."""


class _Thread(threading.local):
    """The time limit of a thread."""

    left: float | None = None
    """Seconds that it may still wait; None without a limit of its own."""
    hosts: int = 1
    """The hosts of a database of several that it has not tried to connect to yet."""
    looks: bool = False
    """True for the thread that finds out whether the database answers."""


class _Process:
    """Facts about the database that hold for all threads of this process."""

    usual: float | None = None
    """Seconds that threads without a limit of their own wait for one answer."""
    is_silent = False
    """True while the database does not answer."""


_thread = _Thread()
_process = _Process()


def left_since(began: float | None) -> float:
    """Return the seconds that a request may wait for the database which has waited for its turn since ``began``."""
    return REQUEST if began is None else max(LEAST, REQUEST - (time.monotonic() - began))


def limit_all_waits() -> None:
    """Limit the waits of all threads of this process, which is not to end by itself."""
    _process.usual = LONGEST


def note_silence(is_silent: bool) -> None:
    """Note whether the database answers."""
    _process.is_silent = is_silent


@contextmanager
def limited(seconds: float | None = None, *, looks: bool = False) -> Iterator[None]:
    """Limit the time that this thread waits for the database in this block, in all: to ``REQUEST`` or ``seconds``.

    A limit within another one makes it shorter only. With ``looks`` the database is asked even if it is silent.
    """
    before = _thread.left, _thread.looks
    shorter = REQUEST if seconds is None else seconds
    shorter = shorter if before[0] is None else min(shorter, before[0])
    _thread.left, _thread.looks = shorter, looks or before[1]
    try:
        yield
    finally:
        left, _thread.looks = before
        _thread.left = None if left is None else max(0.0, left - (shorter - (_thread.left or 0.0)))


def _spend(began: float) -> None:
    if _thread.left is not None:
        _thread.left = max(0.0, _thread.left - (time.monotonic() - began))


def _seconds_left() -> float | None:
    """Return the seconds that this thread may wait now. Raises NotAsked if there are none."""
    left = _thread.left
    if left is None:
        return _process.usual
    if left <= 0:
        raise NotAsked("no time is left to wait for the database")
    if _process.is_silent and not _thread.looks:
        raise NotAsked("the database does not answer")
    return left


class Connection(psycopg.Connection[Any]):
    """A connection that waits for its server no longer than its thread may."""

    @classmethod
    def connect(cls, conninfo: str = "", **options: Any) -> Any:
        """Connect to the first host that answers. Each one gets its share of the time that is left."""
        _thread.hosts = str(options.get("host", "")).count(",") + 1
        return super().connect(conninfo, **options)

    @classmethod
    def _connect_gen(cls, conninfo: str = "") -> PQGenConn[Any]:
        left, began = _seconds_left(), time.monotonic()
        left = left and left / max(1, _thread.hosts)
        _thread.hosts -= 1
        steps = super()._connect_gen(conninfo)
        try:
            waits_for = next(steps)
            while True:
                if left is not None and time.monotonic() - began > left:
                    raise NotAsked("the database did not accept a connection in time")
                waits_for = steps.send((yield waits_for))
        except StopIteration as ended:
            return ended.value
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
        """Ask the server to cancel the statement. One that waits for a lock does not notice that its client is gone."""
        try:
            self.cancel_safe(timeout=_CANCELLING)
        except psycopg.Error:
            pass  # a server that is stopped or cannot be reached
        finally:
            self.close()
            if _thread.left is not None:
                _thread.left = 0.0


class AsyncConnection(psycopg.AsyncConnection[Any]):
    """A connection of an event loop that waits for each answer of its server for ``REQUEST`` seconds at most."""

    async def wait(self, gen: PQGen[T], interval: float = _INTERVAL, timeout: float | None = None) -> T:
        """Wait for an answer. Raises NoAnswer if it takes too long; then the connection is closed."""
        if timeout is not None:
            return await super().wait(gen, interval, timeout)
        try:
            return await super().wait(gen, interval, REQUEST)
        except psycopg.errors._WaitTimeout:
            await self.close()
            raise NoAnswer("the database did not answer in time") from None
