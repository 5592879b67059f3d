"""``manage.py rate``: count finished games; ``--again``: compute all statistics again."""

from argparse import ArgumentParser
from typing import Any

from django.core.management.base import BaseCommand

from config.core import clock
from games.archive import ratings
from games.models import PlayerStats


class Command(BaseCommand):
    """Count finished games that no worker has counted yet, or compute all statistics again from the results."""

    help = "Add finished games to the player stats, or recalculate the stats from all results."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("--again", action="store_true", help="recalculate all player stats")

    def handle(self, *args: Any, again: bool = False, **options: Any) -> None:
        ratings.count_all(clock.now())
        counted = f"{ratings.count_again()} games, " if again else ""
        self.stdout.write(f"{counted}{PlayerStats.objects.count()} rows of player stats.")
