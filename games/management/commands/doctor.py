"""``manage.py doctor``: check the connections between this server and its users, and print advice."""

from argparse import ArgumentParser
from datetime import timedelta
from typing import Any

from django.core.management.base import BaseCommand, CommandError

from games.operations.doctor import Names, Verdict, examine


class Command(BaseCommand):
    """Print a line for each finding, with its advice below. The exit status is 0 only if nothing is wrong."""

    help = "Check DNS, TLS, the pages, the event stream and email, and say what to fix. The server must be running."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("--nameserver", default="", metavar="ADDRESS", help="ask this name server, such as 9.9.9.9")
        parser.add_argument("--nameserver-port", type=int, default=53, metavar="PORT", help="the port of that server")
        parser.add_argument("--wait", type=int, default=60, metavar="SECONDS", help="how long an email may take")

    def handle(self, *args: Any, nameserver: str, nameserver_port: int, wait: int, **options: Any) -> None:
        try:
            names = Names(nameserver, nameserver_port)
        except ValueError as error:
            raise CommandError("--nameserver must be an IP address such as 9.9.9.9.") from error
        count = 0
        for finding in examine(names, timedelta(seconds=wait)):
            self.stdout.write(f"{finding.verdict:<12} {finding.check}: {finding.result}")
            if finding.advice:
                self.stdout.write(f"{'':<12} {finding.advice}")
            count += finding.verdict == Verdict.WRONG
        if count:
            raise CommandError(f"{count} {'thing is' if count == 1 else 'things are'} wrong.")
        self.stdout.write("Nothing is wrong.")
