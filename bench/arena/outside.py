"""Bots that are separate programs in any language. They read questions from standard input, and print their moves.

A question is a line of JSON::

    {"game": 3, "seat": 2, "question": {"id": "2.4", "kind": "turn", "reason": "turn",
     "moves": [{"number": 1, "text": "income"}, {"number": 2, "text": "steal 1"}]}, "view": {...}, "events": [...]}

``view`` is the seat's present view of the table. ``events`` are the events that became visible to the seat since its
last question in this game. The program answers with a line that contains the text of a move, such as ``steal 1``. A
single process plays all games.
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
"""The time limit for an answer."""
LONGEST: Final = 80
"""The number of characters of a wrong answer that the message shows."""


class OutsideBot:
    """A program that plays. It runs until the end of the ``with`` block."""

    def __init__(self, name: str, command: str, seconds: float = SECONDS) -> None:
        self.name, self.command, self.seconds = name, command, seconds
        self.game = 0
        self.log: Sequence[Event] = ()
        # The number of events that the program has got, by seat.
        self.sent_events: dict[SeatNumber, int] = {}
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
            os.killpg(self.process.pid, signal.SIGKILL)  # with its children, which may keep its output open
        self.listener.join()
        with suppress(BrokenPipeError), self.process:
            pass  # closes the pipes

    def play(self, state: State, question: Question, moves: Sequence[Any], chance: Chance, log: Sequence[Event]) -> Any:
        """Return the program's answer. Raises SystemExit if there is none, or if it is not an offered move."""
        texts = [RULES.text(move) for move in moves]
        with suppress(BrokenPipeError):  # the program has ended, which the missing answer shows
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
        """Return a question as a line of JSON."""
        if log is not self.log:
            self.game, self.log, self.sent_events = self.game + 1, log, {}
        knowledge = know(RULES, state, question.seat, lambda: log)
        events = knowledge.events()
        new, self.sent_events[question.seat] = events[self.sent_events.get(question.seat, 0) :], len(events)
        query = {"id": question.id, "kind": question.kind, "reason": question.reason}
        offered = [{"number": number, "text": text} for number, text in enumerate(texts, 1)]
        line = {"game": self.game, "seat": question.seat, "question": {**query, "moves": offered}}
        return msgspec.json.encode({**line, "view": knowledge.view, "events": new}).decode()

    def _listen(self) -> None:
        """Put the lines that the program prints into the queue. An empty string marks the end of its output."""
        for line in self.process.stdout or ():
            self.lines.put(line)
        self.lines.put("")

    def _failed(self, problem: str, question: Question, texts: Sequence[str]) -> SystemExit:
        text = f"{question.kind} of seat {question.seat} in its game {self.game}"
        return SystemExit(
            f"{self.name} ({self.command}) {problem} to a question ({text}). Right are: {', '.join(texts)}"
        )
