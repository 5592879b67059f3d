"""Bots that are programs of their own, in any language: they get questions on standard input, and print their moves.

A question is a line of JSON::

    {"game": 3, "seat": 2, "question": {"id": "2.4", "kind": "turn", "reason": "turn",
     "moves": [{"number": 1, "text": "income"}, {"number": 2, "text": "steal 1"}]}, "view": {...}, "events": [...]}

``view`` is what the seat sees of the table now. ``events`` are those that were shown to it since its last question of
this game. The program answers by a line with the text of a move, such as ``steal 1``. One process plays all games.
"""

import os
import shlex
import signal
import subprocess
from collections.abc import Sequence
from contextlib import suppress
from queue import Empty, Queue
from threading import Thread
from typing import Any, Final, Self

import msgspec

from games.engine import Chance, Event, Question, SeatNumber, know
from games.rules.coup import RULES
from games.rules.coup.state import State

SECONDS: Final = 10.0
"""The time that a program has for an answer."""
LONGEST: Final = 80
"""The number of characters of a wrong answer that are shown."""


class OutsideBot:
    """A program that plays. It is started once, and ended with the ``with`` block."""

    def __init__(self, name: str, command: str, seconds: float = SECONDS) -> None:
        self.name, self.command, self.seconds = name, command, seconds
        self.game = 0
        self.log: Sequence[Event] = ()
        """The events of the game that is played, and how many each seat was told of."""
        self.told: dict[SeatNumber, int] = {}
        self.lines: Queue[str] = Queue()

    def __enter__(self) -> Self:
        pipes: Any = {"stdin": subprocess.PIPE, "stdout": subprocess.PIPE, "text": True, "bufsize": 1}
        try:
            self.process = subprocess.Popen(shlex.split(self.command), start_new_session=True, **pipes)
        except (OSError, ValueError, IndexError) as error:
            raise SystemExit(f"{self.name}: {self.command!r} cannot be started: {error}") from None
        self.listener = Thread(target=self._listen, daemon=True)
        self.listener.start()
        return self

    def __exit__(self, *error: object) -> None:
        with suppress(ProcessLookupError):
            os.killpg(self.process.pid, signal.SIGKILL)  # what it has started too, which may hold its output
        self.listener.join()
        with suppress(BrokenPipeError), self.process:
            pass  # closes the pipes

    def play(self, state: State, question: Question, moves: Sequence[Any], chance: Chance, log: Sequence[Event]) -> Any:
        """Ask the program; SystemExit where it does not answer, or not with a move that the question offers."""
        texts = [RULES.text(move) for move in moves]
        with suppress(BrokenPipeError):  # it has ended: there is no answer to come
            print(self._line(state, question, texts, log), file=self.process.stdin)
        try:
            text = self.lines.get(timeout=self.seconds)
        except Empty:
            raise self._failed(f"gave no answer in {self.seconds:g} seconds", question, texts) from None
        if not text:
            raise self._failed(f"ended with status {self.process.wait()}", question, texts)
        if text.strip() not in texts:
            raise self._failed(f"answered {text.strip()[:LONGEST]!r}", question, texts)
        return moves[texts.index(text.strip())]

    def _line(self, state: State, question: Question, texts: Sequence[str], log: Sequence[Event]) -> str:
        """Return a question as the program gets it."""
        if log is not self.log:
            self.game, self.log, self.told = self.game + 1, log, {}
        knowledge = know(RULES, state, question.seat, lambda: log)
        events = knowledge.events()
        new, self.told[question.seat] = events[self.told.get(question.seat, 0) :], len(events)
        query = {"id": question.id, "kind": question.kind, "reason": question.reason}
        offered = [{"number": number, "text": text} for number, text in enumerate(texts, 1)]
        line = {"game": self.game, "seat": question.seat, "question": {**query, "moves": offered}}
        return msgspec.json.encode({**line, "view": knowledge.view, "events": new}).decode()

    def _listen(self) -> None:
        """Take what the program prints, line by line; a blank says that there is no more."""
        for line in self.process.stdout or ():
            self.lines.put(line)
        self.lines.put("")

    def _failed(self, title: str, question: Question, texts: Sequence[str]) -> SystemExit:
        text = f"{question.kind} of seat {question.seat} in its game {self.game}"
        return SystemExit(f"{self.name} ({self.command}) {title} to a question ({text}). Right are: {', '.join(texts)}")
