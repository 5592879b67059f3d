"""The database's schema: its comparison with this program, missing columns, and reasons for an operator.

The comparison uses the names of migrations. A migration that only adds to the schema *expands* it, and the previous
version continues to work beside the new one. A migration that removes or changes something *contracts* the schema. It
has a name such as ``0007_contract_seats``, and versions that lack it stop.
"""

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cache
from typing import Any, Final

from django.apps import apps
from django.db import connection
from django.db.backends.base.base import BaseDatabaseWrapper
from django.db.backends.base.schema import BaseDatabaseSchemaEditor
from django.db.migrations import CreateModel
from django.db.migrations.loader import MigrationLoader
from django.db.migrations.operations.base import Operation
from django.db.migrations.recorder import MigrationRecorder
from django.db.migrations.state import ProjectState

Name = tuple[str, str]
"""The app of a migration and its name."""
CONTRACTS: Final = "_contract_"
"""Part of the name of a migration that older versions cannot work with."""
APPS: Final = ("accounts", "games", "notifications")
"""Our own apps with migrations. All others belong to libraries."""
_MOST_NAMES: Final = 3
"""The number of migrations that a sentence lists."""
_NUMBER: Final = re.compile("[0-9]+")


@dataclass(frozen=True)
class Difference:
    """The migrations that only the program or only the database has. True if there are any."""

    missing: frozenset[Name]
    """Migrations of this program that have not run on the database."""
    foreign: frozenset[Name]
    """Migrations that have run on the database and that this program does not have."""

    def __bool__(self) -> bool:
        return bool(self.missing or self.foreign)

    @property
    def is_breaking(self) -> bool:
        """True if this program cannot work with the database."""
        return bool(self.missing) or any(CONTRACTS in name for _, name in self.foreign)

    @property
    def foreign_only_adds(self) -> bool:
        """True if all foreign migrations are a newer Darbar's and only add. Migrations of libraries may do anything."""
        # A squashed migration may contain one that removes something.
        return all(app in APPS and CONTRACTS not in name and "_squashed_" not in name for app, name in self.foreign)

    @property
    def is_of_another_program(self) -> bool:
        """True if another Django project has migrated the database, and Darbar never has."""
        present = {*(own_migrations().keys() - self.missing), *self.foreign}
        return bool(self.foreign) and not any(app in APPS for app, _ in present)

    @property
    def is_too_old(self) -> bool:
        """True if the database has run migrations of ours that were since replaced by others with the same numbers."""
        latest = {app: max(_number(name) for owner, name in own_migrations() if owner == app) for app in APPS}
        ours = [(app, name) for app, name in self.foreign if app in APPS and "_squashed_" not in name]
        return any(_number(name) <= latest[app] for app, name in ours)

    def __str__(self) -> str:
        sides = (("the database lacks", self.missing), ("this program lacks", self.foreign))
        return "; ".join(f"{who} {join_names(names)}" for who, names in sides if names)


def difference(connection: BaseDatabaseWrapper) -> Difference:
    """Compare the database with this program, with two short queries. Raises Django's errors without a database."""
    return compare(applied(connection))


def applied(connection: BaseDatabaseWrapper) -> frozenset[Name]:
    """Return the migrations that have run on the database."""
    return frozenset(MigrationRecorder(connection).applied_migrations())


@cache
def own_migrations() -> dict[Name, frozenset[Name]]:
    """Return the migrations of this program, with those that each of them replaces."""
    return {name: frozenset(row.replaces) for name, row in MigrationLoader(None).disk_migrations.items()}


def compare(applied: frozenset[Name]) -> Difference:
    """Compare the migrations that have run on a database with this program."""
    expected = own_migrations()
    replaced = frozenset[Name]().union(*expected.values())
    missing = (
        name for name, replaces in expected.items() if not (name in applied or (replaces and replaces <= applied))
    )
    return Difference(frozenset(missing), applied - expected.keys() - replaced)


def _number(name: str) -> int:
    """Return the number of a migration: 7 of ``0007_contract_seats``."""
    number = _NUMBER.match(name)
    return int(number[0]) if number else 0


def join_names(names: frozenset[Name]) -> str:
    """Return names of migrations for a sentence: the first few, and the number of the others."""
    first = ", ".join(f"{app}.{name}" for app, name in sorted(names)[:_MOST_NAMES])
    return first + (f" and {len(names) - _MOST_NAMES} more" if len(names) > _MOST_NAMES else "")


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


_TABLES: Final = """
    SELECT relname FROM pg_class
    WHERE relkind IN ('r', 'p') AND relnamespace = current_schema()::regnamespace AND NOT EXISTS (
        SELECT FROM pg_depend WHERE classid = 'pg_class'::regclass AND objid = pg_class.oid AND deptype = 'e'
    )
"""
"""SQL of the tables that were not created by an extension."""
_WITHOUT_MODEL: Final = frozenset({"django_migrations", "accounts_allowance", "cache"})


def database_problem() -> str:
    """Return the reason why the tables of the database cannot be migrated, or an empty string."""
    differences = difference(connection)
    foreign = join_names(differences.foreign)
    tables = foreign_tables()
    if differences.is_of_another_program or (tables and not applied(connection)):
        names = ", ".join(tables[:_MOST_NAMES]) or foreign
        return f"The database holds tables of another program ({names}). Darbar needs a database of its own."
    if differences.is_too_old:
        return (
            "A version of Darbar that is too old made this database: it ran the migrations "
            f"{foreign}, which have since been replaced. Use that version for it, and an empty database for this one."
        )
    if not differences.foreign_only_adds:
        return (
            "A newer version of Darbar has used this database: it ran the migrations "
            f"{foreign}, which this version doesn’t have. Start that version again, or restore a backup from before "
            "it."
        )
    if differences.missing and (columns := columns_missing_before_migration()):
        return (
            f"The tables of the database are not those that its migrations make: there is no "
            f"{_join_columns(columns)}. It is damaged, or a version of Darbar that is too old has made it. Restore a "
            "backup into an empty database."
        )
    return ""


def backup_problem(applied: frozenset[Name]) -> str:
    """Return the reason why a backup with these migrations cannot be restored, or an empty string."""
    difference = compare(applied)
    foreign = join_names(difference.foreign)
    if difference.is_of_another_program or not applied:
        return "The backup isn’t of a Darbar database."
    if difference.is_too_old:
        return (
            "The backup was made by a version of Darbar that is too old: this one has replaced the migrations "
            f"{foreign}. Restore it with the version that made it."
        )
    if not difference.foreign_only_adds:
        return f"The backup was made by a newer version of Darbar: this one lacks {foreign}."
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


class CreateModels(Operation):
    """Creates several models together.

    After each single ``CreateModel``, Django rebuilds all related models, and nearly all of ours are related. That took
    five sixths of the time of a first start.
    """

    reversible = False

    def __init__(self, operations: Sequence[CreateModel]) -> None:
        self.operations = operations

    def state_forwards(self, app_label: str, state: ProjectState) -> None:
        """Add the models to the state, which builds all of them when the first one is used."""
        state.__dict__.pop("apps", None)
        for operation in self.operations:
            operation.state_forwards(app_label, state)

    def database_forwards(
        self, app_label: str, schema_editor: BaseDatabaseSchemaEditor, from_state: ProjectState, to_state: ProjectState
    ) -> None:
        """Create the tables."""
        for operation in self.operations:
            operation.database_forwards(app_label, schema_editor, from_state, to_state)

    def describe(self) -> str:

        return f"Create {len(self.operations)} models"
