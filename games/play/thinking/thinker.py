"""The process in which bots think ahead: ``python -m games.play.thinking.thinker``. It knows no database.

Each line that it reads is a task, each line that it writes its result: the move that a bot answers with, or what is
said of a decision in a game that is over.
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

LOWEST: Final = 19
"""The priority of the process: whatever else the machine has to do comes first."""


class SeenQuestion(msgspec.Struct, frozen=True, kw_only=True):
    """A question, with what its seat was shown and nothing else of the game."""

    rules: str
    rules_version: int
    events: list[Any]
    question: Question
    moves: list[Any]
    seed: str
    """The seed of the chance at this question, in hexadecimal."""
    game: str


class Task(SeenQuestion, frozen=True, kw_only=True, tag="answer"):
    """A question that a bot is to think about."""

    version: int
    """The number of lines the log had."""
    level: str
    style: str


class Analysis(SeenQuestion, frozen=True, kw_only=True, tag="analyse"):
    """A question of a game that is over, with the answer that it got."""

    chosen: Any


def result_of(task: Task | Analysis) -> bytes:
    """Return the move that a bot answers with, or the finding of an analysis, as JSON."""
    rules = _rules_of(task)
    events = msgspec.convert(task.events, list[rules.event_type])  # type: ignore[name-defined]
    moves = msgspec.convert(task.moves, list[rules.move_type])  # type: ignore[name-defined]
    chance = SeededChance(bytes.fromhex(task.seed), task.game)
    if isinstance(task, Analysis):
        decision = Decision(events, task.question, moves, msgspec.convert(task.chosen, rules.move_type))
        return msgspec.json.encode(analyse(rules, decision, chance))
    state = replay(rules, events)
    knowledge = Knowledge(rules.view(state, SeatNumber(task.question.seat)), lambda: events)
    chosen = answer(rules, knowledge, task.question, moves, chance, task.level, task.style)
    return msgspec.json.encode(msgspec.structs.replace(chosen, question=""))


def _rules_of(task: SeenQuestion) -> AnyRules:
    wanted = (task.rules, task.rules_version)
    return next(rules for rules in every_version() if (rules.name, rules.version) == wanted)


def serve(tasks: BinaryIO, answers: BinaryIO) -> None:
    """Answer every task until there are no more to come."""
    for line in tasks:
        answers.write(result_of(msgspec.json.decode(line, type=Task | Analysis)) + b"\n")
        answers.flush()


def _stand_behind() -> None:
    """Let whatever else the machine has to do come first, in other sessions too.

    Linux may share a processor among sessions before it looks at priorities, which then count within a session only.
    """
    os.setsid()
    os.nice(LOWEST - os.nice(0))
    with suppress(OSError):
        Path("/proc/self/autogroup").write_text(str(LOWEST))


def _end_with_worker() -> None:
    """Wait until nobody is left who gives tasks, and end whatever is thought about: a session is told of no end."""
    poll = select.poll()
    poll.register(sys.stdin, 0)  # its end is told without being asked for
    poll.poll()
    os._exit(0)


if __name__ == "__main__":
    _stand_behind()
    threading.Thread(target=_end_with_worker, daemon=True).start()
    serve(sys.stdin.buffer, sys.stdout.buffer)
