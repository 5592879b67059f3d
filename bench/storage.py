"""Bytes that a finished game takes: three people who are told everything by email, as it ends and for good."""

import random
from collections.abc import Iterator
from datetime import datetime, timedelta
from typing import Final

from django.conf import settings
from django.db import connection
from django.utils import timezone

from accounts.models import Account
from accounts.tasks import delete_expired
from bench.measure import Row
from games.announcements import notify
from games.archive import (
    ratings,
    records,
)
from games.event_log import log_store
from games.lobby.create import create_game
from games.lobby.join import join_game
from games.lobby.new_game import NewGame
from games.models import Game, Move
from games.play import timeouts
from games.play.resolve import resolve
from games.rules.registry import RULES
from notifications import received_mail
from notifications.delivery import deliver, outbox
from notifications.models import RawMail
from notifications.webhooks import posting

PLAYERS: Final = 5000
GAMES_A_YEAR: Final = 36
"""The games that each of them finishes: one in ten days."""
SEATS: Final = 3
MAIL: Final = 4000
"""Bytes of an answer by email, with what it quotes."""


def rows(count: int) -> Iterator[Row]:
    """Bytes of a game for good, and of a year of 5,000 players, with what their newest games and emails still hold."""
    accounts = [Account.objects.create_user(f"reader-{n}@example.org", name=f"Reader {n}") for n in range(SEATS)]
    _play(accounts, random.Random(0), timezone.now() - timedelta(days=120))  # what is made once
    _retain(timezone.now())
    before, now = _bytes(), timezone.now() - timedelta(days=100)
    for number in range(count):
        _play(accounts, random.Random(number + 1), now)
    fresh = (_bytes() - before) / count
    _retain(timezone.now())
    kept = (_bytes() - before) / count
    games = PLAYERS * GAMES_A_YEAR / SEATS
    days = max(settings.KEEP_EMAILS, settings.ARCHIVE_GAMES_AFTER) / timedelta(days=365)
    year = games * (kept + days * (fresh - kept))
    yield _bounded("a finished game with three people and email, for good", kept / 1e3, "kB", 150, round(fresh / 1e3))
    yield _bounded("a year of 5,000 players, each 36 games", year / 1e9, "GB", 10, {"games": games})


def _bounded(what: str, ours: float, unit: str, bound: float, more: object) -> Row:
    return Row(what, ours, unit, "the bound", bound, ours / bound, f"≤ {bound:g}", ours <= bound, more)


def _play(people: list[Account], luck: random.Random, at: datetime) -> None:
    """Play a game to its end by random answers in emails, an hour apart; each is told what it leads to."""
    rules = luck.choice([*RULES])
    game = create_game(people[0], NewGame(rules=rules, seat_count=SEATS), "api", at)
    for other in people[1:]:
        game = join_game(game.id, other, "", "api", at)
    while (game := Game.objects.get(pk=game.pk)).state != Game.State.OVER:
        at += timedelta(hours=1)
        _tell(at)
        _answer(game, luck, at)
    ratings.count_all(at)
    _tell(at + timedelta(hours=1))


def _answer(game: Game, luck: random.Random, at: datetime) -> None:
    asked = luck.choice(list(game.open_questions.all()))
    rules, state = log_store.rules_of(game), log_store.position(game).state
    question = next(question for question in rules.questions(state) if question.id == asked.question)
    text = rules.text(luck.choice(rules.legal_moves(state, question)))
    RawMail.objects.create(
        raw=luck.randbytes(MAIL),
        recipients=["g-game@bench.example"],
        about=["g"],
        identity=luck.randbytes(32).hex(),
        state=RawMail.State.READ,
        received_at=at,
        next_attempt_at=at,
    )
    account = game.seats.get(number=asked.seat).account
    Move.objects.create(
        game=game,
        seat=asked.seat,
        account=account,
        question=asked.question,
        text=text,
        via=Move.Via.MAIL,
        received_at=at,
        asked_at=asked.asked_at,
    )
    resolve(game.id, at)


def _tell(now: datetime) -> None:
    while notify.write_due(now):
        pass
    while deliver.deliver_due(now):
        pass


def _retain(now: datetime) -> None:
    """Do what the server does every hour, as if enough time had gone by."""
    delete_expired()
    received_mail.forget(now)
    posting.forget(now)
    timeouts.forget_keys(now)
    timeouts.forget_rejected_moves()
    outbox.drop_contents(now - settings.KEEP_EMAILS)
    records.archive_all(now)


def _bytes() -> int:
    """Return what the tables take with their indexes, once nothing in them is empty."""
    with connection.cursor() as cursor:
        cursor.execute("VACUUM FULL")
        cursor.execute(
            "SELECT sum(pg_total_relation_size(oid)) FROM pg_class"
            " WHERE relkind = 'r' AND relnamespace = 'public'::regnamespace AND relname NOT LIKE 'limit%'"
        )
        return int(cursor.fetchone()[0])
