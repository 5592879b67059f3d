"""Checks of a process against its database: the same schema, and a clock that agrees with the database's.

A process whose schema is not there, or is no more, writes to no game. One whose schema a newer version has only
expanded goes on. One with another clock goes by the database's. All are signs of health, of whichever process they are.
"""

import logging
import socket
import threading
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Final

from django.db import Error, OperationalError, connection

from config.database import shared_values, time_limits
from config.database.database_clock import CLOCK
from config.database.schema import schema_version
from config.embedded.vital_threads import start_vital_thread
from config.logs import repeated

logger = logging.getLogger(__name__)

GRACE: Final = timedelta(seconds=10)
"""The time after a deadline for which the sweep waits for what was received in time; clocks may differ by as much."""
INTERVAL: Final = 1.0
"""Seconds between two looks at the database."""
PATIENCE: Final = 1.8
"""Seconds in which a look has to be answered. After two that were not, the database is taken to be silent: within the
time that requests may wait for it."""
_QUERY: Final = """
    SELECT clock_timestamp(), ARRAY(SELECT app FROM django_migrations ORDER BY id),
        ARRAY(SELECT name FROM django_migrations ORDER BY id)
"""


class SchemaMismatch(OperationalError):
    """The database's schema is not this program's: to whoever waits it is a database that is away."""


@dataclass(frozen=True)
class FailedChecks:
    """The failed checks that are known, of this process and of others."""

    migrations: int
    """Return the number of migrations that only the database or only the program has."""
    seconds: float
    """By how much the clock of a machine differs from the database's."""


class DatabaseChecks:
    """Looks at the database again and again. Each process has one, which knows nothing before it ``start``s."""

    def __init__(self) -> None:
        self.difference = schema_version.Difference(frozenset(), frozenset())
        """The migrations that only one side had at the last look."""
        self._started = False

    def start(self) -> None:
        """Look now, and from now on in a thread."""
        time_limits.limit_all_waits()
        self._started = True
        self._try_to_check()
        connection.close()  # each open one takes PostgreSQL 2.3 MB, and the thread has its own
        CLOCK.look = self.check
        start_vital_thread(self._run, name="database checks")

    def _run(self) -> None:
        pause = threading.Event()
        while not pause.wait(INTERVAL):
            self._try_to_check()

    def _try_to_check(self) -> None:
        """Look. Without a database the process keeps its results of the last look.

        A look that is not answered is repeated over a new connection, because the old one may be at fault.
        """
        for is_last in (False, True):
            try:
                with time_limits.limited(PATIENCE, looks=True):
                    self.check()
            except Error as error:
                connection.close()
                is_silent = isinstance(error.__cause__, time_limits.NoAnswer)
                if is_silent and not is_last:
                    continue
                logger.warning("the database cannot be looked at: %s", type(error.__cause__ or error).__name__)
            else:
                is_silent = False
            time_limits.note_silence(is_silent)
            return

    def check(self) -> None:
        """Compare this process with its database, in one statement. Raises what Django does without a database."""
        applied: list[schema_version.Name] = []

        def ask() -> datetime:
            with connection.cursor() as cursor:
                cursor.execute(_QUERY)
                at, apps, names = cursor.fetchone()
            applied.extend(zip(apps, names, strict=True))
            found: datetime = at
            return found

        connection.ensure_connection()  # to open one takes long, and the clocks are compared less exactly then
        CLOCK.compare(ask)
        self.difference = schema_version.compare(frozenset(applied))
        self._report()

    def _report(self) -> None:
        """Log what is wrong with this process, and note it for those who are asked for the server's health."""
        ahead = CLOCK.ahead()
        if abs(ahead) > GRACE:
            where = "ahead of" if ahead > timedelta() else "behind"
            seconds = abs(ahead.total_seconds())
            host = socket.gethostname()
            logger.error(
                "the clock of %s is %d s %s the database's, which counts", host, seconds, where,
                extra=repeated("clock", host, where),
            )  # fmt: skip
            shared_values.share("clock", seconds)
        if self.difference:
            does = "does nothing" if self.difference.breaks else "goes on"
            logger.error("the schema of the database is not this program's, which %s: %s", does, self.difference)
            shared_values.share("schema", self._migrations())

    def _migrations(self) -> int:
        return len(self.difference.missing) + len(self.difference.foreign)

    def require_same_schema(self) -> None:
        """Refuse to write to a game on whose schema this program cannot work: SchemaMismatch."""
        if self.difference.breaks:
            raise SchemaMismatch(f"The schema is another one: {self.difference}.")

    def check_after_error(self) -> None:
        """Find out whether an error may be due to another schema: SchemaMismatch if so."""
        if self._started:
            self.check()
            self.require_same_schema()

    def failed_checks(self) -> FailedChecks:
        """Return what is known of this process and, for a while, of others."""
        others = shared_values.read_fresh(["schema", "clock"])
        own = abs(CLOCK.ahead().total_seconds())
        return FailedChecks(max(self._migrations(), int(others.get("schema", 0))), max(own, others.get("clock", 0.0)))


DATABASE_CHECKS: Final = DatabaseChecks()
"""The checks of this process."""
