"""Stalled games, and outages of the server: the time of both is given back to players.

A game is stalled if its moves cannot be resolved because of an error outside the rules. ``Game.stalled_since`` takes a
stalled game out of the queries for moves, deadlines and bots. The row of ``Stall`` has the time of the next try. The
try that succeeds moves all deadlines of people by the length of the stall, and moves that were received meanwhile count
as received when it began. A move that fails for ``GIVE_UP`` is set aside (``notifications.set_aside``), and the next
move is tried. A failing database (OperationalError) stalls no game.

Outages of outgoing email move deadlines, too. Players who play by email are not asked during an outage, so an outage
longer than ``notifications.mail_outages.GRACE`` counts as downtime. It moves all deadlines of a game by the same time,
for all players: the change must not show who plays by email or who has answered. Its moment follows from the terms of
the game and from the time of the question only. Games with turns shorter than ``SHORTEST_EMAIL_TURN`` are not played by
email, and their deadlines stay.

During an outage, deadlines are moved again and again, so that no question times out. The rest follows at its end.
"""

import logging
import uuid
from collections import defaultdict
from collections.abc import Collection, Iterable, Sequence
from datetime import datetime, timedelta
from typing import Any, Final
from uuid import UUID

from django.db import transaction
from django.db.models import F, QuerySet

from config.core.database.checks import DATABASE_CHECKS, GRACE
from config.core.database.sql import execute, find
from config.core.logs import describe_error
from games import queries
from games.announcements import setbacks
from games.announcements.batches import topic_of
from games.deadlines import calculation
from games.event_log import log_store
from games.event_log.table_events import DeadlinesMoved, EmailOutage
from games.models import Game, Move, OpenQuestion, Stall
from games.play.locked_game import SERVER, LockedGame
from games.rules.registry import every_version
from notifications import mail_outages, server_emails
from notifications.models import MailOutage
from notifications.set_aside import SetAside

logger = logging.getLogger(__name__)

FIRST_PAUSE: Final = timedelta(seconds=5)
"""The pause before the first new try. It doubles with every further try, up to ``LONGEST_PAUSE``."""
LONGEST_PAUSE: Final = timedelta(minutes=10)
GIVE_UP: Final = timedelta(hours=6)
"""The time after which a move that still fails is set aside."""


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


SHORTEST_EMAIL_TURN: Final = timedelta(minutes=20)
"""Games with shorter turns are not played by email."""
MAX_COMPENSATION: Final = timedelta(days=7)
"""The most time by which one outage moves deadlines, so that a broken mail server does not stop a game for ever."""
SECOND: Final = timedelta(seconds=1)
BATCH: Final = 200


def compensate(now: datetime) -> None:
    """Move deadlines by the time that outages have taken so far."""
    for outage in mail_outages.unsettled():
        with transaction.atomic():
            locked_outage = MailOutage.objects.select_for_update(skip_locked=True).filter(pk=outage.pk).first()
            if locked_outage is not None:
                _compensate(locked_outage, locked_outage.until or now, now, rest=locked_outage.until is not None)
                if locked_outage.until is not None:
                    mail_outages.settle(locked_outage)


def compensate_until(end: datetime, now: datetime) -> None:
    """Move deadlines by the time that the current outage took until ``end``.

    Call it in a transaction that moves deadlines by all time after ``end``.
    """
    outage = MailOutage.objects.select_for_update().filter(lasts=True).first()
    if outage is not None:
        _compensate(outage, end, now, rest=True)
        mail_outages.begin_again(now)


def _compensate(outage: MailOutage, end: datetime, now: datetime, *, rest: bool) -> None:
    end = min(end, outage.since + MAX_COMPENSATION)
    if end - outage.since <= mail_outages.GRACE:
        return
    moved_games: set[UUID] = set()
    while (lost := _lost_times(outage, end, rest=rest)) and not lost.keys() <= moved_games:
        moved_games |= lost.keys()
        games = Game.objects.select_for_update(of=("self",), no_key=True).filter(pk__in=lost).order_by("pk")
        locked = {game.pk: game for game in games}
        by_seconds: dict[int, list[Game]] = defaultdict(list)
        for game, time in _lost_times(outage, end, rest=rest, among=lost).items():
            by_seconds[int(time.total_seconds())].append(locked[game])
        for seconds, moved in by_seconds.items():
            move_deadlines(moved, EmailOutage(seconds=seconds), timedelta(seconds=seconds), now)
        Game.objects.filter(pk__in=lost).update(outages_until=end)


def _lost_times(
    outage: MailOutage, end: datetime, *, rest: bool, among: Iterable[UUID] | None = None
) -> dict[UUID, timedelta]:
    values: dict[str, Any] = {
        "end": end,
        "since": outage.since,
        "shortest": SHORTEST_EMAIL_TURN,
        "rules": [rules.name for rules in every_version()],
        "versions": [rules.version for rules in every_version()],
        "games": None if among is None else list(among),
        "all": rest,
        "grace": mail_outages.GRACE,
        "limit": BATCH,
    }
    return dict(find(queries.LOST_TIMES, values))


def move_deadlines(games: Sequence[Game], event: DeadlinesMoved | EmailOutage, later: timedelta, now: datetime) -> None:
    """Move every open deadline of locked games, and then out of the sleep hours of the players.

    ``event`` tells the players the reason.
    """
    # All open questions get the time, not only those whose email was late. Otherwise a deadline that moves would reveal
    # who plays by email, or who has answered already.
    log_store.append_to_all(games, event, now, SERVER)
    OpenQuestion.objects.filter(game__in=games).update(
        due_at=F("due_at") + later, remind_at=F("remind_at") + later, planned_at=F("planned_at") + later
    )
    Game.objects.filter(pk__in=[game.pk for game in games]).update(
        due_at=F("due_at") + later, stalled_since=F("stalled_since") + later
    )
    calculation.settle(games)
