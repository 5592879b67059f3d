"""The hours of the day at which players usually answer, used only for their own reminders.

They are computed from a player's answers by hand in finished games, in the player's time zone. No other player can see
them.
"""

from collections import Counter
from collections.abc import Collection, Iterable
from datetime import datetime
from typing import Final
from zoneinfo import ZoneInfo

from django.db.models import DurationField
from django.db.models.fields.json import KeyTextTransform
from django.db.models.functions import Cast

from accounts.models import Account
from games.archive.usual_times import LATEST, SLOW
from games.deadlines.usual_hours import PART
from games.models import Game, Move
from notifications.recipients import preferences

FEWEST: Final = 10
"""The number of days with answers below which no hours are usual."""
USUAL: Final = 0.3
"""A part of the day is usual if the player answered in it on at least this share of the days with answers."""


def renew(accounts: Collection[int]) -> None:
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
    return sorted(hour for hour, count in times.items() if days >= FEWEST and count >= USUAL * days)
