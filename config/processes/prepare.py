"""The preparation of a start, which migrates tables and collects files: ``python -m config.processes.prepare``."""

import sys

import django
from django.core.management import CommandError, call_command
from django.db import OperationalError, connections

from config.core import processes
from config.core.database import schema
from config.core.database.connections import use_direct_connection
from config.http import static_files


class CannotPrepare(Exception):
    """The tables cannot be migrated. The message is a sentence with the reason."""


def prepare_database() -> None:
    """Migrate the tables if necessary. Raises CannotPrepare."""
    try:
        if schema.difference(connections["default"]):
            call_command("migrate", verbosity=0, interactive=False)
    except OperationalError as error:
        raise CannotPrepare(f"The database does not answer: {str(error).strip().splitlines()[0]}.") from error
    except CommandError as error:
        raise CannotPrepare(str(error)) from error
    finally:
        connections.close_all()


def prepare_tables() -> str:
    """Migrate the tables. Return a sentence with the reason if that is impossible, or an empty string."""
    processes.watch_parent()
    use_direct_connection()
    try:
        prepare_database()
    except CannotPrepare as error:
        return str(error)
    return ""


def prepare_files() -> str:
    """Collect the static files. Return an empty string."""
    processes.watch_parent()
    static_files.collect()
    return ""


def main() -> None:
    """Prepare tables and files. If that is impossible, exit with status 1 and one sentence."""
    django.setup()
    if refusal := prepare_tables() or prepare_files():
        sys.exit(refusal)


if __name__ == "__main__":
    main()
