"""Bringing the database's tables up to date: ``python -m config.prepare``."""

import sys

import django
from django.core.management import call_command
from django.db import OperationalError, connections
from django.db.migrations.executor import MigrationExecutor

from config import lifeline


class NoAnswer(Exception):
    """The database does not answer; the message says so, in a sentence."""


def prepare_database() -> None:
    """Bring the tables up to date, if they are not. NoAnswer."""
    try:
        migrations = MigrationExecutor(connections["default"])
        if migrations.migration_plan(migrations.loader.graph.leaf_nodes()):
            call_command("migrate", verbosity=0, interactive=False)
        call_command("createcachetable", verbosity=0)
    except OperationalError as error:
        raise NoAnswer(f"The database does not answer: {str(error).strip().splitlines()[0]}.") from error
    finally:
        connections.close_all()


def main() -> None:
    """Do it; exit status 1 with one sentence where the database does not answer."""
    lifeline.watch()
    django.setup()
    try:
        prepare_database()
    except NoAnswer as error:
        sys.exit(str(error))


if __name__ == "__main__":
    main()
