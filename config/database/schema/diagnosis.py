"""Reasons why this program cannot use a database or restore a backup."""

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
"""SQL of the tables that were not created by an extension."""
_WITHOUT_MODEL: Final = frozenset({"django_migrations", "accounts_allowance", "cache"})
_MOST_NAMES: Final = 3


def database_problem() -> str:
    """Return the reason why the tables of the database cannot be migrated, or an empty string."""
    difference = schema_version.difference(connection)
    foreign = schema_version.join_names(difference.foreign)
    tables = foreign_tables()
    if difference.is_of_another_program or (tables and not schema_version.applied(connection)):
        names = ", ".join(tables[:_MOST_NAMES]) or foreign
        return f"The database holds tables of another program ({names}). Darbar needs a database of its own."
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
    if difference.missing and (columns := missing_columns.columns_missing_before_migration()):
        return (
            f"The tables of the database are not those that its migrations make: there is no "
            f"{_join_columns(columns)}. It is damaged, or a version of Darbar that is too old has made it. Restore a "
            "backup into an empty database."
        )
    return ""


def backup_problem(applied: frozenset[schema_version.Name]) -> str:
    """Return the reason why a backup with these migrations cannot be restored, or an empty string."""
    difference = schema_version.compare(applied)
    foreign = schema_version.join_names(difference.foreign)
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


def _join_columns(columns: list[str]) -> str:
    more = len(columns) - _MOST_NAMES
    return ", ".join(columns[:_MOST_NAMES]) + (f" and {more} more" if more > 0 else "")
