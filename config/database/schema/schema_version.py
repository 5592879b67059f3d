"""Comparison of the database's schema with the one that this program expects, by the names of migrations.

A migration adds what the version before it can do without (it *expands* the schema), and that version goes on beside
the new one. One that takes something away or changes it (it *contracts* the schema) has a name such as
``0007_contract_seats``: versions that lack it stop.
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
"""Part of the name of a migration after which versions that lack it cannot work."""
APPS: Final = ("accounts", "games", "notifications")
"""The apps whose migrations are ours. Libraries have the others."""
_NAMED: Final = 3
"""The most migrations that a sentence names."""
_NUMBER: Final = re.compile("[0-9]+")


@dataclass(frozen=True)
class Difference:
    """The migrations that only one side has. It is true if there are any."""

    missing: frozenset[Name]
    """Migrations of this program that have not run on the database."""
    foreign: frozenset[Name]
    """Migrations that have run on the database and that this program does not have."""

    def __bool__(self) -> bool:
        return bool(self.missing or self.foreign)

    @property
    def breaks(self) -> bool:
        """True where this program cannot work on the database."""
        return bool(self.missing) or any(CONTRACTS in name for _, name in self.foreign)

    @property
    def is_of_another_program(self) -> bool:
        """True if another Django project has migrated the database, and Darbar never has."""
        present = {*(own_migrations().keys() - self.missing), *self.foreign}
        return bool(self.foreign) and not any(app in APPS for app, _ in present)

    @property
    def is_too_old(self) -> bool:
        """True if the database has run migrations of ours that were replaced since by others with their numbers."""
        latest = {app: max(_number(name) for owner, name in own_migrations() if owner == app) for app in APPS}
        ours = [(app, name) for app, name in self.foreign if app in APPS and "_squashed_" not in name]
        return any(_number(name) <= latest[app] for app, name in ours)

    def __str__(self) -> str:
        sides = (("the database lacks", self.missing), ("this program lacks", self.foreign))
        return "; ".join(f"{who} {listed(names)}" for who, names in sides if names)


def difference(connection: BaseDatabaseWrapper) -> Difference:
    """Compare the database with this program. Costs two short queries; raises what Django raises without a database."""
    return compare(applied(connection))


def applied(connection: BaseDatabaseWrapper) -> frozenset[Name]:
    """The migrations that have run on the database."""
    return frozenset(MigrationRecorder(connection).applied_migrations())


@cache
def own_migrations() -> dict[Name, frozenset[Name]]:
    """The migrations of this program, each with those that it replaces."""
    return {name: frozenset(each.replaces) for name, each in MigrationLoader(None).disk_migrations.items()}


def compare(applied: frozenset[Name]) -> Difference:
    """Compare the migrations that have run on a database with this program."""
    own = own_migrations()
    replaced = frozenset[Name]().union(*own.values())
    missing = (name for name, replaces in own.items() if not (name in applied or (replaces and replaces <= applied)))
    return Difference(frozenset(missing), applied - own.keys() - replaced)


def _number(name: str) -> int:
    """Return the number of a migration: 7 of ``0007_contract_seats``."""
    number = _NUMBER.match(name)
    return int(number[0]) if number else 0


def listed(names: frozenset[Name]) -> str:
    """Names of migrations for a sentence: the first few, and how many more there are."""
    shown = [f"{app}.{name}" for app, name in sorted(names)[:_NAMED]]
    return ", ".join(shown) + (f" and {len(names) - _NAMED} more" if len(names) > _NAMED else "")
