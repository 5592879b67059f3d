"""The fitness of a process for its database: the same schema, and a clock that agrees with the database's.

A process with another schema writes to no game, whichever of the two is newer. One with another clock goes by the
database's. Both are signs of health, of whichever process they are.
"""

import logging
import socket
import threading
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Final

from django.core.cache import cache
from django.db import Error, OperationalError, connection

from config.database import schema_version
from config.database.database_clock import CLOCK
from config.failures import describe

logger = logging.getLogger(__name__)

GRACE: Final = timedelta(seconds=10)
"""How long after a deadline the sweep waits for what was received in time; so far may clocks differ."""
EVERY: Final = 1.0
"""Seconds between two looks at the database."""
NOTED_FOR: Final = timedelta(minutes=1)
"""How long other processes know of an unfit one after its last look."""
_LOOK: Final = """
    SELECT clock_timestamp(), ARRAY(SELECT app FROM django_migrations ORDER BY id),
        ARRAY(SELECT name FROM django_migrations ORDER BY id)
"""


class OtherSchema(OperationalError):
    """The database's schema is not this program's: to whoever waits it is a database that is away."""


@dataclass(frozen=True)
class Unfit:
    """The unfit processes that are known: this one and others."""

    migrations: int
    """How many migrations only the database or only the program has."""
    seconds: float
    """By how much the clock of a machine differs from the database's."""


class Fitness:
    """Looks at the database again and again. Each process has one, which knows nothing before it ``begin``s."""

    def __init__(self) -> None:
        self.difference = schema_version.Difference(frozenset(), frozenset())
        """The migrations that only one side had at the last look."""
        self._began = False

    def begin(self) -> None:
        """Look now, and from now on in a thread."""
        self._began = True
        self._try_to_look()
        CLOCK.look = self.look
        threading.Thread(target=self._go_on, name="fitness", daemon=True).start()

    def _go_on(self) -> None:
        pause = threading.Event()
        while not pause.wait(EVERY):
            self._try_to_look()

    def _try_to_look(self) -> None:
        """Look; without a database what was known stays."""
        try:
            self.look()
        except Error as error:
            connection.close()
            logger.info("the database cannot be looked at: %s", describe(error))

    def look(self) -> None:
        """Compare this process with its database, in one statement. Raises what Django does without a database."""
        applied: list[schema_version.Name] = []

        def ask() -> datetime:
            with connection.cursor() as cursor:
                cursor.execute(_LOOK)
                at, apps, names = cursor.fetchone()
            applied.extend(zip(apps, names, strict=True))
            found: datetime = at
            return found

        CLOCK.compare(ask)
        self.difference = schema_version.compare(frozenset(applied))
        self._tell()

    def _tell(self) -> None:
        """Log what is wrong with this process, and note it for those who are asked for the server's health."""
        ahead = CLOCK.ahead()
        if abs(ahead) > GRACE:
            where = "ahead of" if ahead > timedelta() else "behind"
            seconds = abs(ahead.total_seconds())
            logger.error(
                "the clock of %s is %d s %s the database's, which counts", socket.gethostname(), seconds, where
            )
            self._note("unfit:clock", seconds)
        if self.difference:
            logger.error("the schema of the database is not this program's, which does nothing: %s", self.difference)
            self._note("unfit:schema", self._migrations())

    def _note(self, key: str, value: float) -> None:
        """Let other processes know; by the database's clock, since the cache's time is each machine's own."""
        cache.set(key, (value, CLOCK.now()), NOTED_FOR.total_seconds())

    def _migrations(self) -> int:
        return len(self.difference.missing) + len(self.difference.foreign)

    def require(self) -> None:
        """Refuse to write to a game whose database has another schema: OtherSchema."""
        if self.difference:
            raise OtherSchema(f"The schema is another one: {self.difference}.")

    def look_after_error(self) -> None:
        """Find out whether an error may be due to another schema: OtherSchema if so."""
        if self._began:
            self.look()
            self.require()

    def unfit(self) -> Unfit:
        """Return what is known of this process and, for a while, of others."""
        now, noted = CLOCK.now(), {"unfit:schema": 0, "unfit:clock": 0.0}
        noted |= {key: value for key, (value, at) in cache.get_many(noted).items() if abs(now - at) <= NOTED_FOR}
        own = abs(CLOCK.ahead().total_seconds())
        return Unfit(max(self._migrations(), int(noted["unfit:schema"])), max(own, noted["unfit:clock"]))


FITNESS: Final = Fitness()
"""This process's own."""
