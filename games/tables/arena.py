"""The arena, where bot accounts play each other, game after game.

A bot account in the arena has an open seek with ``games_at_once``. It is matched only with other bot accounts. The seek
stays open: the account enters the next game while fewer than ``games_at_once`` are running, until the seek is
withdrawn. There is only one speed. The account that has waited longest comes first and meets those that it has met
least in recent games. Accounts of one mailbox never play in the same game. With ``fill_after``, Darbar bots of a fixed
level take the free seats, so that ratings can be compared.

An account with ``MOST_TIMED_OUT`` questions that timed out within an hour is removed and notified. It may return after
that hour. Games of the arena are public and have ratings of their own (``ArenaStats``). They have no rematch and no
stand-ins, so the server alone chooses the opponents. ``ARENA_GAMES_PER_HOUR`` limits the number of games. If it is 0,
there is no arena.
"""

from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from itertools import combinations
from typing import Final
from uuid import UUID

from django.conf import settings
from django.db.models import Q, QuerySet
from msgspec.structs import replace

from accounts.models import Account
from config.core.database.sql import lock
from games.archive import pairs, player_stats
from games.models import GOING, ArenaStats, Move, Seat, Seek
from games.terms import SPEEDS

SPEED: Final = "live"
"""The speed of all games of the arena."""
TERMS: Final = replace(SPEEDS[SPEED].terms, misses=1, pauses=timedelta(), longest_pause=timedelta())
"""The terms of all games of the arena. A Darbar bot soon takes over for a silent bot account, and there are no
pauses."""
MOST_AT_ONCE: Final = 5
"""The number of games of one title in which a bot account may be at the same time."""
LIFETIME: Final = timedelta(days=90)
"""The time after which a bot account has to enter again."""
LOOK_EVERY: Final = timedelta(seconds=30)
"""The time between two looks at who may meet."""
LATELY: Final = timedelta(hours=1)
MOST_TIMED_OUT: Final = 3
"""The number of questions that time out within ``LATELY`` with which a bot account is taken out."""


def is_open() -> bool:
    """Return whether this server has an arena."""
    return bool(settings.ARENA_GAMES_PER_HOUR)


def open_seeks() -> QuerySet[Seek]:
    """Return the open seeks of the arena."""
    return Seek.objects.filter(state=Seek.State.OPEN, games_at_once__isnull=False)


_Who = tuple[int, str]
"""A bot account, and the rules by which it plays."""


@dataclass(frozen=True)
class Activity:
    """The games of the arena that are running or ended within the last hour."""

    begun: int
    """The number of games that began within the hour."""
    running: Mapping[_Who, Sequence[UUID]]
    """The running games, oldest first."""
    changed_at: Mapping[_Who, datetime]
    """The time at which the last one began or ended."""
    met: Mapping[frozenset[int], int]
    """The number of games that two bot accounts share."""
    timed_out: Mapping[int, Sequence[datetime]]
    """The times at which questions of a bot account timed out within the hour, the first one first."""

    def running_of(self, seek: Seek) -> Sequence[UUID]:
        """Return the running games of a seek's account."""
        return self.running.get((seek.account_id, seek.rules), ())

    def has_room(self, seek: Seek) -> bool:
        """Return whether a bot account may be in one more game."""
        return len(self.running_of(seek)) < (seek.games_at_once or 0)

    def waits_since(self, seek: Seek) -> datetime:
        """Return since when a bot account has waited for its next game."""
        return max(seek.created_at, self.changed_at.get((seek.account_id, seek.rules), seek.created_at))

    @property
    def remaining(self) -> int:
        """The number of games that may still begin."""
        return max(0, settings.ARENA_GAMES_PER_HOUR - self.begun)


def recent_activity(now: datetime) -> Activity:
    """Return the recent activity in the arena."""
    recent = Q(game__ended_at__isnull=True) | Q(game__ended_at__gt=now - LATELY)
    rows = Seat.objects.filter(recent, game__arena=True, account__isnull=False)
    seats = rows.order_by("game__created_at", "game").values_list(
        "game", "number", "account", "game__rules", "game__state", "game__created_at", "game__ended_at"
    )
    running: dict[_Who, list[UUID]] = defaultdict(list)
    changed_at: dict[_Who, datetime] = {}
    tables: dict[UUID, dict[int, int]] = defaultdict(dict)
    begun = set()
    for game, number, account, rules, state, created_at, ended_at in seats:
        tables[game][number] = account
        if state in GOING:
            running[account, rules].append(game)
        changed = ended_at or created_at
        changed_at[account, rules] = max(changed, changed_at.get((account, rules), changed))
        if created_at > now - LATELY:
            begun.add(game)
    met = Counter(frozenset(two) for seated in tables.values() for two in combinations(seated.values(), 2))
    return Activity(len(begun), running, changed_at, met, _timed_out(tables, now))


def _timed_out(tables: Mapping[UUID, Mapping[int, int]], now: datetime) -> Mapping[int, Sequence[datetime]]:
    """Return when questions of these tables timed out within the last hour, by the account that sits there."""
    moves = Move.objects.filter(game__in=tables.keys(), via=Move.Via.TIMEOUT, received_at__gt=now - LATELY)
    times: dict[int, list[datetime]] = defaultdict(list)
    for game, seat, at in moves.order_by("received_at").values_list("game", "seat", "received_at"):
        if seat in tables[game]:
            times[tables[game][seat]].append(at)
    return times


def of_one_owner(accounts: Iterable[int]) -> frozenset[frozenset[int]]:
    """Return the pairs of these bot accounts whose addresses are those of one mailbox."""
    return frozenset(map(frozenset, pairs.of_one_mailbox(Account.objects.filter(pk__in=accounts))))


def may_begin(seeks: Iterable[Seek], now: datetime) -> bool:
    """Return whether a game of these accounts may start, and lock out other starts until the end of the transaction."""
    lock("games.tables.arena")
    activity = recent_activity(now)
    return activity.remaining > 0 and all(activity.has_room(seek) for seek in seeks)


MOST_BOTS_LISTED: Final = 200
"""The most bots on the page of the arena."""


@dataclass(frozen=True)
class ListedBot:
    """A bot account in the arena, or the Darbar bots that fill tables there."""

    account: Account | None
    """The bot account. It is None for the Darbar bots."""
    stats: ArenaStats
    seek: Seek | None
    """The open seek. It is None for the Darbar bots."""
    running: Sequence[UUID]
    """The running games."""

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
    if not is_open():
        return []
    present = open_seeks().filter(account__is_active=True)
    seeks = list(present.select_related("account").order_by("created_at", "id"))
    accounts = Q(account__in=[seek.account_id for seek in seeks]) | Q(account=None)
    rows = ArenaStats.objects.filter(accounts, rules__in={seek.rules for seek in seeks})
    stats = {(row.account_id, row.rules): row for row in rows}
    activity = recent_activity(now)
    bots = [ListedBot(None, stat, None, ()) for stat in stats.values() if stat.account_id is None]
    for seek in seeks:
        own_stats = stats.get((seek.account_id, seek.rules)) or ArenaStats(account=seek.account, rules=seek.rules)
        bots.append(ListedBot(seek.account, own_stats, seek, activity.running_of(seek)))
    return sorted(bots, key=lambda bot: (bot.stats.rules, -bot.rating, -bot.stats.games))
