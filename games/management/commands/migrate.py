"""``manage.py migrate``: Django's command with a lock, for databases that this version can use."""

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any, Final

from django.core.management.base import CommandError
from django.core.management.commands import migrate
from django.db import connections
from django.db.backends.base.base import BaseDatabaseWrapper

from config.core.database import schema
from games import queries

LOCK: Final = 0x44617262
"""The number of the advisory lock of a migration."""


class Command(migrate.Command):
    """Wait until no other process migrates this database. Raises CommandError if this version cannot use it."""

    def handle(self, *args: Any, **options: Any) -> None:
        connection = connections[options["database"]]
        with _locked(connection):
            if reason := schema.database_problem():
                raise CommandError(reason)
            super().handle(*args, **options)


@contextmanager
def _locked(connection: BaseDatabaseWrapper) -> Iterator[None]:
    with connection.cursor() as cursor:
        cursor.execute(queries.LOCK_MIGRATION, [LOCK])
    try:
        yield
    finally:
        with connection.cursor() as cursor:
            cursor.execute(queries.UNLOCK_MIGRATION, [LOCK])
