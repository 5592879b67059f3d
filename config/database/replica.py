"""Reads that a replica answers, where ``REPLICA_URL`` names one: lists, players' pages, replays and feeds.

Nobody misses what was committed before they asked, their own writes least of all: such a read begins only when the
replica has everything that the primary had at that moment. Where it is not there in time, or does not answer, the
primary is asked.
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

from config.database.connections import REPLICA as ALIAS
from config.failures import describe_error

logger = logging.getLogger(__name__)

PATIENCE: Final = 0.1
"""Seconds in which a replica must have caught up; it is usually some milliseconds behind."""
LEFT_ALONE: Final = 10.0
"""Seconds in which a replica that does not answer is not asked again."""
_PAUSE: Final = 0.002
_READS: Final = ContextVar("reads", default=False)

View = Callable[..., HttpResponseBase]


class ReplicaRouter:
    """Django's router: reads go to the replica where ``reads_replica`` has found it fit, and writes never."""

    def db_for_read(self, model: object, **hints: object) -> str:
        return ALIAS if _READS.get() else DEFAULT_DB_ALIAS

    def db_for_write(self, model: object, **hints: object) -> str:
        return DEFAULT_DB_ALIAS

    def allow_relation(self, one: object, other: object, **hints: object) -> bool:
        return True

    def allow_migrate(self, db: str, *args: object, **hints: object) -> bool:
        return db == DEFAULT_DB_ALIAS


class Replica:
    """The replica of ``REPLICA_URL``, as this process knows it."""

    def __init__(self) -> None:
        self._left_alone_until = 0.0

    @contextmanager
    def reading(self) -> Iterator[None]:
        """Read from the replica in this block, if it has all that is committed now."""
        token = _READS.set(self._is_fit())
        try:
            yield
        finally:
            _READS.reset(token)

    def _is_fit(self) -> bool:
        if ALIAS not in settings.DATABASES or time.monotonic() < self._left_alone_until:
            return False
        with connection.cursor() as cursor:
            cursor.execute("SELECT pg_current_wal_flush_lsn()::text")
            (committed,) = cursor.fetchone()
        try:
            return self._catches_up(committed)
        except (DatabaseError, InterfaceError) as error:
            self._left_alone_until = time.monotonic() + LEFT_ALONE
            connections[ALIAS].close()
            logger.warning("The replica does not answer, the database is asked: %s", describe_error(error))
            return False

    def _catches_up(self, committed: str) -> bool:
        deadline = time.monotonic() + PATIENCE
        with connections[ALIAS].cursor() as cursor:
            while True:
                cursor.execute("SELECT pg_last_wal_replay_lsn() >= %s::pg_lsn", [committed])
                (is_there,) = cursor.fetchone()
                if is_there or time.monotonic() > deadline:
                    return bool(is_there)
                time.sleep(_PAUSE)


REPLICA: Final = Replica()


def reads_replica(view: View) -> View:
    """Let a view be answered from the replica, where it is only read."""

    @wraps(view)
    def read(request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponseBase:
        if request.method not in ("GET", "HEAD"):
            return view(request, *args, **kwargs)
        with REPLICA.reading():
            return view(request, *args, **kwargs)

    return read
