"""The process in which bots search: ``python -m games.play.thinker``. It uses no database.

It reads a task from each line, and writes its result: the move of a bot, or the finding about a decision of a finished
game.
"""

import os
import select
import sys
import threading
from contextlib import suppress
from pathlib import Path
from typing import Any, BinaryIO, Final

import msgspec

from games.engine import AnyRules, Knowledge, SeatNumber, replay
from games.engine.analysis import Decision, analyse
from games.engine.chance import SeededChance
from games.engine.search import answer
from games.engine.types import Question
from games.rules.registry import every_version

LOWEST_PRIORITY: Final = 19
"""The niceness of the process."""


class SeenQuestion(msgspec.Struct, frozen=True, kw_only=True):
    """A question, with the events as its seat saw them."""

    rules: str
    rules_version: int
    events: list[Any]
    question: Question
    moves: list[Any]
    seed: str
    """The seed of the bot's chance at this question, in hexadecimal."""
    game: str


class Task(SeenQuestion, frozen=True, kw_only=True, tag="answer"):
    """A question that a bot has to answer."""

    version: int
    """The number of log lines when the task was made."""
    level: str
    style: str


class Analysis(SeenQuestion, frozen=True, kw_only=True, tag="analyse"):
    """A question of a finished game, with the answer that was given."""

    answer: Any


def result_of(task: Task | Analysis) -> bytes:
    """Return the move of a bot, or the finding of an analysis, as JSON."""
    rules = _rules_of(task)
    events = msgspec.convert(task.events, list[rules.event_type])  # type: ignore[name-defined]
    moves = msgspec.convert(task.moves, list[rules.move_type])  # type: ignore[name-defined]
    chance = SeededChance(bytes.fromhex(task.seed), task.game)
    if isinstance(task, Analysis):
        decision = Decision(events, task.question, moves, msgspec.convert(task.answer, rules.move_type))
        return msgspec.json.encode(analyse(rules, decision, chance))
    state = replay(rules, events)
    knowledge = Knowledge(rules.view(state, SeatNumber(task.question.seat)), lambda: events)
    move = answer(rules, knowledge, task.question, moves, chance, task.level, task.style)
    return msgspec.json.encode(msgspec.structs.replace(move, question=""))


def _rules_of(task: SeenQuestion) -> AnyRules:
    key = (task.rules, task.rules_version)
    return next(rules for rules in every_version() if (rules.name, rules.version) == key)


def answer_tasks(tasks: BinaryIO, answers: BinaryIO) -> None:
    """Run tasks until the input ends."""
    for line in tasks:
        answers.write(result_of(msgspec.json.decode(line, type=Task | Analysis)) + b"\n")
        answers.flush()


def _lower_priority() -> None:
    """Give all other processes of the machine priority."""
    # With autogroups, Linux divides the processor among sessions first. Niceness counts within a session only.
    os.setsid()
    os.nice(LOWEST_PRIORITY - os.nice(0))
    with suppress(OSError):
        Path("/proc/self/autogroup").write_text(str(LOWEST_PRIORITY))


def _end_with_worker() -> None:
    """End this process when its worker has ended. A process in another session gets no signal."""
    poll = select.poll()
    poll.register(sys.stdin, 0)  # A hang-up is reported without being requested.
    poll.poll()
    os._exit(0)


if __name__ == "__main__":
    _lower_priority()
    threading.Thread(target=_end_with_worker, daemon=True).start()
    answer_tasks(sys.stdin.buffer, sys.stdout.buffer)
