"""``manage.py restore FILE``: load a backup into an empty database.

``manage.py restore --recovered`` finishes a restore that PostgreSQL did by itself.
"""

from argparse import ArgumentParser
from pathlib import Path
from typing import Any

from django.core.management import call_command
from django.core.management.base import BaseCommand, CommandError

from accounts.account_data import list_of_deleted
from games.operations.backups import BackupError, finish_recovery, restore_backup


class Command(BaseCommand):
    """Restore a backup, then replay every log to verify that the data are complete."""

    help = "Restore a backup into an empty database, and check every game. The server must be down."

    def add_arguments(self, parser: ArgumentParser) -> None:
        source = parser.add_mutually_exclusive_group(required=True)
        source.add_argument("file", type=Path, nargs="?", help="a file that backup wrote")
        source.add_argument(
            "--recovered",
            action="store_true",
            help="after PostgreSQL has recovered the database to a point in time: drop emails that were waiting then, "
            "delete accounts again, and tell programs to read everything again",
        )
        parser.add_argument(
            "--deleted",
            type=Path,
            action="append",
            default=[],
            metavar="LIST",
            help="the file deleted-accounts of the old server’s DATA_DIR: delete its accounts again",
        )

    def handle(self, *args: Any, file: Path | None, deleted: list[Path], **options: Any) -> None:
        lists = [*deleted, *filter(Path.exists, [list_of_deleted()])]
        try:
            about = restore_backup(file, lists) if file else finish_recovery(lists)
        except BackupError as error:
            raise CommandError(str(error)) from error
        made_at = f"as of {about['made_at']}" if file else "as PostgreSQL has brought them back"
        self.stdout.write(f"Restored {about['accounts']} accounts and {about['games']} games, {made_at}.")
        if lists:
            self.stdout.write(f"Deleted {about['deleted_again']} of these accounts again, because they’re on the list.")
        else:
            self.stdout.write(
                "There was no list of deleted accounts (--deleted), so accounts deleted since then are back."
            )
        call_command("verify", stdout=self.stdout, stderr=self.stderr)
