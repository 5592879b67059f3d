"""Reads from a replica, if ``REPLICA_URL`` is set: lists, players' pages, replays and feeds.

A read never misses a row that was committed before it. It starts only when the replica has everything that the primary
had at that moment. If the replica is too late or does not answer, the primary is used.
"""

import logging
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from functools import wraps
from typing import Any, Final

from django.conf import settings
from django.db import DEFAULT_DB_ALIAS, DatabaseError, InterfaceError, connection, connections
from django.http import HttpRequest
from django.http.response import HttpResponseBase

from config.core.database.connections import REPLICA as ALIAS
from config.core.logs import describe_error

logger = logging.getLogger(__name__)

PATIENCE: Final = 0.1
"""Seconds in which the replica must have caught up. It is usually some milliseconds behind."""
RETRY_AFTER: Final = 10.0
"""Seconds for which a replica that did not answer is not used."""
_PAUSE: Final = 0.002
_READS: Final = ContextVar("reads", default=False)

View = Callable[..., HttpResponseBase]


class ReplicaRouter:
    """Database router that sends the reads of ``reads_replica`` views to the replica, if it has caught up."""

    def db_for_read(self, model: object, **hints: object) -> str:
        return ALIAS if _READS.get() else DEFAULT_DB_ALIAS

    def db_for_write(self, model: object, **hints: object) -> str:
        return DEFAULT_DB_ALIAS

    def allow_relation(self, one: object, other: object, **hints: object) -> bool:
        return True

    def allow_migrate(self, db: str, *args: object, **hints: object) -> bool:
        return db == DEFAULT_DB_ALIAS


class Replica:
    """The replica at ``REPLICA_URL``."""

    def __init__(self) -> None:
        self._unused_until = 0.0

    @contextmanager
    def reading(self) -> Iterator[None]:
        """Read from the replica in this block, if it has everything that is committed now."""
        token = _READS.set(self._is_usable())
        try:
            yield
        finally:
            _READS.reset(token)

    def _is_usable(self) -> bool:
        if ALIAS not in settings.DATABASES or time.monotonic() < self._unused_until:
            return False
        with connection.cursor() as cursor:
            cursor.execute("SELECT pg_current_wal_flush_lsn()::text")
            (committed,) = cursor.fetchone()
        try:
            return self._catches_up(committed)
        except (DatabaseError, InterfaceError) as error:
            self._unused_until = time.monotonic() + RETRY_AFTER
            connections[ALIAS].close()
            logger.warning("The replica does not answer, the primary is used: %s", describe_error(error))
            return False

    def _catches_up(self, committed: str) -> bool:
        deadline = time.monotonic() + PATIENCE
        with connections[ALIAS].cursor() as cursor:
            while True:
                cursor.execute("SELECT pg_last_wal_replay_lsn() >= %s::pg_lsn", [committed])
                (has_caught_up,) = cursor.fetchone()
                if has_caught_up or time.monotonic() > deadline:
                    return bool(has_caught_up)
                time.sleep(_PAUSE)


REPLICA: Final = Replica()


def reads_replica(view: View) -> View:
    """Let a view read from the replica in GET and HEAD requests.

    A view of the REST framework has it at its method ``get``, which runs after the token and the rate limit have been
    checked. They need the primary.
    """

    @wraps(view)
    def respond(request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponseBase:
        if request.method not in ("GET", "HEAD"):
            return view(request, *args, **kwargs)
        with REPLICA.reading():
            return view(request, *args, **kwargs)

    return respond
