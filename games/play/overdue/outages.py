"""Time that an outage of our mail took, given back to those who may not have been asked.

Whoever plays by mail is not asked while our mail server takes nothing, so an outage that is longer than
``notifications.delivery.outages.GRACE`` is downtime. It moves all deadlines of a table alike, whoever is asked, has
answered or plays by mail: who that is nobody is to learn. The moment follows from the table's terms and from when a
question was put, never from who has answered. A table whose turns are shorter than ``SHORTEST_TURN`` is not played by
mail: its clocks run on.

While an outage lasts, deadlines are moved on and on, so that none passes; the rest follows when it is over.
"""

from collections import defaultdict
from collections.abc import Iterable
from datetime import datetime, timedelta
from typing import Any, Final
from uuid import UUID

from django.db import connection, transaction

from games.event_log.table_events import EmailOutage
from games.models import Game
from games.play.overdue import moving
from games.rules.registry import every_version
from notifications.delivery import outages
from notifications.models import MailOutage

SHORTEST_TURN: Final = timedelta(minutes=20)
"""A table whose turns are shorter is not played by mail."""
LONGEST: Final = timedelta(days=7)
"""No more than this is given back for one outage: a mail server that never comes back stops no game for good."""
SECOND: Final = timedelta(seconds=1)
BATCH: Final = 200
_LOST: Final = """
    SELECT game.id, %(end)s - GREATEST(%(since)s, min(asked.asked_at), game.outages_until) AS lost
    FROM games_game AS game JOIN games_openquestion AS asked ON asked.game_id = game.id
    WHERE NOT asked.bot AND (game.terms->>'turn_limit')::interval >= %(shortest)s
        AND (game.rules, game.rules_version) IN (SELECT * FROM unnest(%(rules)s::text[], %(versions)s::int[]))
        AND (%(games)s::uuid[] IS NULL OR game.id = ANY(%(games)s))
    GROUP BY game.id
    HAVING %(end)s - GREATEST(%(since)s, min(asked.asked_at), game.outages_until) >= CASE
        WHEN %(all)s THEN interval '1 second'
        ELSE GREATEST(%(grace)s, LEAST(interval '1 hour', LEAST(
            (game.terms->>'turn_limit')::interval,
            (game.terms->>'reaction_limit')::interval,
            (game.terms->>'open_limit')::interval,
            (game.terms->>'choice_limit')::interval
        ) / 4))
    END
    ORDER BY game.id LIMIT %(limit)s
"""
"""The time the games have lost. While an outage lasts it is given back often, so that no question asked in it is over
meanwhile: a question is put two hours, or half of its time, before its end at the latest."""


def give_back(now: datetime) -> None:
    """Move deadlines by what outages of our mail took from them, as far as that is to be done by now."""
    for outage in outages.unsettled():
        with transaction.atomic():
            held = MailOutage.objects.select_for_update(skip_locked=True).filter(pk=outage.pk).first()
            if held is not None:
                _give_back(held, held.until or now, now, rest=held.until is not None)
                if held.until is not None:
                    outages.settle(held)


def give_back_until(end: datetime, now: datetime) -> None:
    """Move deadlines by all that the outage which lasts took until ``end``.

    Only inside a transaction that gives back the time from then on, whatever took it.
    """
    outage = MailOutage.objects.select_for_update().filter(lasts=True).first()
    if outage is not None:
        _give_back(outage, end, now, rest=True)
        outages.begin_again(now)


def _give_back(outage: MailOutage, end: datetime, now: datetime, *, rest: bool) -> None:
    end = min(end, outage.since + LONGEST)
    if end - outage.since <= outages.GRACE:
        return
    moved_games: set[UUID] = set()
    while (lost := _lost(outage, end, rest=rest)) and not lost.keys() <= moved_games:
        moved_games |= lost.keys()
        games = Game.objects.select_for_update(of=("self",), no_key=True).filter(pk__in=lost).order_by("pk")
        locked = {game.pk: game for game in games}
        by_seconds: dict[int, list[Game]] = defaultdict(list)
        for game, time in _lost(outage, end, rest=rest, among=lost).items():
            by_seconds[int(time.total_seconds())].append(locked[game])
        for seconds, moved in by_seconds.items():
            moving.move_deadlines(moved, EmailOutage(seconds=seconds), timedelta(seconds=seconds), now)
        Game.objects.filter(pk__in=lost).update(outages_until=end)


def _lost(
    outage: MailOutage, end: datetime, *, rest: bool, among: Iterable[UUID] | None = None
) -> dict[UUID, timedelta]:
    values: dict[str, Any] = {
        "end": end,
        "since": outage.since,
        "shortest": SHORTEST_TURN,
        "rules": [rules.name for rules in every_version()],
        "versions": [rules.version for rules in every_version()],
        "games": None if among is None else list(among),
        "all": rest,
        "grace": outages.GRACE,
        "limit": BATCH,
    }
    with connection.cursor() as cursor:
        cursor.execute(_LOST, values)
        return dict(cursor.fetchall())
