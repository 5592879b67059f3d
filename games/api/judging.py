"""Moves whose senders wait for the outcome are judged in the web server, with those of others who wait there.

Those that are plain are stored by the same transaction.
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

from django.utils import timezone

from games.api.accepting import Accepted, Plain, accept
from games.models import Move
from games.play.resolve import resolve, resolve_together
from games.play.sitting import Sitting
from notifications.failures import describe

logger = logging.getLogger(__name__)

_A_TURN: Final = timedelta(seconds=1)
"""So long everybody waits for the turn, who may hold the very game: it waits for nobody else's locks."""
_GATHERING: Final = timedelta(milliseconds=20)
"""So long at most whoever has the turn waits for moves that are on their way: many cost little more than one."""
_QUIET: Final = timedelta(milliseconds=2)
"""Where nobody comes for so long, only those are waited for who are known to be on their way."""


@dataclass(eq=False)
class _Brought:
    """A game with a move that somebody waits for."""

    game: UUID
    plain: Plain | None = None
    """The move, where it is to be stored too."""
    done: bool = False
    """Whoever had the turn is done with it."""
    accepted: Accepted | None = None
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
        self._last = 1
        """How many were judged together last."""

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

    def judge(self, game: UUID, patience: timedelta) -> Sitting | None:
        """Judge what is stored for this game; gives it as it was held, where it was judged with others' here.

        OperationalError where somebody else holds it for longer than ``patience``, or the database fails.
        """
        brought = _Brought(game)
        self._bring(brought, patience)
        if not brought.judged:
            resolve(game, timezone.now(), patience)
        return brought.sitting

    def store(self, plain: Plain, patience: timedelta) -> tuple[Accepted, Sitting | None] | None:
        """Store a move, and judge what is stored for its game; None where that was not done: nothing has changed.

        Gives the game as it was held, unless somebody else holds it: then the move is stored only.
        """
        brought = _Brought(plain.game, plain)
        self._bring(brought, patience)
        return brought.accepted and (brought.accepted, brought.sitting)

    def _bring(self, brought: _Brought, patience: timedelta) -> None:
        """Have it judged by whoever has the turn, or take it; unless that is not to be had in time."""
        end = time.monotonic() + max(patience, _A_TURN).total_seconds()
        with self._changed:
            self._brought.append(brought)
            self._is_here()
        while self._has_turn(brought, end):
            self._judge_all()

    def _has_turn(self, brought: _Brought, end: float) -> bool:
        """Wait until the turn is free, and take it, unless somebody else has done meanwhile what it is for."""
        with self._changed:
            self._changed.wait_for(lambda: brought.done or not self._taken, end - time.monotonic())
            if not (brought.done or self._taken):
                self._taken = True
                return True
            if brought in self._brought:
                self._brought.remove(brought)
            elif brought.plain:  # somebody is storing it
                self._changed.wait_for(lambda: brought.done)
        return False

    def _judge_all(self) -> None:
        with self._changed:
            self._gather()
            taken = self._take()
        try:
            _judge(taken)
        except Exception as error:
            logger.error("%d games were not judged together, each is tried alone: %s", len(taken), describe(error))
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

    def _take(self) -> list[_Brought]:
        """What is judged now: all but moves of a token of which one is stored already."""
        taken, left, digests = list[_Brought](), list[_Brought](), set[str]()
        for each in self._brought:
            if each.plain and each.plain.digest in digests:
                left.append(each)
            else:
                taken.append(each)
                digests.update([each.plain.digest] if each.plain else [])
        self._brought, self._last = left, len(taken)
        return taken


def _judge(taken: Sequence[_Brought]) -> None:
    """Store what is not, and judge it, all or nothing."""
    now, plain = timezone.now(), [each.plain for each in taken if each.plain]
    accepted: dict[UUID, Accepted] = {}

    def bring() -> Iterator[Move]:
        return (_noted(each, accepted) for each in accept(plain, now))

    judged = resolve_together({each.game for each in taken}, now, bring if plain else tuple)
    for each in taken:
        each.accepted = accepted.get(each.plain.id) if each.plain else None
        each.sitting = judged.get(each.game)
        each.judged = each.sitting is not None


def _noted(each: Accepted, accepted: dict[UUID, Accepted]) -> Move:
    accepted[each.move.id] = each
    return each.move
