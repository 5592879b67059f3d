"""Controls the process that computes moves of searching bots and analyses finished games.

The process (``thinker.py``) has the lowest priority, so that moves of people do not wait for it. The first task starts
it, and it ends with its worker. It reads tasks and writes results as lines of JSON.
"""

import logging
import os
import subprocess
import sys
import threading
from contextlib import suppress
from typing import Final

import msgspec

from config.core.logs import describe_error
from games.engine import SeatNumber, know
from games.engine.analysis import Finding
from games.engine.chance import bot_seed
from games.models import OpenQuestion
from games.play.locked_game import LockedGame
from games.play.thinking.thinker import Analysis, Task

logger = logging.getLogger(__name__)

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
    """The client of the process. It runs one task at a time."""

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
                [sys.executable, "-m", "games.play.thinking.thinker"],
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
