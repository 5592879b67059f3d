"""Bots: programs that know what their seat knows, and move like other players.

Their chance follows from the seed of the game, under its own label, so the record proves that bots do not see hidden
cards. Bots that search (``games.engine.search``) think while the game is not locked. If the game has changed meanwhile,
they think again. They run in a separate process (``games.play.thinker``) with the lowest priority, so that moves of
people do not wait for them. The same process analyses finished games.
"""

import logging
import os
import subprocess
import sys
import threading
import uuid
from collections.abc import Callable, Iterable
from contextlib import suppress
from datetime import datetime
from typing import Any, Final

import msgspec
from django.conf import settings
from django.db.models import Exists, OuterRef, Q, QuerySet

from config.core.logs import describe_error
from config.core.tasks import app, enqueue
from games.engine import SeatNumber, know
from games.engine.analysis import Finding
from games.engine.chance import bot_chance, bot_seed
from games.engine.reading import names_to_read
from games.engine.search import answer
from games.engine.types import SEARCHING
from games.event_log.log_store import encode
from games.models import Move, OpenQuestion, Seat
from games.play import absence, resolve, sandbox
from games.play.locked_game import LockedGame, lock_game
from games.play.resolve import attempt, each_game, games_with_rows
from games.play.thinker import Analysis, Task
from games.play.timeouts import play_default_move

logger = logging.getLogger(__name__)

MAX_MOVES: Final = 500
"""The most moves that bots make before the game is stored. The next task continues."""
THINK_TASK: Final = "games.tasks.think_for_bots"
"""The task of bots that search."""


def sweep(now: datetime) -> None:
    """Answer all due questions of bots whose task was lost."""
    each_game(lambda passed: games_with_rows(_due_questions(now), "due_at", passed), lambda game: play(game, now))


def questions_due(now: datetime) -> Iterable[QuerySet[OpenQuestion]]:
    """Return the due questions of bots that do not search."""
    return [_due_questions(now).order_by("due_at")]


def search_questions_due(now: datetime) -> Iterable[QuerySet[OpenQuestion]]:
    """Return the due questions of bots that search."""
    return [_due_questions(now, thinks=True).order_by("due_at")]


def try_to_play(game: uuid.UUID, now: datetime) -> None:
    """Answer for the bots of a game. Errors are logged, and the next sweep tries again."""
    attempt(lambda id: play(id, now), game)


def think_in_all(clock: Callable[[], datetime]) -> None:
    """Answer all due questions of bots that search, one game after the other."""
    each_game(
        lambda passed: games_with_rows(_due_questions(clock(), thinks=True), "due_at", passed),
        lambda game: think_in_game(game, clock),
    )


def _due_questions(now: datetime, *, thinks: bool = False) -> QuerySet[OpenQuestion]:
    """Return the due questions of bots that search, or of all others. See ``LockedGame.due_bot_questions``."""
    questions_of_people = OpenQuestion.objects.filter(game=OuterRef("game"), bot=False)
    searching = Exists(Seat.objects.filter(game=OuterRef("game"), number=OuterRef("seat"), level__in=SEARCHING))
    due = Q(due_at__lte=now) | ~Exists(questions_of_people)
    return OpenQuestion.objects.filter(due, searching if thinks else ~searching, bot=True)


def play(game: uuid.UUID, now: datetime) -> bool:
    """Answer for the bots of a game until no question of a bot is due.

    Return False if the game is locked elsewhere, or if a move could not be resolved yet.
    """
    resolve.resolve(game, now)
    with lock_game(game, now, skip_locked=True) as locked:
        if locked is None or locked.received_moves:
            return False
        for _ in range(MAX_MOVES):
            row = _next_question(locked)
            if row is None:
                break
            if thinks(locked, row):
                enqueue(THINK_TASK)
                break
            answer_now(locked, row)
    return True


def _next_question(locked: LockedGame) -> OpenQuestion | None:
    """Return the next question of a bot. Questions that need no search come first."""
    return min(locked.due_bot_questions(), key=lambda row: (thinks(locked, row), row.seat), default=None)


def thinks(locked: LockedGame, row: OpenQuestion) -> bool:
    """Return True if the bot searches for its answer."""
    return locked.seats[SeatNumber(row.seat)].level in SEARCHING and _scripted_move(locked, row) is None


def think_in_game(game: uuid.UUID, clock: Callable[[], datetime]) -> bool:
    """Answer for the bots of a game that search, until no question of a bot is due. Return False as ``play`` does.

    A worker that is ending leaves the next question to another worker.
    """
    thought: Thought | None = None
    for _ in range(MAX_MOVES):
        if app.is_ending:
            return False
        with lock_game(game, clock(), skip_locked=True) as locked:
            if locked is None or locked.received_moves:
                return False
            row = _next_question(locked)
            if row is not None and _scripted_move(locked, row) is not None:
                answer_now(locked, row)
                continue
            if row is None or not thinks(locked, row):
                return True
            if thought is not None and (thought.question, thought.version) == (row.question, locked.position.version):
                _play_answer(locked, row, thought.body)
                thought = None
                continue
            task = build_task(locked, row)
        thought = THINKER.think(task)
    return True


