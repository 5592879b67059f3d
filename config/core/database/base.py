"""Django's PostgreSQL backend with time limits, and with connection checks that need no query."""

import select
from types import SimpleNamespace
from typing import Any, Final

import psycopg
from django.db.backends.postgresql import base
from psycopg.pq import ConnStatus

from config.core.database import time_limits

_SOMETHING: Final = select.POLLIN | select.POLLHUP | select.POLLERR


class DatabaseWrapper(base.DatabaseWrapper):
    """PostgreSQL backend that limits waits, and checks a connection by looking at its socket.

    An idle connection has nothing to read. If there is something, the server has probably closed it, and only then
    ``SELECT 1`` is sent.
    """

    # The driver's module, with our own connections in place of its own.
    Database: Any = SimpleNamespace(**vars(psycopg) | {"connect": time_limits.Connection.connect})

    def is_usable(self) -> bool:
        """Return whether the connection still works."""
        if self._is_silent():
            return True
        with time_limits.limited():
            return bool(super().is_usable())

    def _is_silent(self) -> bool:
        if self.connection is None or self.connection.pgconn.status != ConnStatus.OK:
            return False
        poll = select.poll()
        poll.register(self.connection.pgconn.socket, _SOMETHING)
        return not poll.poll(0)
