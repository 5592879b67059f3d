"""``manage.py restore FILE``: bring back a backup, into an empty database."""

from argparse import ArgumentParser
from pathlib import Path
from typing import Any

from django.core.management import call_command
from django.core.management.base import BaseCommand, CommandError

from games.operations.backups import BackupError, restore_backup


class Command(BaseCommand):
    """Restores, and plays every log again to see that all of it is there."""

    help = "Restore a backup into an empty database, and check every game. The server must be down."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("file", type=Path, help="a file that backup has written")

    def handle(self, *args: Any, file: Path, **options: Any) -> None:
        try:
            about = restore_backup(file)
        except BackupError as error:
            raise CommandError(str(error)) from error
        self.stdout.write(
            f"Restored {about['accounts']} accounts and {about['games']} games, as of {about['made_at']}."
        )
        call_command("verify", stdout=self.stdout, stderr=self.stderr)
