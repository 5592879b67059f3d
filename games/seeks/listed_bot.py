"""The public data of the bot accounts in the arena."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Final
from uuid import UUID

from django.db.models import Q

from accounts.models import Account
from games.archive import player_stats
from games.models import ArenaStats, Seek
from games.seeks import arena

MOST_LISTED: Final = 200


@dataclass(frozen=True)
class ListedBot:
    """A bot account in the arena, or the Darbar bots that fill tables there."""

    account: Account | None
    """None stands for the Darbar bots."""
    stats: ArenaStats
    seek: Seek | None
    """None for the Darbar bots."""
    running: Sequence[UUID]
    """The games that go on."""

    @property
    def rating(self) -> int:
        """The rating, which is that of a newcomer before the first game."""
        return player_stats.points(self.stats)

    @property
    def reliability(self) -> float | None:
        """The part of the questions in the arena that was answered in time."""
        return player_stats.share_in_time([self.stats])


def list_bots(now: datetime) -> list[ListedBot]:
    """Return the bots of the arena, those of one game together, the best first."""
    if not arena.is_open():
        return []
    present = arena.open_seeks().filter(account__is_active=True)
    seeks = list(present.select_related("account").order_by("created_at", "id")[:MOST_LISTED])
    of_them = Q(account__in=[seek.account_id for seek in seeks]) | Q(account=None)
    rows = ArenaStats.objects.filter(of_them, rules__in={seek.rules for seek in seeks})
    stats = {(row.account_id, row.rules): row for row in rows}
    activity = arena.recent_activity(now)
    bots = [ListedBot(None, stat, None, ()) for stat in stats.values() if stat.account_id is None]
    for seek in seeks:
        mine = stats.get((seek.account_id, seek.rules)) or ArenaStats(account=seek.account, rules=seek.rules)
        bots.append(ListedBot(seek.account, mine, seek, activity.running_of(seek)))
    return sorted(bots, key=lambda each: (each.stats.rules, -each.rating, -each.stats.games))
