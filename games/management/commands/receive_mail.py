"""``manage.py receive_mail RECIPIENT...``: receive one email from a mail server, on standard input."""

import os
import sys
from argparse import ArgumentParser
from typing import Any

from django.core.management.base import BaseCommand, CommandError
from django.db import DatabaseError

from config.core import clock
from config.core.logs import describe_error
from games.mail.intake import receive
from notifications import received_mail


class Command(BaseCommand):
    """Store an email. The exit status follows <sysexits.h>, for mail servers."""

    help = "Take one email on standard input, from a mail server’s pipe. Exit status 75 means: try again later."
    requires_system_checks = ()

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("recipients", nargs="+", help="the envelope's recipients")
        parser.add_argument("--sender", help="the envelope's sender; blank for a report of a mail server")

    def handle(self, *args: Any, recipients: list[str], sender: str | None, **options: Any) -> None:
        raw = sys.stdin.buffer.read(received_mail.LARGEST + 1)
        if len(raw) > received_mail.LARGEST:
            raise CommandError("The email is too big.", returncode=os.EX_DATAERR)
        if not all(received_mail.takes(recipient) for recipient in recipients):
            raise CommandError("Nobody here has this address.", returncode=os.EX_NOUSER)
        try:
            receive(raw, sender, recipients, clock.now())
        except DatabaseError as error:
            raise CommandError(
                f"The email could not be stored: {describe_error(error)}.", returncode=os.EX_TEMPFAIL
            ) from error
