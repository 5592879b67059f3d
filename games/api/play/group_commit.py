"""Moves whose senders wait for the outcome are resolved in the web server, with those of others who wait there.

Those that are plain are stored together too.
"""

import logging
import threading
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import timedelta
from typing import Final
from uuid import UUID

from config.database import database_clock
from config.failures import describe_error
from games.api.play.move_store import Plain, Stored, store_all
from games.play.locked_game import LockedGame
from games.play.resolve import resolve, resolve_batch

logger = logging.getLogger(__name__)

_A_TURN: Final = timedelta(seconds=1)
"""The time everybody waits for the turn, who may hold the very game: it waits for nobody else's locks."""
_STORING: Final = timedelta(milliseconds=250)
"""The time a move waits to be stored with others."""
_GATHERING: Final = timedelta(milliseconds=20)
"""The most time whoever has the turn waits for moves on their way: many cost little more than one."""
_QUIET: Final = timedelta(milliseconds=2)
"""The pause without newcomers after which only those are waited for who are known to be on their way."""
NO_PATIENCE: Final = timedelta(milliseconds=20)
"""The time that those wait for a game who cannot wait."""


class Busy(Exception):
    """A move could not be stored with others, in time or at all: nothing has changed."""


@dataclass(eq=False)
class _Brought:
    """A game with a move that somebody waits for."""

    game: UUID
    plain: Plain | None = None
    """The move, where it is to be stored too."""
    taken: bool = False
    """True while whoever has the turn is at it."""
    done: bool = False
    tried: bool = False
    """It is known whether the move could be stored."""
    stored: Stored | None = None
    locked: LockedGame | None = None
    """The game as it was resolved, if it was."""


class GroupCommit:
    """Resolves waited moves together: the thread that has the turn resolves in one transaction what all others have
    brought meanwhile, and these find it done.
    """

    def __init__(self, gathering: timedelta = _GATHERING) -> None:
        self._gathering = gathering.total_seconds()
        lock = threading.Lock()
        self._changed = threading.Condition(lock)
        self._arrived = threading.Condition(lock)
        self._coming: set[int] = set()
        """The threads that are about to bring a game."""
        self._taken = False
        self._brought: list[_Brought] = []
        self._last = 1
        """The number of moves that were taken together last."""

    @contextmanager
    def expected(self) -> Iterator[None]:
        """While this thread may bring a move: whoever has the turn waits for it a little."""
        with self._changed:
            self._coming.add(threading.get_ident())
            self._arrived.notify()
        try:
            yield
        finally:
            with self._changed:
                self._is_here()

    def _is_here(self) -> None:
        self._coming.discard(threading.get_ident())
        self._arrived.notify()

    def resolve(self, game: UUID, patience: timedelta) -> LockedGame | None:
        """Resolve what is stored for this game; gives it as it was held, where it was resolved with others' here.

        OperationalError where somebody else holds it for longer than ``patience``, or the database fails.
        """
        brought, end = _Brought(game), time.monotonic() + patience.total_seconds()
        self._bring(brought, max(patience, _A_TURN))
        if brought.locked is None:
            left = max(end - time.monotonic(), NO_PATIENCE.total_seconds())
            resolve(game, database_clock.now(), timedelta(seconds=left))
        return brought.locked

    def store(self, plain: Plain, patience: timedelta) -> tuple[Stored | None, LockedGame | None]:
        """Store a move, if that may be, and resolve what is stored for its game. Busy.

        Gives the game as it was held, if it was to be had within ``patience``; else the move is stored only.
        """
        brought = _Brought(plain.game, plain)
        self._bring(brought, _STORING)
        with self._changed:
            if brought.taken:
                self._changed.wait_for(lambda: brought.done, patience.total_seconds())
                self._changed.wait_for(lambda: brought.done or brought.tried)
        if not brought.tried:
            raise Busy
        return brought.stored, brought.locked

    def _bring(self, brought: _Brought, patience: timedelta) -> None:
        """Let a thread that has the turn take this request, or take the turn; give up if neither succeeds in time."""
        with self._changed:
            self._brought.append(brought)
            self._is_here()
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
            self._store_and_resolve(taken)
        except Exception as error:
            logger.error(
                "%d games were not resolved together, each is tried alone: %s", len(taken), describe_error(error)
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
        while (self._coming or not (quiet or len(self._brought) >= self._last)) and time.monotonic() < end:
            quiet = not self._arrived.wait(_QUIET.total_seconds())

    def _store_and_resolve(self, taken: Sequence[_Brought]) -> None:
        plain = [each.plain for each in taken if each.plain]
        stored = {each.move.id: each for each in store_all(plain, database_clock.now())} if plain else {}
        for each in taken:
            each.stored, each.tried = stored.get(each.plain.id) if each.plain else None, True
        games = {each.game for each in taken if each.stored or not each.plain}
        resolved = resolve_batch([*games], database_clock.now()) if games else {}
        for each in taken:
            each.locked = resolved.get(each.game) if each.stored or not each.plain else None
