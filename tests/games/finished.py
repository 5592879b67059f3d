"""Games played to their end in the database, by seeded moves."""

import random
from datetime import datetime, timedelta
from typing import Any

from django.db import connection, transaction

from accounts.models import Account
from games.engine.record import Record
from games.event_log import log_store
from games.event_log.log_store import encode
from games.models import Game, Move
from games.play import timeouts
from games.play.resolve import resolve
from games.tables.joining import join_game
from games.tables.new_game import NewGame
from games.tables.rematch import accept_rematch
from games.tables.starting import create_game
from tests.third_game.table import NOON, fresh


def finished(people: list[Account], rules: str = "coup", seed: int = 1, **options: object) -> Game:
    """Return a finished game of these people with random answers, some timeouts and resignations."""
    return play_out(begun(people, rules, **options), seed)


def begun(people: list[Account], rules: str = "coup", **options: object) -> Game:
    """Return a game of these people before its first move."""
    new_game = NewGame(rules=rules, seat_count=len(people), options=options)
    game = create_game(people[0], new_game, "api", NOON)
    for other in people[1:]:
        game = join_game(game.id, other, "", "api", NOON)
    return game


def play_out(game: Game, seed: int = 1) -> Game:
    """A running game, over after random answers."""
    luck = random.Random(seed)
    at = NOON
    for turn in range(3000):
        game = fresh(game)
        if game.state == Game.State.OVER:
            return game
        at += timedelta(minutes=1)
        _answer(game, luck, at, late=turn % 40 == 17, gives_up=turn == 60 and game.seat_count > 2)
    raise AssertionError("the game does not end")


def _answer(game: Game, luck: random.Random, at: object, *, late: bool, gives_up: bool) -> None:
    row = luck.choice(list(game.open_questions.all()))
    if late:
        game.open_questions.filter(question=row.question).update(due_at=at - timeouts.GRACE)
        timeouts.time_out_game(game.id, at)
        return
    rules, state = log_store.rules_of(game), log_store.position(game).state
    question = next(question for question in rules.questions(state) if question.id == row.question)
    text, body = ("resign yes", None) if gives_up else (None, encode(luck.choice(rules.legal_moves(state, question))))
    Move.objects.create(
        game=game, seat=row.seat, question=row.question, text=text, body=body, via=Move.Via.API, received_at=at
    )
    resolve(game.id, at)


def elsewhere(record: Record) -> Record:
    """Return the record after its game was deleted. The trigger that protects the log is disabled for this."""
    game = Game.objects.get(pk=record.game)
    with transaction.atomic(), connection.cursor() as cursor:
        cursor.execute("ALTER TABLE games_event DISABLE TRIGGER games_event_only_grows")
        cursor.execute("DELETE FROM games_event WHERE game_id = %s", [game.id])
        cursor.execute("ALTER TABLE games_event ENABLE TRIGGER games_event_only_grows")
        game.delete()
    return record


def play_again(game: Game, *accounts: Account, at: datetime = NOON, **changed: Any) -> Game:
    """Let accounts accept a rematch of a finished game, the first of them by offering it. Return the new game."""
    for number, account in enumerate(accounts):
        rematch = accept_rematch(game.pk, account, {} if number else changed, "api", at)
    assert rematch.game.rematch is not None
    return rematch.game.rematch
