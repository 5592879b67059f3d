"""Tables and columns that the database lacks although its migrations have run."""

from collections.abc import Iterable
from functools import cache
from typing import Any, Final

from django.apps import apps
from django.db import connection
from django.db.migrations.loader import MigrationLoader

_MISSING: Final = """
    SELECT expected.relation, expected.name FROM unnest(%s::text[], %s::text[]) AS expected (relation, name)
    LEFT JOIN pg_attribute AS found ON found.attrelid = to_regclass(expected.relation)
        AND found.attname = expected.name AND NOT found.attisdropped
    WHERE found.attrelid IS NULL
"""
Columns = tuple[list[str], list[str]]
"""The quoted name of the table and the name of each column, as two lists."""


def count_missing_columns() -> int:
    """Count the missing columns of the program's models, including those of missing tables.

    Raises Django's errors without a database.
    """
    return len(_missing(_expected()))


def columns_missing_before_migration() -> list[str]:
    """Return the missing columns, as ``table.column``, of those that the applied migrations should have made."""
    loader = MigrationLoader(connection)
    state = loader.project_state([name for name in loader.applied_migrations if name in loader.graph.nodes])
    models = state.apps.get_models(include_auto_created=True)
    return [f"{table}.{column}".replace('"', "") for table, column in _missing(_columns(models))]


def _missing(expected: Columns) -> list[tuple[str, str]]:
    with connection.cursor() as cursor:
        cursor.execute(_MISSING, expected)
        return list(cursor.fetchall())


@cache
def _expected() -> Columns:
    return _columns(apps.get_models(include_auto_created=True))


def _columns(models: Iterable[Any]) -> Columns:
    pairs = [
        (connection.ops.quote_name(model._meta.db_table), str(field.column))
        for model in models
        if model._meta.managed
        for field in model._meta.local_concrete_fields
    ]
    return [table for table, _ in pairs], [column for _, column in pairs]
