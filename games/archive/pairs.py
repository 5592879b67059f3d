"""Pairs of accounts that stand out: two accounts of one mailbox, accounts that play only with each other, and ratings
that move only one way.

Only recent finished games count, without those of the arena, where the server chooses the opponents. The only result is
a line on the moderators' page (``games.moderation``): friends play together too, and one player may just be
stronger.
"""

from collections import defaultdict
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import datetime
from itertools import combinations
from typing import Final

from django.db.models import QuerySet

from accounts.models import Account
from config.core.database.sql import find
from config.core.email_spellings import mailbox_of
from games import queries

LEAST_GAMES: Final = 5
"""The number of games together below which a pair is not reported."""


@dataclass(frozen=True)
class Flow:
    """Ratings that move from one account to another, game by game."""

    winner: int
    loser: int
    games: int
    """The number of games in which the winner's rating rose and the loser's fell."""
    won: int
    lost: int


def of_one_mailbox(accounts: QuerySet[Account]) -> Iterator[tuple[int, int]]:
    """Yield two of these accounts whose addresses belong to one mailbox, as invitations count it."""
    owners: dict[str, list[int]] = defaultdict(list)
    for account, address in accounts.order_by("pk").values_list("pk", "email").iterator():
        owners[mailbox_of(address)].append(account)
    for same in owners.values():
        yield from combinations(same, 2)


def only_each_other(since: datetime) -> Iterator[tuple[int, int, int]]:
    """Yield two accounts that played all their games with people together, with the number; the older account first.

    If a third player was in most of these games, they are a group of friends, and the pair is left out.
    """
    yield from find(queries.PAIRS_TOGETHER, {"since": since, "least": LEAST_GAMES})


def one_sided(since: datetime) -> Iterator[Flow]:
    """Yield the pairs in which almost every game raises the rating of one account and lowers the other's.

    These games must be at least half of the loser's rated games, because a strong player beats many others.
    """
    for row in find(queries.ONE_SIDED_PAIRS, {"since": since, "least": LEAST_GAMES}):
        yield Flow(*row)
