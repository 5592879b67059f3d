"""``manage.py migrate``: Django's, one at a time on a database, and never on one that a newer version has migrated."""

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any, Final

from django.core.management.base import CommandError
from django.core.management.commands import migrate
from django.db import connections
from django.db.backends.base.base import BaseDatabaseWrapper

from config.database.schema import schema_version

LOCK: Final = 0x44617262
"""The number of the advisory lock that whoever migrates holds."""


class Command(migrate.Command):
    """Waits until nobody else migrates this database. CommandError for one that a newer version has migrated."""

    def handle(self, *args: Any, **options: Any) -> None:
        connection = connections[options["database"]]
        with _locked(connection):
            if newer := schema_version.difference(connection).foreign:
                raise CommandError(
                    "A newer version of Darbar has used this database: it has run the migrations "
                    f"{schema_version.listed(newer)}, which this version does not have. Start that version again, "
                    "or restore a backup from before it."
                )
            super().handle(*args, **options)


@contextmanager
def _locked(connection: BaseDatabaseWrapper) -> Iterator[None]:
    with connection.cursor() as cursor:
        cursor.execute("SELECT pg_advisory_lock(%s)", [LOCK])
    try:
        yield
    finally:
        with connection.cursor() as cursor:
            cursor.execute("SELECT pg_advisory_unlock(%s)", [LOCK])
