"""Moving the embedded database to our version of PostgreSQL: ``python -m config.processes.upgrade_database``."""

import os
import sys
from pathlib import Path

from django.conf import settings
from django.core.exceptions import ImproperlyConfigured

from config.embedded import postgres, runner


def main() -> None:
    """Upgrade the embedded database while the server is stopped, and print the result. Exit with 1 and a sentence on
    failure.
    """
    try:
        if settings.DATABASE_URL is not None:
            raise runner.CannotRun("DATABASE_URL names a database of your own: its PostgreSQL's own tools upgrade it.")
        named = os.environ.get("DARBAR_OLD_PG_BIN")
        with runner.lock_data_folder(settings.DATA_DIR):
            done = postgres.upgrade(settings.EMBEDDED_DATABASE, Path(named).absolute() if named else None)
    except (ImproperlyConfigured, runner.CannotRun, postgres.PostgresError) as error:
        sys.exit(str(error))
    runner.print_sentence(
        f"Moved {sum(done.rows.values())} rows of {len(done.rows)} tables from PostgreSQL {done.before} to "
        f"{done.after}. The old data are in {done.kept}: delete them when the server runs well."
    )


if __name__ == "__main__":
    main()
