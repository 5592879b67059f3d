"""Archives: the log of a game that ended long ago is one compressed row instead of one row for each line."""

import uuid
import zlib
from collections.abc import Collection
from datetime import datetime
from typing import NamedTuple

import msgspec

from games.models import ArchivedLog, Event


class StoredLine(NamedTuple):
    """A line of a log as stored in its row, without the game's id."""

    number: int
    body: str
    draws: str | None
    at: datetime
    via: str
    seat: int | None
    move_id: uuid.UUID | None
    shown: list[int] | None


def archive(game: uuid.UUID) -> None:
    """Move the log of a finished game into its compressed row. Call it in a transaction that has locked the game.

    The lines are deleted only after they have been read back from the archive. Before that, the database refuses to
    delete them.
    """
    events = Event.objects.filter(game_id=game)
    lines = [StoredLine(*row) for row in events.order_by("number").values_list(*StoredLine._fields)]
    ArchivedLog.objects.create(game_id=game, lines=zlib.compress(msgspec.json.encode(lines), 9))
    if find([game])[game] != lines:
        raise AssertionError(f"the log of game {game} is not what its archive says")
    events.delete()


def find(games: Collection[uuid.UUID]) -> dict[uuid.UUID, list[StoredLine]]:
    """Return the archived logs of these games. Games without an archive are left out."""
    if not games:  # Without this, Django would build a query and not send it.
        return {}
    rows = ArchivedLog.objects.filter(game__in=games).values_list("game_id", "lines")
    return {game: msgspec.json.decode(zlib.decompress(lines), type=list[StoredLine]) for game, lines in rows}
