"""``manage.py set_aside``: list work that was given up and stalled games, retry it, or mark it as settled."""

from argparse import ArgumentParser
from collections.abc import Sequence
from typing import Any

from django.core.management.base import BaseCommand, CommandError

from config.core import clock
from games.operations import retrying
from games.play import outages
from notifications import set_aside
from notifications.set_aside import SetAside


class Command(BaseCommand):
    """Print ids, places of errors and times. Moves, cards and texts are never printed."""

    help = "List moves, emails and notifications that were set aside, and stalled games. Retry or acknowledge them."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("action", nargs="?", choices=["list", "retry", "acknowledge"], default="list")
        parser.add_argument("number", nargs="*", type=int, help="numbers from the list")
        parser.add_argument("--all", action="store_true", help="everything in the list")

    def handle(self, *args: Any, action: str, number: list[int], all: bool, **options: Any) -> None:
        if action == "list":
            self._list()
            return
        if bool(number) == all:
            raise CommandError(f"Give numbers from the list, or --all: manage.py set_aside {action} 3 7")
        rows = _rows_named(number)
        if action == "acknowledge":
            self.stdout.write(f"{retrying.acknowledge(rows, clock.now())} acknowledged.")
            return
        tried, missing = retrying.retry(rows, clock.now())
        games = outages.retry_all(clock.now()) if all else 0
        self.stdout.write(
            f"{tried} will be tried again, {missing} no longer exist; {games} stalled games will be tried now."
        )

    def _list(self) -> None:
        rows = set_aside.unsettled()
        for row in rows:
            about = f" of {row.about}" if row.about else ""
            self.stdout.write(f"{row.pk}  {row.at:%Y-%m-%d %H:%M:%S}  {row.kind} {row.subject}{about}: {row.error}")
        games = outages.stalled_games()
        for stall in games:
            tries = f"{stall.tries} tries, next at {stall.try_at:%H:%M:%S}"
            since = f"{stall.game.stalled_since:%Y-%m-%d %H:%M:%S}"
            self.stdout.write(f"-  {since}  game {stall.game_id} is stalled, {tries}: {stall.error}")
        self.stdout.write(f"{len(rows)} set aside, {len(games)} games stalled.")


def _rows_named(numbers: Sequence[int]) -> list[SetAside]:
    """Return the open rows with these numbers, or all of them without numbers."""
    rows = list(set_aside.unsettled())
    unknown = set(numbers) - {row.pk for row in rows}
    if unknown:
        raise CommandError(f"Not in the list: {', '.join(map(str, sorted(unknown)))}.")
    return [row for row in rows if not numbers or row.pk in numbers]
