"""Stalls: games whose moves cannot be resolved because of an error outside the rules.

``Game.stalled_since`` takes a stalled game out of the queries for moves, deadlines and bots. The row of ``Stall`` has
the time of the next try. The try that succeeds moves all deadlines of people by the length of the stall, and moves that
were received meanwhile count as received when it began. A move that fails for ``GIVE_UP`` is set aside
(``notifications.set_aside``), and the next move is tried. A failing database (OperationalError) stalls no game.
"""

import logging
import uuid
from collections.abc import Collection
from datetime import datetime, timedelta
from typing import Any, Final

from django.db import transaction
from django.db.models import QuerySet

from config.core.database.checks import DATABASE_CHECKS, GRACE
from config.core.database.sql import execute
from config.core.logs import describe_error
from games import queries
from games.announcements import setbacks
from games.announcements.batches import topic_of
from games.event_log.table_events import DeadlinesMoved
from games.models import Game, Move, Stall
from games.play.locked_game import SERVER, LockedGame
from notifications import server_emails
from notifications.set_aside import SetAside

logger = logging.getLogger(__name__)

FIRST_PAUSE: Final = timedelta(seconds=5)
"""The pause before the first new try. It doubles with every further try, up to ``LONGEST_PAUSE``."""
LONGEST_PAUSE: Final = timedelta(minutes=10)
GIVE_UP: Final = timedelta(hours=6)
"""The time for which one move is tried."""


def begin(game: uuid.UUID, error: Exception, now: datetime) -> None:
    """Mark a game as stalled, unless it is already.

    Raises SchemaMismatch, and marks nothing, if the database does not fit this version of the program.
    """
    DATABASE_CHECKS.check_after_error()
    values: dict[str, Any] = {
        "game": game,
        "now": now,
        "try_at": now + FIRST_PAUSE,
        "error": describe_error(error)[:300],
    }
    if execute(queries.BEGIN_STALL, values):
        logger.error("game %s is stalled, its moves are tried again later: %s", game, describe_error(error))


def due_stalls(now: datetime) -> QuerySet[Stall]:
    """Return the stalls whose next try is due."""
    return Stall.objects.filter(try_at__lte=now).order_by("try_at")


def stalled_games() -> QuerySet[Stall]:
    """Return all stalls, longest first."""
    return Stall.objects.select_related("game").order_by("game__stalled_since")


def retry_all(now: datetime, games: Collection[uuid.UUID] | None = None) -> int:
    """Let the next tick try these stalled games, or all, and return their number."""
    stalls = Stall.objects.all() if games is None else Stall.objects.filter(pk__in=games)
    return stalls.update(try_at=now)


def fail_again(game: uuid.UUID, error: Exception, now: datetime) -> None:
    """Schedule the next try of a stalled game after another failure, or set its first move aside.

    Raises SchemaMismatch as ``begin`` does.
    """
    DATABASE_CHECKS.check_after_error()
    with transaction.atomic():
        stall = Stall.objects.select_for_update(of=("self",)).select_related("game").filter(game=game).first()
        if stall is None:
            return
        stall.tries += 1
        stall.try_at = now + min(FIRST_PAUSE * 2 ** min(stall.tries - 1, 16), LONGEST_PAUSE)
        stall.error = describe_error(error)[:300]
        waiting = list(Move.objects.filter(game=game, state=Move.State.RECEIVED).order_by("received_at", "id"))
        if waiting:
            waiting[0].attempts += 1
            waiting[0].save(update_fields=["attempts"])
        if waiting and now - stall.since >= GIVE_UP:
            _set_move_aside(waiting.pop(0), stall, now)
        stall.save()
        if stall.game.stalled_since and now - stall.game.stalled_since >= setbacks.NOTIFY_AFTER:
            for move in waiting:
                setbacks.of_delay(move, now)
    logger.warning("game %s is stalled, try %d: %s", game, stall.tries, describe_error(error))


def _set_move_aside(move: Move, stall: Stall, now: datetime) -> None:
    """Set a move aside, so that the next move is tried, for as long again."""
    move.state = Move.State.FAILED
    move.save(update_fields=["state"])
    stall.since, stall.tries, stall.try_at = now, 0, now
    server_emails.set_aside_and_notify(SetAside.Kind.MOVE, move.id, topic_of(move.game_id), stall.error, now)
    setbacks.of_move(move, now)


def lift(locked: LockedGame) -> None:
    """End the stall of a locked game, and move the deadlines of people by its length."""
    since = locked.game.stalled_since
    assert since is not None
    Stall.objects.filter(game=locked.game.pk).delete()
    Game.objects.filter(pk=locked.game.pk).update(stalled_since=None)
    locked.game.stalled_since = None
    lost = timedelta(seconds=int((locked.now - since).total_seconds()))
    # The grace after deadlines covers a shorter stall.
    if lost >= GRACE and any(not row.bot for row in locked.open.values()):
        locked.add_table_event(DeadlinesMoved(seconds=int(lost.total_seconds())), SERVER)
        locked.postpone(lost)
        locked.compensation = since, lost
