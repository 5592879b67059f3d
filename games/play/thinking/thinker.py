"""The process in which bots think ahead: ``python -m games.play.thinking.thinker``. It knows no database.

Each line that it reads is a task, each line that it writes the move that answers it.
"""

import os
import sys
from typing import Any, BinaryIO, Final

import msgspec

from games.engine import AnyRules, Knowledge, SeatNumber, replay
from games.engine.chance import SeededChance
from games.engine.thinking.levels import answer
from games.engine.types import Question
from games.rules.registry import every_version

LOWEST: Final = 19
"""The priority of the process: whatever else the machine has to do comes first."""


class Task(msgspec.Struct, frozen=True):
    """A question that a bot is to think about, with what its seat was shown and nothing else of the game."""

    rules: str
    rules_version: int
    version: int
    """The number of lines the log had."""
    events: list[Any]
    question: Question
    moves: list[Any]
    seed: str
    """The seed of the bot's chance at this question, in hexadecimal."""
    game: str
    level: str
    style: str


def answer_of(task: Task) -> bytes:
    """Return the move that a bot answers with, as JSON."""
    rules = _rules_of(task)
    events = msgspec.convert(task.events, list[rules.event_type])  # type: ignore[name-defined]
    moves = msgspec.convert(task.moves, list[rules.move_type])  # type: ignore[name-defined]
    state = replay(rules, events)
    knowledge = Knowledge(rules.view(state, SeatNumber(task.question.seat)), lambda: events)
    chance = SeededChance(bytes.fromhex(task.seed), task.game)
    chosen = answer(rules, knowledge, task.question, moves, chance, task.level, task.style)
    return msgspec.json.encode(msgspec.structs.replace(chosen, question=""))


def _rules_of(task: Task) -> AnyRules:
    wanted = (task.rules, task.rules_version)
    return next(rules for rules in every_version() if (rules.name, rules.version) == wanted)


def serve(tasks: BinaryIO, answers: BinaryIO) -> None:
    """Answer every task until there are no more to come."""
    for line in tasks:
        answers.write(answer_of(msgspec.json.decode(line, type=Task)) + b"\n")
        answers.flush()


if __name__ == "__main__":
    os.nice(LOWEST - os.nice(0))
    serve(sys.stdin.buffer, sys.stdout.buffer)
