"""Pairs of accounts that stand out: two accounts of one mailbox, accounts that play only with each other, and ratings
that move only one way.

Only recent finished games count, without those of the arena, where the server chooses the opponents. The only result is
a line on the moderators' page (``games.social.moderation``): friends play together too, and one player may just be
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
from config.core.database.rows import find
from notifications.recipients.deliverability import mailbox_of

LEAST_GAMES: Final = 5
"""The number of games together below which a pair is not reported."""
_TOGETHER: Final = """
    WITH sat AS (
        SELECT game_id, account_id FROM games_result JOIN games_game AS game ON game.id = game_id
        WHERE game.state = 'over' AND NOT game.arena AND game.ended_at > %(since)s AND account_id IS NOT NULL
    ), of_people AS (
        SELECT * FROM sat WHERE game_id IN (SELECT game_id FROM sat GROUP BY game_id HAVING count(*) > 1)
    ), played AS (
        SELECT account_id, count(*) AS games FROM of_people GROUP BY account_id HAVING count(*) >= %(least)s
    ), pair AS (
        SELECT one.account_id AS first, other.account_id AS second, count(*) AS games
        FROM of_people AS one JOIN of_people AS other USING (game_id)
        WHERE one.account_id < other.account_id GROUP BY 1, 2 HAVING count(*) >= %(least)s
    )
    SELECT first, second, pair.games FROM pair
    JOIN played AS one ON one.account_id = first AND one.games = pair.games
    JOIN played AS other ON other.account_id = second AND other.games = pair.games
    WHERE NOT EXISTS (
        SELECT FROM of_people AS mine JOIN of_people AS third USING (game_id)
        WHERE mine.account_id = first AND third.account_id NOT IN (first, second)
        GROUP BY third.account_id HAVING 2 * count(*) > pair.games
    )
    ORDER BY pair.games DESC, first, second
"""
_ONE_SIDED: Final = """
    WITH counted AS (
        SELECT result.*, game.rules, bool_or(bot) OVER (PARTITION BY game_id) AS with_bots
        FROM games_result AS result JOIN games_game AS game ON game.id = game_id
        WHERE game.state = 'over' AND NOT game.arena AND game.ended_at > %(since)s
    ), moved AS (
        SELECT game_id, account_id, team, rating - lag(rating) OVER (
            PARTITION BY account_id, rules ORDER BY id
        ) AS by
        FROM counted WHERE NOT with_bots AND account_id IS NOT NULL AND rating IS NOT NULL
    ), pair AS (
        SELECT up.account_id AS winner, down.account_id AS loser, count(*) AS games,
            sum(up.by) AS won, -sum(down.by) AS lost
        FROM moved AS up JOIN moved AS down USING (game_id)
        WHERE up.by > 0 AND down.by < 0 AND up.team <> down.team GROUP BY 1, 2
    )
    SELECT pair.winner, pair.loser, pair.games, pair.won, pair.lost FROM pair
    LEFT JOIN pair AS back ON back.winner = pair.loser AND back.loser = pair.winner
    WHERE pair.games >= %(least)s AND 10 * coalesce(back.games, 0) <= pair.games
    AND 2 * pair.games >= (SELECT count(*) FROM moved WHERE account_id = pair.loser AND by IS NOT NULL)
    ORDER BY pair.games DESC, pair.winner, pair.loser
"""


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
    yield from find(_TOGETHER, {"since": since, "least": LEAST_GAMES})


def one_sided(since: datetime) -> Iterator[Flow]:
    """Yield the pairs in which almost every game raises the rating of one account and lowers the other's.

    These games must be at least half of the loser's rated games, because a strong player beats many others.
    """
    for row in find(_ONE_SIDED, {"since": since, "least": LEAST_GAMES}):
        yield Flow(*row)
