"""Bots: programs that sit at a table, know what their seat knows, and move like everybody else.

Their chance follows from the game's seed under a label of its own, so that a record shows that they did not peek.
"""

import logging
import uuid
from collections.abc import Collection, Iterable
from datetime import datetime
from typing import Final

from django.db.models import Exists, OuterRef, Q, QuerySet

from config.failures import describe_error
from games.engine import SeatNumber, know
from games.engine.chance import bot_chance
from games.event_log.encoding import encode
from games.models import Move, OpenQuestion
from games.play import absence, resolve
from games.play.each_game import attempt, each_game, games_of
from games.play.locked_game import LockedGame, lock_game
from games.play.overdue.default_moves import play_default

logger = logging.getLogger(__name__)

LONGEST: Final = 500
"""How many moves bots make at most before the game is stored; the next task goes on from there."""


def sweep(now: datetime) -> None:
    """Play wherever a bot is due: what a lost task left."""
    each_game(lambda passed: _due(now, passed), lambda game: play(game, now))


def waiting(now: datetime) -> Iterable[QuerySet[OpenQuestion]]:
    """The questions that bots are asked."""
    return [_asked(now).order_by("due_at")]


def called(game: uuid.UUID, now: datetime) -> None:
    """Play for the bots of one game. What goes wrong is logged, and left to the next sweep."""
    attempt(lambda each: play(each, now), game)


def _due(now: datetime, passed: Collection[uuid.UUID]) -> list[uuid.UUID]:
    return games_of(_asked(now), "due_at", passed)


def _asked(now: datetime) -> QuerySet[OpenQuestion]:
    """The questions of ``LockedGame.bots_due`` in all games."""
    of_people = OpenQuestion.objects.filter(game=OuterRef("game"), bot=False)
    return OpenQuestion.objects.filter(Q(due_at__lte=now) | ~Exists(of_people), bot=True)


def play(game: uuid.UUID, now: datetime) -> bool:
    """Answer for the bots of this game until a person is asked, or the game is over.

    False where somebody else holds the game, or a move is left that cannot be resolved yet.
    """
    resolve.resolve(game, now)
    with lock_game(game, now, skip_locked=True) as locked:
        if locked is None or locked.waiting:
            return False
        for _ in range(LONGEST):
            due = locked.bots_due()
            if not due:
                break
            answer(locked, min(due, key=lambda row: row.seat))
            absence.settle(locked)
    return True


def answer(locked: LockedGame, row: OpenQuestion) -> None:
    """Let a bot answer one question; where its program fails, the question's default move is played."""
    try:
        body = _chosen(locked, row)
    except Exception as error:
        logger.error("the bot of game %s has no answer: %s", locked.game.id, describe_error(error))
    else:
        move = Move(
            game=locked.game,
            seat=row.seat,
            question=row.question,
            body=body,
            via=Move.Via.BOT,
            bot_version=locked.rules.bot_version,
            received_at=locked.now,
        )
        resolve.resolve_move(locked, move)
    if locked.open.get(row.question) is row:
        play_default(locked, row)


def _chosen(locked: LockedGame, row: OpenQuestion) -> str:
    """Return what the bot on this seat wants, knowing what its seat does and the moves it is offered."""
    rules, seat = locked.rules, SeatNumber(row.seat)
    question = locked.question(seat, row.question)
    knowledge = know(rules, locked.state, seat, locked.events)
    moves = rules.legal_moves(locked.state, question)
    chance = bot_chance(bytes(locked.game.seed), str(locked.game.id), question.id)
    return encode(rules.bot_move(knowledge, question, moves, chance))