def answer_now(locked: LockedGame, row: OpenQuestion) -> None:
    """Let a bot answer a question. If the bot fails, the default move is played."""
    body, scripted_move = None, _scripted_move(locked, row)
    try:
        body = _choose_move(locked, row) if scripted_move is None else encode(scripted_move)
    except Exception as error:
        logger.error("the bot of game %s has no answer: %s", locked.game.id, describe_error(error))
    else:
        if scripted_move is not None:
            sandbox.drop_first(locked.game.id, row.seat)
    _play_answer(locked, row, body, is_scripted=scripted_move is not None)


def _play_answer(locked: LockedGame, row: OpenQuestion, body: str | None, *, is_scripted: bool = False) -> None:
    """Play the answer of a bot, or the default move if there is no answer or the rules reject it."""
    if body is not None:
        move = Move(
            game=locked.game,
            seat=row.seat,
            question=row.question,
            body=body,
            via=Move.Via.BOT,
            bot_version=None if is_scripted else locked.rules.bot_version,
            received_at=locked.now,
        )
        resolve.resolve_move(locked, move)
    if locked.open.get(row.question) is row:
        play_default_move(locked, row)
    absence.settle(locked)


def _scripted_move(locked: LockedGame, row: OpenQuestion) -> Any | None:
    """Return the next scripted move of a sandbox bot, if there is one."""
    if not settings.SANDBOX:
        return None
    question = locked.question(SeatNumber(row.seat), row.question)
    return sandbox.next_move(locked.game.id, locked.rules, locked.state, question, names_to_read(locked.names()))


def _choose_move(locked: LockedGame, row: OpenQuestion) -> str:
    """Return the answer that a bot chooses from what its seat knows and the legal moves."""
    rules, seat = locked.rules, SeatNumber(row.seat)
    question = locked.question(seat, row.question)
    knowledge = know(rules, locked.state, seat, locked.events)
    moves = rules.legal_moves(locked.state, question)
    chance = bot_chance(bytes(locked.game.seed), str(locked.game.id), question.id)
    bot = locked.seats[seat]
    return encode(answer(rules, knowledge, question, moves, chance, bot.level, bot.style))


MAX_SECONDS: Final = 300.0
"""The time after which the process is killed. Then the default move is played."""


class Thought(msgspec.Struct, frozen=True):
    """The answer of a searching bot."""

    question: str
    version: int
    """The number of log lines when the search began."""
    body: str | None
    """The move as JSON. None if the search failed."""


def build_task(locked: LockedGame, row: OpenQuestion) -> Task:
    """Return the task for a question of a searching bot."""
    rules, seat = locked.rules, SeatNumber(row.seat)
    question, bot = locked.question(seat, row.question), locked.seats[seat]
    return Task(
        rules=rules.name,
        rules_version=rules.version,
        version=locked.position.version,
        events=list(know(rules, locked.state, seat, locked.events).events()),
        question=question,
        moves=list(rules.legal_moves(locked.state, question)),
        seed=bot_seed(bytes(locked.game.seed), str(locked.game.id), question.id).hex(),
        game=str(locked.game.id),
        level=bot.level,
        style=bot.style,
    )


class Thinker:
    """The client of the process.

    It runs one task at a time. The first task starts the process, which ends with its worker. Tasks and results are
    lines of JSON.
    """

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._process: subprocess.Popen[bytes] | None = None

    def think(self, task: Task) -> Thought:
        """Wait for the answer of a bot, and return it."""
        return Thought(task.question.id, task.version, self._try_run(task))

    def analyse(self, task: Analysis) -> Finding | None:
        """Return the finding about a decision of a finished game. None if the process failed."""
        result = self._try_run(task)
        return None if result is None else msgspec.json.decode(result, type=Finding)

    def _try_run(self, task: Task | Analysis) -> str | None:
        try:
            with self._lock:
                return self._run(task)
        except Exception as error:
            logger.error("a question of game %s has no result: %s", task.game, describe_error(error))
            return None

    def _run(self, task: Task | Analysis) -> str:
        process = self._running_process()
        assert process.stdin is not None
        assert process.stdout is not None
        timer = threading.Timer(MAX_SECONDS, process.kill)
        timer.start()
        try:
            process.stdin.write(msgspec.json.encode(task) + b"\n")
            process.stdin.flush()
            line = process.stdout.readline()
        except BrokenPipeError:
            line = b""
        finally:
            timer.cancel()
        if not line:
            self.end()
            raise ChildProcessError("the process that thinks has ended")
        return line.decode().rstrip("\n")

    def _running_process(self) -> "subprocess.Popen[bytes]":
        if self._process is None or self._process.poll() is not None:
            self.end()
            self._process = subprocess.Popen(
                [sys.executable, "-m", "games.play.thinker"],
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                env={**os.environ, "PYTHONPATH": os.pathsep.join(filter(None, sys.path))},
            )
        return self._process

    def end(self) -> None:
        """End the process. The next task starts a new one."""
        process, self._process = self._process, None
        if process is not None and process.stdin is not None and process.stdout is not None:
            process.kill()
            process.wait()
            with suppress(BrokenPipeError):  # close() flushes a task that the process did not read.
                process.stdin.close()
            process.stdout.close()


THINKER: Final = Thinker()
"""The only thinker of this process."""
