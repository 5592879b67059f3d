"""Pages of the list of games: games that an account may see and that match a filter, newest first.

The statement is written in SQL, because a queryset takes ten times as long, most of it to build the statement.
"""

from collections.abc import Iterator, Mapping, Sequence
from datetime import datetime
from typing import Any, Final
from uuid import UUID

from django.db import router

from accounts.models import Account
from config.core.database.rows import fetch
from games.models import Game
from games.visibility.access import games_for_reader, games_of_followed, visible_in_sql

_PAGE: Final = "SELECT {{}} FROM games_game AS row WHERE {} ORDER BY row.created_at DESC, row.id DESC LIMIT %s"
_FILTERS: Final[Mapping[str, str]] = {
    "state": "row.state = %s",
    "rules": "row.rules = %s",
    "club": "row.club_id = %s",
    "arena": "row.arena = %s",
    "ids": "row.id = ANY(%s)",
}
_MINE: Final = "row.id IN (SELECT game_id FROM games_seat WHERE account_id = %s)"
_OLDER: Final = "(row.created_at, row.id) < (%s, %s)"

_Condition = tuple[str, Sequence[Any]]
"""A condition on a game in SQL, with its parameters."""


def page_of_games(
    account: Account, filters: Mapping[str, Any], after: tuple[datetime, UUID] | None, size: int
) -> list[Game]:
    """Return the first games that match the filters of ``GamesFilterSerializer``, as an account may see them.

    With ``after``, only games that were created before that time, or at that time and with a smaller id.
    """
    texts, values = zip(*_conditions(account, filters, after), strict=True)
    parameters = [parameter for group in values for parameter in group]
    games = fetch(Game, _PAGE.format(" AND ".join(texts)), [*parameters, size], router.db_for_read(Game))
    return games_for_reader(games, account)


def _conditions(
    account: Account, filters: Mapping[str, Any], after: tuple[datetime, UUID] | None
) -> Iterator[_Condition]:
    yield visible_in_sql("row"), [account.pk] * 3
    yield from ((text, [filters[name]]) for name, text in _FILTERS.items() if name in filters)
    if "mine" in filters:
        yield _MINE if filters["mine"] else f"NOT {_MINE}", [account.pk]
    if filters.get("followed"):
        followed, parameters = games_of_followed(account).values("pk").query.sql_with_params()
        yield f"row.id IN ({followed})", parameters
    if after:
        yield _OLDER, after
