"""Pending work of many kinds, found with one statement and done in parts, and limits on threads for each kind."""

import threading
from collections.abc import Callable, Iterable, Mapping
from datetime import datetime
from functools import cached_property
from typing import Any, Final

from django.db import connection
from django.db.models import QuerySet, Value

from config.core import clock

Waiting = Callable[[datetime], Iterable[QuerySet[Any]]]
"""Returns the querysets of rows that are due at a time. The work is pending if one of them has a row."""

MOST_PARTS: Final = 200
"""The number of parts of each kind that are done in one tick."""
_EPOCH: Final = datetime.fromisoformat("2000-01-01T00:00Z")


class PendingWork:
    """Finds the kinds of work that are pending, with one statement.

    Django takes longer to build the SQL of a query than PostgreSQL takes to run it, so the SQL is built only once. The
    querysets may therefore use the time only to compare columns with it.
    """

    def __init__(self, works: Mapping[str, Waiting]) -> None:
        """``works`` maps the name of each kind of work to the querysets of its pending rows."""
        self._works = works

    def __call__(self, now: datetime) -> set[str]:
        """Return the names of the kinds of work that are pending."""
        text, values = self._statement
        with connection.cursor() as cursor:
            cursor.execute(text, [now + (value - _EPOCH) if isinstance(value, datetime) else value for value in values])
            row = cursor.fetchone()
        return {work for work, is_pending in zip(self._works, row, strict=True) if is_pending}

    @cached_property
    def _statement(self) -> tuple[str, list[Any]]:
        """The SQL, and its parameters for the time ``_EPOCH``."""
        # Select the first row in order, not EXISTS: without the order PostgreSQL may choose to read a whole table.
        columns, values = [], list[Any]()
        for waiting in self._works.values():
            parts = [queries.values(found=Value(1))[:1].query.sql_with_params() for queries in waiting(_EPOCH)]
            columns.append(" OR ".join(f"({text}) IS NOT NULL" for text, _ in parts))
            values += [value for _, parameters in parts for value in parameters]
        return f"SELECT {', '.join(columns)}", values


def do_due(*kinds: Callable[[datetime], int]) -> None:
    """Do a part of each kind of work in turn, until none is due or ``MOST_PARTS`` parts are done.

    A kind of work is a function that gets the current time and returns the amount of work that it did.
    """
    # Every call gets a new time. One part may take long, and a lease that starts at an old time might be over already.
    for _ in range(MOST_PARTS):
        if not sum(work(clock.now()) for work in kinds):
            return


class ConcurrencyLimit:
    """A kind of work that only a few threads of this process do at the same time.

    A call returns immediately if all of these threads are busy, and the work is then repeated once for all such calls.
    So slow work, above all notifications, never takes all threads of a worker, and moves always find one.
    """

    def __init__(self, work: Callable[[], object], most: int = 1, in_a_row: int | None = None) -> None:
        """Do ``work`` in up to ``most`` threads, and repeat it within one call up to ``in_a_row`` times.

        The rest waits for the next call, so that the thread of periodic tasks can go on.
        """
        # More threads only help while they wait for the network: the GIL serializes Python's own work.
        self.most = most
        self._in_a_row = in_a_row
        self._work = work
        self._free = threading.Semaphore(most)
        self._called = False

    def __call__(self) -> None:
        self._called, rounds = True, 0
        while self._called and rounds != self._in_a_row and self._free.acquire(blocking=False):
            try:
                self._called = False
                self._work()
            finally:
                self._free.release()
            rounds += 1
