"""Runs work on many games in one transaction."""

import logging
import uuid
from collections.abc import Callable, Sequence
from datetime import datetime

from django.db import DatabaseError, InterfaceError, OperationalError

from config.core.logs import describe_error, repeated
from games.play.locked_game import LockedGame, lock_games

logger = logging.getLogger(__name__)


class _GameError(Exception):
    """The work on one of the games failed."""

    def __init__(self, game: uuid.UUID) -> None:
        super().__init__(game)
        self.game = game


def run_batch(
    games: Sequence[uuid.UUID],
    now: datetime,
    work: Callable[[LockedGame], object],
    alone: Callable[[uuid.UUID], object],
) -> tuple[list[uuid.UUID], list[uuid.UUID]]:
    """Run ``work`` on the games that are not locked elsewhere. Run ``alone`` for a game in which it failed.

    An error in one game rolls back the whole transaction, since the game may have been changed in part. The other
    games are then worked on again. Return the games that were worked on together, and those that were worked on alone.
    Games beyond the limit of one transaction are in neither list. Raises OperationalError if the database fails;
    nothing has changed then.
    """
    remaining, failed = list(games), list[uuid.UUID]()
    while True:
        together = list(remaining)
        try:
            with lock_games(remaining, now) as locked_games:
                together = [locked.game.id for locked in locked_games]
                for locked in locked_games:
                    _run(work, locked)
            break
        except _GameError as error:
            remaining.remove(error.game)
            failed.append(error.game)
        except (OperationalError, InterfaceError):
            raise
        except Exception as error:
            kind = describe_error(error)
            logger.error(
                "%d games could not be stored together, each is tried alone: %s",
                len(together),
                kind,
                extra=repeated("together", kind),
            )
            failed += together
            together = []
            break
    for game in failed:
        alone(game)
    return together, failed


def _run(work: Callable[[LockedGame], object], locked: LockedGame) -> None:
    try:
        work(locked)
    except DatabaseError:
        raise
    except Exception as error:
        logger.error("game %s is worked on apart from others: %s", locked.game.id, describe_error(error))
        raise _GameError(locked.game.id) from None
