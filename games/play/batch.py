"""Work on many games in one transaction. A game with which it goes wrong stops no other: it is worked on alone.

What goes wrong in one rolls all of them back, since some of it may have been written; the others are then done anew.
"""

import logging
import uuid
from collections.abc import Callable, Sequence
from datetime import datetime

from django.db import DatabaseError, InterfaceError, OperationalError

from config.core.logs import describe_error, repeated
from games.play.locked_game import LockedGame, lock_games

logger = logging.getLogger(__name__)


class _AtFault(Exception):
    """The work on one of the games went wrong."""

    def __init__(self, game: uuid.UUID) -> None:
        super().__init__(game)
        self.game = game


def work_on(
    games: Sequence[uuid.UUID],
    now: datetime,
    work: Callable[[LockedGame], object],
    alone: Callable[[uuid.UUID], object],
) -> tuple[list[uuid.UUID], list[uuid.UUID]]:
    """Do ``work`` on those of these games that nobody else holds, and ``alone`` for one with which that goes wrong.

    Gives the games that were worked on together, and those that were alone; only so many are taken as can be held
    together. A database that fails is the caller's concern (OperationalError): then nothing has changed.
    """
    left, failed = list(games), list[uuid.UUID]()
    while True:
        taken = list(left)
        try:
            with lock_games(left, now) as locked_games:
                taken = [locked.game.id for locked in locked_games]
                for locked in locked_games:
                    _do(work, locked)
            break
        except _AtFault as fault:
            left.remove(fault.game)
            failed.append(fault.game)
        except (OperationalError, InterfaceError):
            raise
        except Exception as error:
            kind = describe_error(error)
            logger.error(
                "%d games could not be stored together, each is tried alone: %s",
                len(taken),
                kind,
                extra=repeated("together", kind),
            )
            failed += taken
            taken = []
            break
    for game in failed:
        alone(game)
    return taken, failed


def _do(work: Callable[[LockedGame], object], locked: LockedGame) -> None:
    try:
        work(locked)
    except DatabaseError:
        raise
    except Exception as error:
        logger.error("game %s is worked on apart from others: %s", locked.game.id, describe_error(error))
        raise _AtFault(locked.game.id) from None
