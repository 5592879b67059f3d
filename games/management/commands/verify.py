"""``manage.py verify [GAME]``: replay every log, repeat every draw of a tournament, and compare."""

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

from games.archive import game_audit, ratings
from games.models import Game, Tournament
from games.tournaments import progress as tournament_audit

MANY: Final = 1000
"""The number of games from which several processes verify. For fewer, their start would take longer."""
_CHUNK: Final = 50


class Command(BaseCommand):
    """Print everything that does not follow from logs and seeds. The exit status is 0 only if there is nothing."""

    help = (
        "Replay the logs of all games (or of one), and compare snapshots, questions, seats and draws. "
        "Draw the rounds of all tournaments again, rate all games again, and compare."
    )

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("game", nargs="?", type=UUID, help="the id of one game")

    def handle(self, *args: Any, game: UUID | None = None, **options: Any) -> None:
        games = Game.objects.order_by("created_at", "id")
        if game is not None:
            games = games.filter(pk=game)
            if not games.exists():
                raise CommandError(f"There is no game {game}.")
        results = [self._compare(check_all(list(games.values_list("pk", flat=True))), "games", "logs")]
        tournaments = Tournament.objects.order_by("created_at", "id")
        if game is None and tournaments.exists():
            results.append(self._compare(map(check_tournament, tournaments), "tournaments", "seeds"))
        if game is None and (unrated := [(of_game, [fault]) for of_game, fault in ratings.find_faults()]):
            results.append(self._compare(unrated, "games", "ratings"))
        if wrong := [sentence for sentence, is_right in results if not is_right]:
            raise CommandError(" ".join(wrong))
        for sentence, _ in results:
            self.stdout.write(sentence)

    def _compare(self, results: Iterable[tuple[UUID, list[str]]], things: str, source: str) -> tuple[str, bool]:
        """Print the faults of each item. Return a summary, and whether there are no faults."""
        checked = wrong = 0
        for id, faults in results:
            checked += 1
            wrong += bool(faults)
            for fault in faults:
                self.stderr.write(f"{id}: {fault}")
        if wrong:
            return f"{wrong} of {checked} {things} do not follow from their {source}.", False
        return f"{checked} {things} follow from their {source}.", True


def check_all(games: Sequence[UUID]) -> Iterable[tuple[UUID, list[str]]]:
    """Return these games in order with their faults. As many processes as there are cores verify them."""
    if len(games) < MANY:
        return map(check, games)
    processes = ProcessPoolExecutor(os.cpu_count(), mp_context=get_context("spawn"), initializer=django.setup)
    with processes:
        return list(processes.map(check, games, chunksize=_CHUNK))


def check(game: UUID) -> tuple[UUID, list[str]]:
    """Return a game with its faults."""
    with transaction.atomic():
        return game, game_audit.find_faults(Game.objects.select_for_update(no_key=True).get(pk=game))


def check_tournament(tournament: Tournament) -> tuple[UUID, list[str]]:
    """Return a tournament with its faults, read under a lock."""
    with transaction.atomic():
        locked = Tournament.objects.select_for_update(no_key=True).get(pk=tournament.pk)
        return tournament.pk, tournament_audit.find_faults(locked)
