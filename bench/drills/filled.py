"""Accounts and finished games in the database of DATA_DIR, to drill with: ``python -m bench.drills.filled 5000 20000``.

Games are played by random answers, many at once, as a worker resolves them: so each follows from its log. Their
notifications count as sent.
"""

import argparse
import os
import random
from collections.abc import Iterator
from typing import Final

import django

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings")
django.setup()

from django.utils import timezone  # noqa: E402

from accounts.models import Account  # noqa: E402
from bench import game_copies  # noqa: E402
from games.archive import ratings  # noqa: E402
from games.event_log import log_store  # noqa: E402
from games.lobby.create import create_game  # noqa: E402
from games.lobby.join import join_game  # noqa: E402
from games.lobby.new_game import NewGame  # noqa: E402
from games.models import Game, Move, OpenQuestion  # noqa: E402
from games.tasks import resolve_moves  # noqa: E402
from notifications.models import Notification, State  # noqa: E402

AT_ONCE: Final = 256
SEATS: Final = 2
RULES: Final = ("coup", "sedlec")


def main() -> None:
    """Fill the database."""
    parser = argparse.ArgumentParser(prog="python -m bench.drills.filled")
    parser.add_argument("players", type=int)
    parser.add_argument("games", type=int)
    wanted = parser.parse_args()
    luck = random.Random(0)
    people = game_copies.cast(wanted.players, timezone.now())
    for begun in range(0, wanted.games, AT_ONCE):
        games = [_begin(luck, people) for _ in range(min(AT_ONCE, wanted.games - begun))]
        while moves := list(_answers(luck, games)):
            Move.objects.bulk_create(moves)
            resolve_moves()
        ratings.count_all(timezone.now())
        Notification.objects.filter(state=State.SCHEDULED).update(state=State.SENT)


def _begin(luck: random.Random, people: list[int]) -> Game:
    """Begin a game of people who are drawn for it."""
    now = timezone.now()
    host, *others = Account.objects.filter(pk__in=luck.sample(people, SEATS))
    game = create_game(host, NewGame(rules=luck.choice(RULES), seat_count=SEATS), "api", now)
    for other in others:
        game = join_game(game.id, other, game.code, "api", now)
    return game


def _answers(luck: random.Random, games: list[Game]) -> Iterator[Move]:
    """Yield a random answer for each of these games that asks something."""
    asked = OpenQuestion.objects.filter(game__in=games).select_related("game").order_by("game_id", "question")
    for row in asked.distinct("game_id"):
        rules, state = log_store.rules_of(row.game), log_store.position(row.game).state
        question = next(each for each in rules.questions(state) if each.id == row.question)
        yield Move(
            game=row.game,
            seat=row.seat,
            account_id=row.game.seats.get(number=row.seat).account_id,
            question=row.question,
            text=rules.text(luck.choice(rules.legal_moves(state, question))),
            via=Move.Via.API,
            received_at=timezone.now(),
            asked_at=row.asked_at,
        )


if __name__ == "__main__":
    main()
