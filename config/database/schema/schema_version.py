"""Comparison of the database's schema with this program, by the names of migrations.

A migration that only adds to the schema *expands* it, and the previous version continues to work beside the new one. A
migration that removes or changes something *contracts* the schema. It has a name such as ``0007_contract_seats``, and
versions that lack it stop.
"""

import re
from dataclasses import dataclass
from functools import cache
from typing import Final

from django.db.backends.base.base import BaseDatabaseWrapper
from django.db.migrations.loader import MigrationLoader
from django.db.migrations.recorder import MigrationRecorder

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
