"""Logs of games that were over long ago: one compressed row in place of a row for each line."""

import uuid
import zlib
from collections.abc import Collection
from datetime import datetime
from typing import NamedTuple

import msgspec
from django.db import connection

from games.models import ArchivedLog


class StoredLine(NamedTuple):
    """A line of a log as its row has it, without the game."""

    number: int
    body: str
    draws: str | None
    at: datetime
    via: str
    seat: int | None
    move: uuid.UUID | None
    shown: list[int] | None


def archive(game: uuid.UUID) -> None:
    """Put the log of a game that is over into its compressed row. Only inside a transaction that has locked the game.

    Its lines are deleted from the log once they are read back from there: the database refuses it before that.
    """
    with connection.cursor() as cursor:
        cursor.execute(
            "SELECT number, body, draws, at, via, seat, move_id, shown FROM games_event WHERE game_id = %s"
            " ORDER BY number",
            [game],
        )
        lines = [StoredLine(*row) for row in cursor]
        ArchivedLog.objects.create(game_id=game, lines=zlib.compress(msgspec.json.encode(lines), 9))
        if find([game])[game] != lines:
            raise AssertionError(f"the log of game {game} is not what its archive says")
        cursor.execute("DELETE FROM games_event WHERE game_id = %s", [game])


def find(games: Collection[uuid.UUID]) -> dict[uuid.UUID, list[StoredLine]]:
    """Return the logs of those of these games that are archived."""
    if not games:  # else a query is built that is never sent
        return {}
    rows = ArchivedLog.objects.filter(game__in=games).values_list("game_id", "lines")
    return {game: msgspec.json.decode(zlib.decompress(lines), type=list[StoredLine]) for game, lines in rows}
