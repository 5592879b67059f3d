"""Moves deadlines after outages of outgoing email.

Players who play by email are not asked during an outage, so an outage longer than
``notifications.mail_outages.GRACE`` counts as downtime. It moves all deadlines of a game by the same time, for all
players: the change must not show who plays by email or who has answered. Its moment follows from the terms of the game
and from the time of the question only. Games with turns shorter than ``SHORTEST_EMAIL_TURN`` are not played by email,
and their deadlines stay.

During an outage, deadlines are moved again and again, so that no question times out. The rest follows at its end.
"""

from collections import defaultdict
from collections.abc import Iterable, Sequence
from datetime import datetime, timedelta
from typing import Any, Final
from uuid import UUID

from django.db import transaction
from django.db.models import F

from config.core.database.sql import find
from games import queries
from games.deadlines import timing
from games.event_log import log_store
from games.event_log.table_events import DeadlinesMoved, EmailOutage
from games.models import Game, OpenQuestion
from games.play.locked_game import SERVER
from games.rules.registry import every_version
from notifications import mail_outages
from notifications.models import MailOutage

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
    timing.settle(games)
