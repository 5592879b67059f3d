"""``manage.py backup FILE``: write everything that a new server needs, while games run."""

from argparse import ArgumentParser
from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand, CommandError

from config.core import clock
from games.operations.backups import BackupError, write_backup


class Command(BaseCommand):
    """Write a backup, and print the number of accounts and games in it."""

    help = "Write the database and the keys of DATA_DIR to one file. Games go on meanwhile."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("file", type=Path, help="the file to write; it must not exist yet")

    def handle(self, *args: Any, file: Path, **options: Any) -> None:
        try:
            about = write_backup(file.absolute(), clock.now())
        except BackupError as error:
            raise CommandError(str(error)) from error
        self.stdout.write(f"{file} holds {about['accounts']} accounts and {about['games']} games. Keep it secret.")
