"""``manage.py backup FILE``: write everything that a new server needs, while games run."""

import os
from argparse import ArgumentParser
from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand, CommandError

from config.core import clock
from games.operations.backups import BackupError, backup_name, delete_old_backups, write_backup


class Command(BaseCommand):
    """Write a backup, and print the number of accounts and games in it."""

    help = "Write the database and the keys of DATA_DIR to one file. Games can go on meanwhile."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument(
            "file", type=Path, help="a new file to write, or a folder, in which the file is named after the time"
        )
        parser.add_argument("--keep", type=int, help="keep only this many of the newest backups in the folder")

    def handle(self, *args: Any, file: Path, keep: int | None, **options: Any) -> None:
        now = clock.now()
        # Path.is_dir would raise an error in a folder that is closed to us.
        folder = file.absolute() if os.path.isdir(file) else None
        if keep is not None and (folder is None or keep < 1):
            raise CommandError("--keep needs a number of at least 1, and a folder instead of a file.")
        try:
            if folder:
                file = folder / backup_name(now)
            about = write_backup(file.absolute(), now)
            if folder and keep:
                delete_old_backups(folder, keep)
        except BackupError as error:
            raise CommandError(str(error)) from error
        self.stdout.write(f"{file} holds {about['accounts']} accounts and {about['games']} games. Keep it secret.")
