"""Deletion of all embedded data: ``python -m config.server.reset``."""

import shutil
import sys

from django.conf import settings
from django.core.exceptions import ImproperlyConfigured

from config.server.postgres import PostgresError, Server
from config.server.runner import CannotRun, lock_data_folder, print_sentence


def main() -> None:
    """Delete the embedded database, the queue and the secret key. Exit with status 1 while a server uses them."""
    try:
        with lock_data_folder(settings.DATA_DIR):
            Server(settings.EMBEDDED_DATABASE).delete_data()
            shutil.rmtree(settings.DATA_DIR / "queue", ignore_errors=True)
            (settings.DATA_DIR / "secret-key").unlink(missing_ok=True)
    except (CannotRun, ImproperlyConfigured, PostgresError) as error:
        sys.exit(str(error))
    print_sentence(f"make reset: everything in {settings.DATA_DIR} has been deleted.")


if __name__ == "__main__":
    main()
