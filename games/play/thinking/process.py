"""Thinking of bots that search, and the analysis of games that are over: in a process of its own at the lowest
priority, so that no move of a person waits.

The process (``thinker.py``) is started by the first task and lives as long as its worker. It gets a task as a line of
JSON and answers with the move.
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

LONGEST: Final = 300.0
"""Seconds after which the process is ended: the default move is played."""


class Thought(msgspec.Struct, frozen=True):
    """An answer that a bot has found."""

    question: str
    version: int
    """The number of lines the log had when it began to think."""
    body: str | None
    """The move as JSON; None where it found none."""


def task_of(locked: LockedGame, row: OpenQuestion) -> Task:
    """Return what a bot has to think about."""
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
    """The process, and who speaks with it: one task at a time."""

    def __init__(self) -> None:
        self._turn = threading.Lock()
        self._process: subprocess.Popen[bytes] | None = None

    def think(self, task: Task) -> Thought:
        """Return what the bot answers, as soon as it knows."""
        return Thought(task.question.id, task.version, self._asked(task))

    def analyse(self, task: Analysis) -> Finding | None:
        """Return what is said of a decision; None where the process has failed."""
        found = self._asked(task)
        return None if found is None else msgspec.json.decode(found, type=Finding)

    def _asked(self, task: Task | Analysis) -> str | None:
        try:
            with self._turn:
                return self._ask(task)
        except Exception as error:
            logger.error("a question of game %s has no result: %s", task.game, describe_error(error))
            return None

    def _ask(self, task: Task | Analysis) -> str:
        process = self._started()
        assert process.stdin is not None
        assert process.stdout is not None
        late = threading.Timer(LONGEST, process.kill)
        late.start()
        try:
            process.stdin.write(msgspec.json.encode(task) + b"\n")
            process.stdin.flush()
            answered = process.stdout.readline()
        except BrokenPipeError:
            answered = b""
        finally:
            late.cancel()
        if not answered:
            self.end()
            raise ChildProcessError("the process that thinks has ended")
        return answered.decode().rstrip("\n")

    def _started(self) -> "subprocess.Popen[bytes]":
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
        """End the process; the next task starts another."""
        process, self._process = self._process, None
        if process is not None and process.stdin is not None and process.stdout is not None:
            process.kill()
            process.wait()
            with suppress(BrokenPipeError):  # a task that it did not take is still to be written
                process.stdin.close()
            process.stdout.close()


THINKER: Final = Thinker()
"""The thinker of this process."""
