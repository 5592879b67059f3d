"""Moves whose senders wait for the outcome are judged in the web server, with those of others who wait there."""

import threading
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import timedelta
from typing import Final
from uuid import UUID

from django.utils import timezone

from games.play.resolve import resolve, resolve_together
from games.play.sitting import Sitting

_A_TURN: Final = timedelta(seconds=1)
"""So long everybody waits for the turn, who may hold the very game: it waits for nobody else's locks."""
_GATHERING: Final = timedelta(milliseconds=20)
"""So long at most whoever has the turn waits for moves that are on their way: many cost little more than one."""


@dataclass(eq=False)
class _Brought:
    """A game with a move that somebody waits for."""

    game: UUID
    done: bool = False
    """Whoever had the turn is done with it."""
    judged: bool = False
    sitting: Sitting | None = None


class Judges:
    """Whoever has the turn judges what all others have brought meanwhile, in one transaction; these find it done."""

    def __init__(self, gathering: timedelta = _GATHERING) -> None:
        self._gathering = gathering.total_seconds()
        lock = threading.Lock()
        self._changed = threading.Condition(lock)
        self._arrived = threading.Condition(lock)
        self._coming: set[int] = set()
        """The threads that are about to bring a game."""
        self._taken = False
        self._brought: list[_Brought] = []

    @contextmanager
    def expected(self) -> Iterator[None]:
        """While this thread stores a move for which it will then ask: whoever has the turn waits for it a little."""
        with self._changed:
            self._coming.add(threading.get_ident())
        try:
            yield
        finally:
            with self._changed:
                self._is_here()

    def _is_here(self) -> None:
        self._coming.discard(threading.get_ident())
        self._arrived.notify()

    def judge(self, game: UUID, patience: timedelta) -> Sitting | None:
        """Judge what is stored for this game; gives it as it was held, where it was judged with others' here.

        OperationalError where somebody else holds it for longer than ``patience``, or the database fails.
        """
        brought = _Brought(game)
        if self._has_turn(brought, max(patience, _A_TURN)):
            self._judge_all()
        if not brought.judged:
            resolve(game, timezone.now(), patience)
        return brought.sitting

    def _has_turn(self, brought: _Brought, patience: timedelta) -> bool:
        """Wait until the turn is free, and take it, unless somebody else has done meanwhile what it is for."""
        with self._changed:
            self._brought.append(brought)
            self._is_here()
            free = self._changed.wait_for(lambda: brought.done or not self._taken, patience.total_seconds())
            turn = free and not brought.done
            self._taken = self._taken or turn
        return turn

    def _judge_all(self) -> None:
        with self._changed:
            self._arrived.wait_for(lambda: not self._coming, self._gathering)
            taken, self._brought = self._brought, []
        try:
            judged = resolve_together([*{each.game for each in taken}], timezone.now())
            for each in taken:
                each.judged, each.sitting = each.game in judged, judged.get(each.game)
        finally:
            with self._changed:
                self._taken = False
                for each in taken:
                    each.done = True
                self._changed.notify_all()
