"""``manage.py verify [GAME]``: play every log again and compare."""

from argparse import ArgumentParser
from typing import Any
from uuid import UUID

from django.core.management.base import BaseCommand, CommandError
from django.db import transaction

from games.archive import audit
from games.models import Game


class Command(BaseCommand):
    """Says what does not follow from the logs; its exit status is 0 only if all of it does."""

    help = "Play the logs of all games (or of one) again and compare snapshots, questions, seats and draws."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("game", nargs="?", type=UUID, help="the id of one game")

    def handle(self, *args: Any, game: UUID | None = None, **options: Any) -> None:
        games = Game.objects.order_by("created_at", "id")
        if game is not None:
            games = games.filter(pk=game)
            if not games.exists():
                raise CommandError(f"There is no game {game}.")
        checked = wrong = 0
        for each in games.values_list("pk", flat=True):
            checked += 1
            with transaction.atomic():
                found = audit.find_faults(Game.objects.select_for_update(no_key=True).get(pk=each))
            wrong += bool(found)
            for fault in found:
                self.stderr.write(f"{each}: {fault}")
        if wrong:
            raise CommandError(f"{wrong} of {checked} games do not follow from their logs.")
        self.stdout.write(f"{checked} games follow from their logs.")
