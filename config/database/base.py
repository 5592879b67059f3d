"""Django's PostgreSQL backend, which looks after a connection without a journey to the server."""

import select
from typing import Final

from django.db.backends.postgresql import base
from psycopg.pq import ConnStatus

_SOMETHING: Final = select.POLLIN | select.POLLHUP | select.POLLERR


class DatabaseWrapper(base.DatabaseWrapper):
    """A server that ends a connection says so, and one that is asked nothing says nothing else."""

    def is_usable(self) -> bool:
        """Return whether the server still listens. It is asked only where it has said something."""
        return self._is_silent() or bool(super().is_usable())

    def _is_silent(self) -> bool:
        if self.connection is None or self.connection.pgconn.status != ConnStatus.OK:
            return False
        poll = select.poll()
        poll.register(self.connection.pgconn.socket, _SOMETHING)
        return not poll.poll(0)
