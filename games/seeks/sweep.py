"""The sweep: matches the seeks that wait, makes their games, and lets those lapse whose time is over."""

import logging
from collections.abc import Callable, Iterable, Mapping
from datetime import datetime, timedelta
from typing import Any, Final

import msgspec
from django.db import connection, transaction
from django.db.models import QuerySet

from accounts.people import blocks
from config.failures import describe_error
from games.announcements.seeks import seek_emails
from games.engine import AnyRules
from games.lobby.new_game import chosen_options
from games.models import Seek
from games.refusals import Refusal
from games.rules.registry import RULES
from games.seeks.matched_game import start_match
from games.seeks.matching import Match, Matcher, Wish
from games.seeks.presence import absentees

logger = logging.getLogger(__name__)

GATHERING: Final[Mapping[str, timedelta]] = {"live": timedelta(seconds=30), "evening": timedelta(minutes=2)}
"""For so long players who are enough wait for more, where the speed of their game says nothing else."""
USUAL_GATHERING: Final = timedelta(minutes=10)
EVERY: Final = timedelta(minutes=5)
"""The longest time between two looks at an open seek: people come back, leave a game, or are blocked no more."""
_LOCK: Final = "SELECT pg_advisory_xact_lock(hashtextextended('games.seeks', 0))"


def waiting(now: datetime) -> Iterable[QuerySet[Seek]]:
    """The seeks that are to be looked at."""
    return [_due(now)]


def sweep(now: datetime) -> None:
    """Look at every seek that waits for it, together with all others for the same rules and speed."""
    _let_lapse(now)
    for rules, speed in sorted(set(_due(now).values_list("rules", "speed"))):
        for match in _find_matches(rules, speed, now):
            try:
                start_match(match, now)
            except Exception as error:
                logger.error("a match of seeks was passed by: %s", describe_error(error))


@transaction.atomic
def _let_lapse(now: datetime) -> None:
    """End the seeks whose time is over, and tell their owners."""
    rows = Seek.objects.select_for_update(of=("self",), skip_locked=True).select_related("account")
    over = list(rows.filter(state=Seek.State.OPEN, until__lte=now))
    Seek.objects.filter(pk__in=[each.pk for each in over]).update(state=Seek.State.LAPSED, ended_at=now)
    for each in over:
        seek_emails.tell_lapsed(each, now)


def _due(now: datetime) -> QuerySet[Seek]:
    return Seek.objects.filter(state=Seek.State.OPEN, look_at__lte=now).order_by("look_at")


def _find_matches(name: str, speed: str, now: datetime) -> list[Match]:
    """Match the open seeks for a game at a speed, and say when they are looked at again, should they still be open."""
    with transaction.atomic():
        with connection.cursor() as cursor:
            cursor.execute(_LOCK)
        rows = Seek.objects.filter(state=Seek.State.OPEN, rules=name, speed=speed)
        seeks = list(rows.select_related("account").order_by("created_at", "id"))
        gathering = GATHERING.get(speed, USUAL_GATHERING)
        for seek in seeks:
            seek.look_at = _next_look(seek, gathering, now)
        Seek.objects.bulk_update(seeks, ["look_at"])
    if name not in RULES:
        return []
    absent = absentees([seek.account for seek in seeks], now)
    apart = blocks.pairs_among(seek.account_id for seek in seeks)
    matcher = Matcher(now, gathering, apart, _playable(RULES[name]))
    return matcher.find_matches(_wish(seek) for seek in seeks if seek.account_id not in absent)


def _next_look(seek: Seek, gathering: timedelta, now: datetime) -> datetime:
    """Return when something may have changed for an open seek, unless another one comes before."""
    moments = [seek.created_at + gathering, seek.until, *([seek.fills_at] if seek.fills_at else ())]
    found: datetime = min([now + EVERY, *(each for each in moments if each > now)])
    return found


def _wish(seek: Seek) -> Wish:
    return Wish(seek.pk, seek.account_id, seek.least, seek.most, seek.options, seek.created_at, fills_at=seek.fills_at)


def _playable(rules: AnyRules) -> Callable[[Mapping[str, Any], int], bool]:
    """Return the check whether a game can be played; each is tried once, as that takes a set-up of the game."""
    known: dict[tuple[bytes, int], bool] = {}

    def is_playable(options: Mapping[str, Any], seat_count: int) -> bool:
        key = (msgspec.json.encode(options, order="sorted"), seat_count)
        if key not in known:
            known[key] = _can_be_chosen(rules, options, seat_count)
        return known[key]

    return is_playable


def _can_be_chosen(rules: AnyRules, options: Mapping[str, Any], seat_count: int) -> bool:
    try:
        chosen_options(rules, options, seat_count)
    except Refusal:
        return False
    return True
