"""Migrations only add what the version before can do without, or say by their names that they do more."""

import re
from collections.abc import Sequence
from typing import Final

import pytest
from django.core.management import call_command
from django.db import models
from django.db.migrations import (
    AddField,
    AddIndex,
    AlterField,
    AlterModelOptions,
    CreateModel,
    RemoveField,
    RenameField,
    RunSQL,
    SeparateDatabaseAndState,
)
from django.db.migrations.loader import MigrationLoader
from django.db.migrations.operations.base import Operation

from config.core.database.schema import CONTRACTS

OWN: Final = ("accounts", "games", "notifications")
HARMLESS: Final = {
    "accounts.0004_skeletons",
    "accounts.0005_lists_in_order",
    "accounts.0006_purposes_of_codes",
    "accounts.0007_second_addresses",
    "games.0008_lists_in_order",
    "notifications.0002_fewer_indexes",
}
"""Migrations that change values to some that the version before takes too, or drop indexes that only speed it up."""
_TAKES_AWAY: Final = re.compile(r"\b(DROP|RENAME|ALTER|DELETE FROM|UPDATE \w+ SET)\b")


def contracting(operations: Sequence[Operation]) -> list[str]:
    """Describe the operations after which the version before may not work."""
    return [operation.describe() for operation in operations if not _expands(operation)]


def _expands(operation: Operation) -> bool:
    match operation:
        case CreateModel() | AddIndex() | AlterModelOptions():
            return True
        case AddField(field=field):
            return bool(field.many_to_many or field.null or field.has_db_default())
        case SeparateDatabaseAndState():
            return not contracting(operation.database_operations)
        case RunSQL():
            return isinstance(operation.sql, str) and not _TAKES_AWAY.search(operation.sql)
    return False


def test_a_migration_only_expands_the_schema_or_is_named_as_one_that_contracts_it() -> None:
    migrations = [migration for (app, _), migration in MigrationLoader(None).disk_migrations.items() if app in OWN]
    assert {migration.app_label for migration in migrations if migration.initial} == set(OWN)
    later = [migration for migration in migrations if not migration.initial and CONTRACTS not in migration.name]
    assert {str(migration) for migration in later if contracting(migration.operations)} == HARMLESS


@pytest.mark.parametrize(
    "operation",
    [
        RemoveField("game", "pace"),
        RenameField("game", "pace", "speed"),
        AlterField("game", "pace", models.CharField(max_length=5)),
        AddField("game", "pace", models.CharField(max_length=5, default="slow")),
        RunSQL("ALTER TABLE games_event DROP COLUMN via"),
        SeparateDatabaseAndState(database_operations=[RemoveField("game", "pace")]),
    ],
    ids=lambda operation: type(operation).__name__,
)
def test_what_the_version_before_would_miss_is_found(operation: Operation) -> None:
    assert contracting([operation])


def test_a_field_that_may_be_left_out_expands_the_schema() -> None:
    assert not contracting([AddField("game", "pace", models.CharField(max_length=5, default="", db_default=""))])
    assert not contracting([AddField("game", "pace", models.CharField(max_length=5, null=True))])


def test_the_models_have_no_change_without_a_migration(db: None) -> None:
    """The texts of choices and errors are a part of a migration too, so a new word there needs it changed."""
    call_command("makemigrations", *OWN, check_changes=True, dry_run=True, verbosity=0)
