"""Checks of a process against its database: the same schema, and a clock that agrees with the database's.

The web server, the worker and the mail server compare themselves with the database once a second, in a thread and with
one statement. While migrations are missing, or a newer version has removed something from the schema, no game can be
locked, requests are answered as if the database were away, and tasks do nothing. A process goes on while a newer
version has only added to the schema. The time is the database's, so a wrong clock of a machine closes no question
early. All failed checks are reported to the health checks of every process (``config.core.database.shared_values``).
"""

import logging
import socket
import threading
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Final

from django.db import Error, OperationalError, connection

from config.core.clock import CLOCK
from config.core.database import (
    schema,
    shared_values,
    time_limits,
)
from config.core.logs import repeated
from config.core.processes import start_vital_thread

logger = logging.getLogger(__name__)

GRACE: Final = timedelta(seconds=10)
"""The time for which a timeout waits for moves that were received before the deadline. Clocks may differ by as much."""
INTERVAL: Final = 1.0
"""Seconds between two checks."""
PATIENCE: Final = 1.8
"""Seconds in which the database has to answer a check. After two checks without an answer it counts as silent. That is
within the time that requests may wait for it."""
_QUERY: Final = """
    SELECT clock_timestamp(), ARRAY(SELECT app FROM django_migrations ORDER BY id),
        ARRAY(SELECT name FROM django_migrations ORDER BY id)
"""


class SchemaMismatch(OperationalError):
    """The database has the schema of another version. Callers treat it as a database that is away."""


@dataclass(frozen=True)
class FailedChecks:
    """The failed checks of this process and of others."""

    migrations: int
    """The number of migrations that only the database or only the program has."""
    seconds: float
    """The difference between the clock of a machine and the database's, in seconds."""


class DatabaseChecks:
    """The checks of a process, once a second from ``start`` on."""

    def __init__(self) -> None:
        self.difference = schema.Difference(frozenset(), frozenset())
        """The migrations that only one side had at the last check."""
        self._started = False

    def start(self) -> None:
        """Check now, and from now on in a thread."""
        time_limits.limit_all_waits()
        self._started = True
        self._try_to_check()
        connection.close()  # an open connection takes 2.3 MB of PostgreSQL, and the thread has its own
        CLOCK.look = self.check
        start_vital_thread(self._run, name="database checks")

    def _run(self) -> None:
        pause = threading.Event()
        while not pause.wait(INTERVAL):
            self._try_to_check()

    def _try_to_check(self) -> None:
        """Check. Without a database, the results of the last check stay.

        A check without an answer is repeated with a new connection, because the old one may be broken.
        """
        for is_last in (False, True):
            try:
                with time_limits.limited(PATIENCE, is_check=True):
                    self.check()
            except Error as error:
                connection.close()
                is_silent = isinstance(error.__cause__, time_limits.NoAnswer)
                if is_silent and not is_last:
                    continue
                logger.warning("the database cannot be checked: %s", type(error.__cause__ or error).__name__)
            else:
                is_silent = False
            time_limits.note_silence(is_silent)
            return

    def check(self) -> None:
        """Compare this process with its database, in one statement. Raises Django's errors without a database."""
        applied: list[schema.Name] = []

        def query_time() -> datetime:
            with connection.cursor() as cursor:
                cursor.execute(_QUERY)
                time, apps, names = cursor.fetchone()
            applied.extend(zip(apps, names, strict=True))
            database_time: datetime = time
            return database_time

        connection.ensure_connection()  # opening one takes long, which makes the comparison of clocks less exact
        CLOCK.compare(query_time)
        self.difference = schema.compare(frozenset(applied))
        self._report()

    def _report(self) -> None:
        """Log failed checks, and report them to the health checks of all processes."""
        ahead = CLOCK.ahead()
        if abs(ahead) > GRACE:
            direction = "ahead of" if ahead > timedelta() else "behind"
            seconds = abs(ahead.total_seconds())
            host = socket.gethostname()
            logger.error(
                "the clock of %s is %d s %s the database's, which counts", host, seconds, direction,
                extra=repeated("clock", host, direction),
            )  # fmt: skip
            shared_values.share("clock", seconds)
        if self.difference:
            reaction = "does nothing" if self.difference.is_breaking else "goes on"
            logger.error("the schema of the database is not this program's, which %s: %s", reaction, self.difference)
            shared_values.share("schema", self._count_migrations())

    def _count_migrations(self) -> int:
        return len(self.difference.missing) + len(self.difference.foreign)

    def require_same_schema(self) -> None:
        """Raise SchemaMismatch if this program cannot work with the schema."""
        if self.difference.is_breaking:
            raise SchemaMismatch(f"The schema is another one: {self.difference}.")

    def check_after_error(self) -> None:
        """Raise SchemaMismatch if an error may be due to another schema."""
        if self._started:
            self.check()
            self.require_same_schema()

    def failed_checks(self) -> FailedChecks:
        """Return the failed checks of this process and, for a minute, of others."""
        others = shared_values.read_fresh(["schema", "clock"])
        migrations = max(self._count_migrations(), int(others.get("schema", 0)))
        return FailedChecks(migrations, max(abs(CLOCK.ahead().total_seconds()), others.get("clock", 0.0)))


DATABASE_CHECKS: Final = DatabaseChecks()
"""The checks of this process."""
