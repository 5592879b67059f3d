"""Moves whose senders wait for the outcome are resolved in the web server, with those of others who wait there.

Those that are plain are stored together too.
"""

import time
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import timedelta
from typing import Final
from uuid import UUID

from config.database import database_clock, time_limits
from games.api.play.batcher import Batcher, Brought
from games.api.play.move_store import Plain, Stored, store_all
from games.play.locked_game import LockedGame
from games.play.resolve import resolve, resolve_batch

_A_TURN: Final = timedelta(seconds=1)
"""The time everybody waits for the turn, who may hold the very game: it waits for nobody else's locks."""
_STORING: Final = timedelta(milliseconds=250)
"""The time a move waits to be stored with others."""
_LONGEST_HOLD: Final = timedelta(seconds=2)
"""The most time that a request waits for a game that is held elsewhere; it has more to ask of the database."""
NO_PATIENCE: Final = timedelta(milliseconds=20)
"""The time that those wait for a game who cannot wait."""


class Busy(Exception):
    """A move could not be stored with others, in time or at all: nothing has changed."""


@dataclass(eq=False)
class _Waited(Brought):
    """A game with a move that somebody waits for."""

    game: UUID
    plain: Plain | None = None
    """The move, where it is to be stored too."""
    tried: bool = False
    """It is known whether the move could be stored."""
    stored: Stored | None = None
    locked: LockedGame | None = None
    """The game as it was resolved, if it was."""


class GroupCommit(Batcher[_Waited]):
    """Resolves waited moves together, in one transaction."""

    def resolve(self, game: UUID, patience: timedelta) -> LockedGame | None:
        """Resolve what is stored for this game; gives it as it was held, where it was resolved with others' here.

        OperationalError where somebody else holds it for longer than ``patience``, or the database fails.
        """
        brought, end = _Waited(game), time.monotonic() + patience.total_seconds()
        self._bring(brought, max(patience, _A_TURN))
        if brought.locked is None:
            left = timedelta(seconds=end - time.monotonic())
            resolve(game, database_clock.now(), min(max(left, NO_PATIENCE), _LONGEST_HOLD))
        return brought.locked

    def store(self, plain: Plain, patience: timedelta) -> tuple[Stored | None, LockedGame | None]:
        """Store a move, if that may be, and resolve what is stored for its game. Busy.

        Gives the game as it was held, if it was to be had within ``patience``; else the move is stored only.
        """
        brought = _Waited(plain.game, plain)
        self._bring(brought, _STORING)
        with self._changed, time_limits.counted():
            if brought.taken:
                self._changed.wait_for(lambda: brought.done, patience.total_seconds())
                self._changed.wait_for(lambda: brought.done or brought.tried)
        if not brought.tried:
            raise Busy
        return brought.stored, brought.locked

    def do(self, taken: Sequence[_Waited]) -> None:
        """Store the moves that are not stored yet, and resolve the games."""
        plain = [each.plain for each in taken if each.plain]
        stored = {each.move.id: each for each in store_all(plain, database_clock.now())} if plain else {}
        for each in taken:
            each.stored, each.tried = stored.get(each.plain.id) if each.plain else None, True
        games = {each.game for each in taken if each.stored or not each.plain}
        resolved = resolve_batch([*games], database_clock.now()) if games else {}
        for each in taken:
            each.locked = resolved.get(each.game) if each.stored or not each.plain else None
