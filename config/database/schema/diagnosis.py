"""Reasons why this program cannot use a database, or bring back a backup."""

from typing import Final

from django.apps import apps
from django.db import connection

from config.database.schema import missing_columns, schema_version

_TABLES: Final = """
    SELECT relname FROM pg_class
    WHERE relkind IN ('r', 'p') AND relnamespace = current_schema()::regnamespace AND NOT EXISTS (
        SELECT FROM pg_depend WHERE classid = 'pg_class'::regclass AND objid = pg_class.oid AND deptype = 'e'
    )
"""
"""The tables that no extension has made."""
_WITHOUT_MODEL: Final = frozenset({"django_migrations", "accounts_allowance", "cache"})
_NAMED: Final = 3


def of_database() -> str:
    """Return why the tables of the database cannot be brought up to date, or an empty string."""
    difference = schema_version.difference(connection)
    foreign = schema_version.listed(difference.foreign)
    tables = foreign_tables()
    if difference.is_of_another_program or (tables and not schema_version.applied(connection)):
        named = ", ".join(tables[:_NAMED]) or foreign
        return f"The database holds tables of another program ({named}). Darbar needs a database of its own."
    if difference.is_too_old:
        return (
            "A version of Darbar that is too old has made this database: it has run the migrations "
            f"{foreign}, which others have replaced since. Use that version for it, and an empty database for this one."
        )
    if difference.foreign:
        return (
            "A newer version of Darbar has used this database: it has run the migrations "
            f"{foreign}, which this version does not have. Start that version again, or restore a backup from before "
            "it."
        )
    if difference.missing and (columns := missing_columns.before_migration()):
        return (
            f"The tables of the database are not those that its migrations make: there is no {_listed(columns)}. It is "
            "damaged, or a version of Darbar that is too old has made it. Restore a backup into an empty database."
        )
    return ""


def of_backup(applied: frozenset[schema_version.Name]) -> str:
    """Return why a backup of a database with these migrations cannot be brought back, or an empty string."""
    difference = schema_version.compare(applied)
    foreign = schema_version.listed(difference.foreign)
    if difference.is_of_another_program or not applied:
        return "The backup is not of a database of Darbar."
    if difference.is_too_old:
        return (
            "The backup was made by a Darbar that is too old: this one has replaced the migrations "
            f"{foreign}. Restore it with the version that made it."
        )
    if difference.foreign:
        return f"The backup was made by a newer Darbar: this one lacks {foreign}."
    return ""


def own_tables() -> frozenset[str]:
    """Return the names of all tables of this version."""
    return _WITHOUT_MODEL.union(model._meta.db_table for model in apps.get_models(include_auto_created=True))


def foreign_tables() -> list[str]:
    """Return the names of the tables in the database that are not Darbar's."""
    with connection.cursor() as cursor:
        cursor.execute(_TABLES)
        return sorted({name for (name,) in cursor.fetchall()} - own_tables())


def _listed(columns: list[str]) -> str:
    more = len(columns) - _NAMED
    return ", ".join(columns[:_NAMED]) + (f" and {more} more" if more > 0 else "")
