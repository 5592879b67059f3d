"""Work of several threads, done in one go: many moves cost little more than one.

One thread at a time has the turn. It does its own work and what all others have brought meanwhile.
"""

import logging
import threading
import time
from abc import ABC, abstractmethod
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from datetime import timedelta
from typing import Final, Generic, TypeVar

from config.database import time_limits
from config.failures import describe_error
from config.logs import repeated

logger = logging.getLogger(__name__)

GATHERING: Final = timedelta(milliseconds=20)
"""The most time whoever has the turn waits for moves on their way."""
_QUIET: Final = timedelta(milliseconds=2)
"""The pause without newcomers after which only those are waited for who are known to be on their way."""


@dataclass(eq=False)
class Brought:
    """Something that is to be done for one thread."""

    taken: bool = field(default=False, init=False)
    """True while whoever has the turn is at it, and afterwards."""
    done: bool = field(default=False, init=False)
    """True once that is over, whether or not it succeeded."""
    error: Exception | None = field(default=None, init=False)
    """The error with which it failed."""


B = TypeVar("B", bound=Brought)


class Batcher(ABC, Generic[B]):
    """Collects what several threads bring, and does it in one go. Subclasses say how (``do``)."""

    def __init__(self, gathering: timedelta = GATHERING) -> None:
        self._gathering = gathering.total_seconds()
        lock = threading.Lock()
        self._changed = threading.Condition(lock)
        self._arrived = threading.Condition(lock)
        self._coming: set[int] = set()
        """The threads that are about to bring something."""
        self._taken = False
        """True while a thread has the turn."""
        self._brought: list[B] = []
        self._last = 1
        """The number that was taken together last."""

    @abstractmethod
    def do(self, taken: Sequence[B]) -> None:
        """Do all of these. What fails or is left out is for those who have brought it."""

    @contextmanager
    def expected(self) -> Iterator[None]:
        """While this thread may bring something: whoever has the turn waits for it a little."""
        with self._changed:
            self._coming.add(threading.get_ident())
        try:
            yield
        finally:
            with self._changed:
                self._is_here()

    def _is_here(self) -> None:
        self._coming.discard(threading.get_ident())
        if self._are_here():
            self._arrived.notify()

    def _are_here(self) -> bool:
        return not self._coming and len(self._brought) >= self._last

    def _bring(self, brought: B, patience: timedelta) -> None:
        """Let a thread that has the turn take this, or take the turn; give up if neither succeeds in time."""
        with self._changed:
            self._brought.append(brought)
            self._is_here()
            with time_limits.counted():
                self._changed.wait_for(lambda: brought.done or not self._taken, patience.total_seconds())
            turn = not (brought.done or self._taken)
            self._taken = self._taken or turn
            if not turn and not brought.taken:
                self._brought.remove(brought)
        if turn:
            self._work()

    def _work(self) -> None:
        with self._changed:
            self._gather()
            taken, self._brought = self._brought, []
            self._last = len(taken)
            for each in taken:
                each.taken = True
        try:
            self.do(taken)
        except Exception as error:
            for item in taken:
                item.error = error
            kind = describe_error(error)
            logger.error(
                "%d moves were not done together, each is tried alone: %s", len(taken), kind, extra=repeated(kind)
            )
        finally:
            with self._changed:
                self._taken = False
                for each in taken:
                    each.done = True
                self._changed.notify_all()

    def _gather(self) -> None:
        """Wait for those who are on their way, and until as many are here as last time, or nobody else comes."""
        end, quiet = time.monotonic() + self._gathering, False
        while not (self._are_here() or (quiet and not self._coming)) and time.monotonic() < end:
            before = len(self._brought)
            self._arrived.wait(_QUIET.total_seconds())
            quiet = len(self._brought) == before
