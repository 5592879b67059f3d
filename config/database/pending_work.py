"""Pending work of many kinds, asked for in one statement, and done in parts."""

from collections.abc import Callable, Iterable, Mapping
from datetime import datetime
from functools import cached_property
from typing import Any, Final

from django.db import connection
from django.db.models import QuerySet, Value

from config.database import database_clock

Waiting = Callable[[datetime], Iterable[QuerySet[Any]]]
"""The queries for what is due at a moment, in order; one row of any of them is enough."""

MOST_PARTS: Final = 200
"""The most parts of each kind that are done in a row. The rest waits for the next tick."""
_MADE_AT: Final = datetime.fromisoformat("2000-01-01T00:00Z")


class PendingWork:
    """The rows that several kinds of work wait for.

    Making the text of a query takes Django longer than PostgreSQL takes to answer it, and there are a dozen every few
    seconds: it is made once. So the queries may depend on their moment only by comparing times with it.
    """

    def __init__(self, works: Mapping[str, Waiting]) -> None:
        """``works`` says for each kind of work, by its name, which rows wait."""
        self._works = works

    def __call__(self, now: datetime) -> set[str]:
        """The names of the works for which something waits."""
        text, values = self._statement
        with connection.cursor() as cursor:
            cursor.execute(
                text, [now + (value - _MADE_AT) if isinstance(value, datetime) else value for value in values]
            )
            found = cursor.fetchone()
        return {work for work, is_waited_for in zip(self._works, found, strict=True) if is_waited_for}

    @cached_property
    def _statement(self) -> tuple[str, list[Any]]:
        """Its text, and its values as they would be at ``_MADE_AT``.

        The first row in order, not EXISTS: for that PostgreSQL would forget the order, and may read a whole table for
        the row of which it thinks that there are many.
        """
        columns, values = [], list[Any]()
        for waiting in self._works.values():
            parts = [queries.values(found=Value(1))[:1].query.sql_with_params() for queries in waiting(_MADE_AT)]
            columns.append(" OR ".join(f"({text}) IS NOT NULL" for text, _ in parts))
            values += [each for _, more in parts for each in more]
        return f"SELECT {', '.join(columns)}", values


def do_due(*kinds: Callable[[datetime], int]) -> None:
    """Do a part of each kind of work in turn, until nothing of any is due or ``MOST_PARTS`` are done.

    Each kind gets the present time and returns the amount of work that it did. A part may wait long for others, so
    the next one reads the clock again: a lease counted from an earlier time might be over already.
    """
    for _ in range(MOST_PARTS):
        if not sum(work(database_clock.now()) for work in kinds):
            return
