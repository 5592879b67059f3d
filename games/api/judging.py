"""Moves whose senders wait for the outcome are judged in the web server, with those of others who wait there."""

import threading
from collections import deque
from dataclasses import dataclass
from datetime import timedelta
from typing import Final
from uuid import UUID

from django.utils import timezone

from games.play.resolve import resolve, resolve_together

_A_TURN: Final = timedelta(seconds=1)
"""So long everybody waits for the turn, who may hold the very game: it waits for nobody else's locks."""


@dataclass(eq=False)
class _Brought:
    """A game with a move that somebody waits for."""

    game: UUID
    taken: bool = False
    judged: bool = False


class Judges:
    """Whoever has the turn judges what all others have brought meanwhile, in one transaction; these find it done."""

    def __init__(self) -> None:
        self._turn = threading.Lock()
        self._brought: deque[_Brought] = deque()

    def judge(self, game: UUID, patience: timedelta) -> None:
        """Judge what is stored for this game.

        OperationalError where somebody else holds it for longer than ``patience``, or the database fails.
        """
        brought = _Brought(game)
        self._brought.append(brought)
        if self._turn.acquire(timeout=max(patience, _A_TURN).total_seconds()):
            try:
                if not brought.taken:
                    self._judge_all()
            finally:
                self._turn.release()
        if not brought.judged:
            resolve(game, timezone.now(), patience)

    def _judge_all(self) -> None:
        taken = [self._brought.popleft() for _ in range(len(self._brought))]
        for each in taken:
            each.taken = True
        judged = resolve_together([*{each.game for each in taken}], timezone.now())
        for each in taken:
            each.judged = each.game in judged
