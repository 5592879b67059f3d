"""The upgrade of the embedded PostgreSQL data to our version: ``python -m config.server.upgrade_database``."""

import os
import sys
from pathlib import Path

from django.conf import settings
from django.core.exceptions import ImproperlyConfigured

from config.server import postgres, runner


def main() -> None:
    """Upgrade the embedded database of a stopped server. On failure, exit with status 1 and a sentence."""
    try:
        if settings.DATABASE_URL is not None:
            raise runner.CannotRun("DATABASE_URL names a database of your own. Upgrade it with PostgreSQL’s own tools.")
        folder = os.environ.get("DARBAR_OLD_PG_BIN")
        with runner.lock_data_folder(settings.DATA_DIR):
            upgrade = postgres.upgrade(settings.EMBEDDED_DATABASE, Path(folder).absolute() if folder else None)
    except (ImproperlyConfigured, runner.CannotRun, postgres.PostgresError) as error:
        sys.exit(str(error))
    runner.print_sentence(
        f"Moved {sum(upgrade.rows.values())} rows of {len(upgrade.rows)} tables from PostgreSQL {upgrade.before} to "
        f"{upgrade.after}. The old data are in {upgrade.old_data}: delete them when the server runs well."
    )


if __name__ == "__main__":
    main()
