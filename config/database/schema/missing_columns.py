"""Tables and columns that the program's models have and the database has not, whatever its migrations say."""

from functools import cache
from typing import Final

from django.apps import apps
from django.db import connection

_MISSING: Final = """
    SELECT count(*) FROM unnest(%s::text[], %s::text[]) AS expected (relation, name)
    LEFT JOIN pg_attribute AS found ON found.attrelid = to_regclass(expected.relation)
        AND found.attname = expected.name AND NOT found.attisdropped
    WHERE found.attrelid IS NULL
"""


def count() -> int:
    """The number of missing columns, those of missing tables too. Raises what Django does without a database."""
    with connection.cursor() as cursor:
        cursor.execute(_MISSING, _expected())
        return int(cursor.fetchone()[0])


@cache
def _expected() -> tuple[list[str], list[str]]:
    """The quoted name of a table and the name of a column, for each column of our models."""
    models = [model for model in apps.get_models(include_auto_created=True) if model._meta.managed]
    pairs = [
        (connection.ops.quote_name(model._meta.db_table), str(field.column))
        for model in models
        for field in model._meta.local_concrete_fields
    ]
    return [table for table, _ in pairs], [column for _, column in pairs]
