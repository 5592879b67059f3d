#!/usr/bin/env python
"""Django's commands, with the embedded database where no other is named."""

import contextlib
import os
import sys

from django.conf import settings
from django.core.exceptions import ImproperlyConfigured
from django.core.management import execute_from_command_line

from config.embedded.postgres import PostgresError, Server

WITHOUT_DATABASE = {"help", "version", "--help", "--version", "check", "compilemessages", "makemessages", "spectacular"}


def main() -> None:
    """Run the command; a setting that is no good, or a database that cannot be had, is one sentence."""
    try:
        embedded = settings.DATABASE_URL is None and not WITHOUT_DATABASE.intersection(sys.argv[1:2] or ["help"])
        with Server(settings.EMBEDDED_DATABASE) if embedded else contextlib.nullcontext():
            execute_from_command_line(sys.argv)
    except (ImproperlyConfigured, PostgresError) as error:
        sys.stderr.write(f"{error}\n")
        sys.exit(os.EX_TEMPFAIL if "receive_mail" in sys.argv[1:2] else 1)


if __name__ == "__main__":
    main()
