"""The usual times in which players answer, and the hours of the day at which they do.

Other players see the times before they join a game. Times are computed from finished games only, and from answers whose
times all players saw: an answer by hand and one by a plan that waited count alike, and an immediate answer is left out.
The result is rounded up to ``STEPS``, so it reveals no daily habits.

The hours are used only for a player's own reminders. No other player can see them.
"""

from collections import Counter
from collections.abc import Collection, Iterable
from datetime import datetime, timedelta
from typing import Final
from zoneinfo import ZoneInfo

from django.db.models import DurationField
from django.db.models.fields.json import KeyTextTransform
from django.db.models.functions import Cast

from accounts.models import Account
from config.core.database.sql import find
from games import queries
from games.deadlines.reminder_schedule import PART
from games.models import AnswerTimes, Game, Move
from notifications import preferences

LATEST: Final = 200
"""The number of latest answers of a player that are used."""
FEWEST: Final = 20
"""The number of answers below which no time is shown."""
SLOW: Final = timedelta(days=1)
"""Only games with turns of at least this length count. In faster ones all players have to answer quickly."""
STEPS: Final = tuple(timedelta(hours=hours) for hours in (1, 3, 6, 12, 24, 48, 72, 120, 168))
"""The lengths that are shown. A longer one is shown in whole weeks."""


def renew(accounts: Collection[int]) -> None:
    """Compute the answer times of these accounts again, and delete those of accounts that do not show them."""
    showing = Account.objects.filter(pk__in=accounts, shows_answer_times=True).values_list("pk", flat=True)
    rows = find(queries.ANSWER_TIMES, [list(showing), SLOW, LATEST, FEWEST])
    AnswerTimes.objects.filter(account__in=accounts).delete()
    AnswerTimes.objects.bulk_create(
        AnswerTimes(account_id=account, half_within=round_up(half), most_within=round_up(most))
        for account, half, most in rows
    )


def round_up(took: timedelta) -> timedelta:
    """Return the length that is shown for this one."""
    week = STEPS[-1]
    return next((step for step in STEPS if took <= step), -(-took // week) * week)


def shown_times(account: Account) -> AnswerTimes | None:
    """Return how quickly a player usually answers, or None if it is unknown or not shown."""
    times: AnswerTimes | None = getattr(account, "answer_times", None)
    return times if account.shows_answer_times else None


FEWEST_DAYS: Final = 10
"""The number of days with answers below which no hours are usual."""
USUAL: Final = 0.3
"""A part of the day is usual if the player answered in it on at least this share of the days with answers."""


def renew_hours(accounts: Collection[int]) -> None:
    """Compute the usual hours of these accounts again, except for those who have switched that off."""
    people = Account.objects.filter(pk__in=accounts, is_bot=False).exclude(preferences__learns_hours=False)
    for account in people.select_related("preferences"):
        preferences.keep_usual_hours(account, usual_hours(_answered(account), ZoneInfo(account.time_zone)))


def _answered(account: Account) -> Iterable[datetime]:
    """Return the times of a player's latest answers by hand in slow finished games."""
    by_hand = Move.objects.filter(account=account, state=Move.State.APPLIED, asked_at__isnull=False, plan=None)
    turn_limit = Cast(KeyTextTransform("turn_limit", "game__terms"), DurationField())
    slow = by_hand.alias(turn_limit=turn_limit).filter(game__state=Game.State.OVER, turn_limit__gte=SLOW)
    return slow.order_by("-received_at").values_list("received_at", flat=True)[:LATEST]


def usual_hours(answered: Iterable[datetime], zone: ZoneInfo) -> list[int]:
    """Return the starting hours of the parts of the day in which a player usually answers."""
    part = PART.seconds // 3600
    looks = {(at.date(), at.hour // part * part) for at in (moment.astimezone(zone) for moment in answered)}
    days = len({day for day, _ in looks})
    times = Counter(hour for _, hour in looks)
    return sorted(hour for hour, count in times.items() if days >= FEWEST_DAYS and count >= USUAL * days)
