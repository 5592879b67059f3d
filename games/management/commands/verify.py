"""``manage.py verify [GAME]``: play every log again and compare."""

import os
from argparse import ArgumentParser
from collections.abc import Iterable, Sequence
from concurrent.futures import ProcessPoolExecutor
from multiprocessing import get_context
from typing import Any, Final
from uuid import UUID

import django
from django.core.management.base import BaseCommand, CommandError
from django.db import transaction

from games.archive import audit
from games.models import Game

MANY: Final = 1000
"""The number of games from which several processes check them: for fewer, their start would take longer."""
_CHUNK: Final = 50


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
        for each, found in check_all(list(games.values_list("pk", flat=True))):
            checked += 1
            wrong += bool(found)
            for fault in found:
                self.stderr.write(f"{each}: {fault}")
        if wrong:
            raise CommandError(f"{wrong} of {checked} games do not follow from their logs.")
        self.stdout.write(f"{checked} games follow from their logs.")


def check_all(games: Sequence[UUID]) -> Iterable[tuple[UUID, list[str]]]:
    """Return these games in order, each with what is wrong with it: checked by as many processes as there are cores."""
    if len(games) < MANY:
        return map(check, games)
    processes = ProcessPoolExecutor(os.cpu_count(), mp_context=get_context("spawn"), initializer=django.setup)
    with processes:
        return list(processes.map(check, games, chunksize=_CHUNK))


def check(game: UUID) -> tuple[UUID, list[str]]:
    """Return a game with what is wrong with it."""
    with transaction.atomic():
        return game, audit.find_faults(Game.objects.select_for_update(no_key=True).get(pk=game))
