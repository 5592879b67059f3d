"""Series: the wins of the same people over several games.

A rematch follows its game (``games.lobby.rematch``), so a series is the chain of games that ends with one game.
"""

from collections.abc import Mapping
from typing import Final
from uuid import UUID

from django.db import connection

from accounts.models import Account
from games.engine import SeatNumber
from games.models import Game, Result
from games.visibility.access import visible

_BEFORE: Final = """
    WITH RECURSIVE chain (id, steps) AS (
        SELECT %s::uuid, 1
        UNION ALL
        SELECT game.id, steps + 1 FROM games_game game JOIN chain ON game.rematch_id = chain.id WHERE steps < %s
    )
    SELECT id FROM chain
"""
MOST_GAMES: Final = 200
"""The highest number of games in a series that are counted."""


def games_up_to(game: Game) -> list[UUID]:
    """Return this game and the games before it in its series, beginning with this one."""
    with connection.cursor() as cursor:
        cursor.execute(_BEFORE, [game.pk, MOST_GAMES])
        return [row[0] for row in cursor.fetchall()]


def wins_by_seat(game: Game, reader: Account | None) -> Mapping[SeatNumber, int]:
    """Return the number of wins of each player of this game in its series so far. Empty for the first game.

    Only games that the reader may see and whose results are stored are counted. Bots are identified by their seat.
    """
    chain = games_up_to(game)
    if len(chain) < 2:
        return {}
    won = Result.objects.filter(game__in=visible(reader).filter(pk__in=chain).values("pk"), won=True)
    winners = list(won.values_list("account", "bot", "seat"))
    return {
        SeatNumber(seat.number): sum(
            account == seat.account_id if seat.account_id else bot and number == seat.number
            for account, bot, number in winners
        )
        for seat in game.seats.all()
    }
