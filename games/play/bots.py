"""Bots: programs that sit at a table, know what their seat knows, and move like everybody else.

Their chance follows from the game's seed under a label of its own, so that a record shows that they did not peek.
Bots that think ahead (``games.engine.search``) do so while nobody holds the game, in a process of its own
(``games.play.thinking``); where something happened meanwhile they think again.
"""

import logging
import uuid
from collections.abc import Callable, Collection, Iterable
from datetime import datetime
from typing import Any, Final

from django.conf import settings
from django.db.models import Exists, OuterRef, Q, QuerySet

from config.core.logs import describe_error
from config.core.tasks import app
from games.engine import SeatNumber, know
from games.engine.chance import bot_chance
from games.engine.reading import names_to_read
from games.engine.search import answer
from games.engine.types import SEARCHING
from games.event_log.encoding import encode
from games.event_log.enqueue import enqueue
from games.models import Move, OpenQuestion, Seat
from games.play import absence, resolve
from games.play.each_game import attempt, each_game, games_of
from games.play.locked_game import LockedGame, lock_game
from games.play.overdue.default_moves import play_default
from games.play.sandbox import told_moves
from games.play.thinking.process import THINKER, Thought, task_of

logger = logging.getLogger(__name__)

LONGEST: Final = 500
"""The number of moves bots make at most before the game is stored; the next task goes on from there."""
THINK: Final = "games.tasks.think_for_bots"
"""The task that lets bots think which do so ahead."""


def sweep(now: datetime) -> None:
    """Play wherever a bot is due: what a lost task left."""
    each_game(lambda passed: _due(_asked(now), passed), lambda game: play(game, now))


def waiting(now: datetime) -> Iterable[QuerySet[OpenQuestion]]:
    """The questions that bots are asked who answer at once."""
    return [_asked(now).order_by("due_at")]


def waiting_to_think(now: datetime) -> Iterable[QuerySet[OpenQuestion]]:
    """The questions that bots are asked who think ahead."""
    return [_asked(now, thinks=True).order_by("due_at")]


def called(game: uuid.UUID, now: datetime) -> None:
    """Play for the bots of one game. What goes wrong is logged, and left to the next sweep."""
    attempt(lambda each: play(each, now), game)


def think(clock: Callable[[], datetime]) -> None:
    """Let bots think ahead wherever one is due, one after the other."""
    each_game(lambda passed: _due(_asked(clock(), thinks=True), passed), lambda game: think_in(game, clock))


def _due(asked: QuerySet[OpenQuestion], passed: Collection[uuid.UUID]) -> list[uuid.UUID]:
    return games_of(asked, "due_at", passed)


def _asked(now: datetime, *, thinks: bool = False) -> QuerySet[OpenQuestion]:
    """The questions of ``LockedGame.bots_due`` in all games, of bots who think ahead or of the others."""
    of_people = OpenQuestion.objects.filter(game=OuterRef("game"), bot=False)
    thinking = Exists(Seat.objects.filter(game=OuterRef("game"), number=OuterRef("seat"), level__in=SEARCHING))
    due = Q(due_at__lte=now) | ~Exists(of_people)
    return OpenQuestion.objects.filter(due, thinking if thinks else ~thinking, bot=True)


def play(game: uuid.UUID, now: datetime) -> bool:
    """Answer for the bots of this game until somebody else is asked, or the game is over.

    False where somebody else holds the game, or a move is left that cannot be resolved yet.
    """
    resolve.resolve(game, now)
    with lock_game(game, now, skip_locked=True) as locked:
        if locked is None or locked.waiting:
            return False
        for _ in range(LONGEST):
            row = _next(locked)
            if row is None:
                break
            if thinks(locked, row):
                enqueue(THINK)
                break
            answer_now(locked, row)
    return True


def _next(locked: LockedGame) -> OpenQuestion | None:
    """Return the question to be answered next; those that need no thinking come first."""
    return min(locked.bots_due(), key=lambda row: (thinks(locked, row), row.seat), default=None)


def thinks(locked: LockedGame, row: OpenQuestion) -> bool:
    """Return whether the bot who is asked thinks ahead."""
    return locked.seats[SeatNumber(row.seat)].level in SEARCHING and _told(locked, row) is None


def think_in(game: uuid.UUID, clock: Callable[[], datetime]) -> bool:
    """Think ahead for the bots of this game until somebody else is asked; False as in ``play``.

    A worker that has been told to end leaves the next question to another.
    """
    thought: Thought | None = None
    for _ in range(LONGEST):
        if app.is_ending:
            return False
        with lock_game(game, clock(), skip_locked=True) as locked:
            if locked is None or locked.waiting:
                return False
            row = _next(locked)
            if row is not None and _told(locked, row) is not None:
                answer_now(locked, row)
                continue
            if row is None or not thinks(locked, row):
                return True
            if thought is not None and (thought.question, thought.version) == (row.question, locked.position.version):
                _settle(locked, row, thought.body)
                thought = None
                continue
            task = task_of(locked, row)
        thought = THINKER.think(task)
    return True


def answer_now(locked: LockedGame, row: OpenQuestion) -> None:
    """Let a bot answer one question; where its program fails, the question's default move is played."""
    body, told = None, _told(locked, row)
    try:
        body = _chosen(locked, row) if told is None else encode(told)
    except Exception as error:
        logger.error("the bot of game %s has no answer: %s", locked.game.id, describe_error(error))
    else:
        if told is not None:
            told_moves.drop_first(locked.game.id, row.seat)
    _settle(locked, row, body, is_told=told is not None)


def _settle(locked: LockedGame, row: OpenQuestion, body: str | None, *, is_told: bool = False) -> None:
    """Play what a bot answers; the question's default move where it has no answer that can be played."""
    if body is not None:
        move = Move(
            game=locked.game,
            seat=row.seat,
            question=row.question,
            body=body,
            via=Move.Via.BOT,
            bot_version=None if is_told else locked.rules.bot_version,
            received_at=locked.now,
        )
        resolve.resolve_move(locked, move)
    if locked.open.get(row.question) is row:
        play_default(locked, row)
    absence.settle(locked)


def _told(locked: LockedGame, row: OpenQuestion) -> Any | None:
    """Return the move that the bot on this seat was told to answer with, where it was (in a sandbox alone)."""
    if not settings.SANDBOX:
        return None
    question = locked.question(SeatNumber(row.seat), row.question)
    return told_moves.fitting(locked.game.id, locked.rules, locked.state, question, names_to_read(locked.names()))


def _chosen(locked: LockedGame, row: OpenQuestion) -> str:
    """Return what the bot on this seat wants, knowing what its seat does and the moves it is offered."""
    rules, seat = locked.rules, SeatNumber(row.seat)
    question = locked.question(seat, row.question)
    knowledge = know(rules, locked.state, seat, locked.events)
    moves = rules.legal_moves(locked.state, question)
    chance = bot_chance(bytes(locked.game.seed), str(locked.game.id), question.id)
    bot = locked.seats[seat]
    return encode(answer(rules, knowledge, question, moves, chance, bot.level, bot.style))
