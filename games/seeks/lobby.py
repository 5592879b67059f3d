"""The open lobby: all searches for players, which everyone sees and joins with one tap.

Every reader sees the same list. Searches for the same game are one entry with the number of players found, and without
names, ages or online states. The number stays below the number that the game needs: a search that a block, a vacation
or a limit keeps apart looks as if no other player had come. The order depends only on the games.
"""

import hashlib
from collections import defaultdict
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any, Final, NamedTuple

import msgspec

from accounts.models import Account, Follow
from games.engine import Phrase, gettext_noop
from games.models import Seek
from games.refusals import Refusal, not_found
from games.seeks.new_seek import NewSeek, create_seek

MOST_READ: Final = 2000
"""The number of searches that are read for the list."""
_FIELDS: Final = ("rules", "least", "most", "speed", "options", "fill_after")


class SearchedGame(NamedTuple):
    """The game that a search is for."""

    rules: str
    least: int
    most: int
    speed: str
    options: dict[str, Any]
    fill_after: timedelta | None

    @property
    def id(self) -> str:
        """Return a digest of the game. It does not depend on the accounts that search."""
        return hashlib.sha256(msgspec.json.encode(tuple(self), order="deterministic")).hexdigest()[:16]


@dataclass(frozen=True)
class LobbyEntry:
    """The searches for one game."""

    game: SearchedGame
    player_count: int
    """The number of players found. It stays below ``game.least``."""
    names: tuple[str, ...]
    """The names of searching players who follow the reader and have agreed to be named to such readers."""
    is_own: bool
    """True if the reader takes part in the search."""


def searched_game(seek: Seek) -> SearchedGame:
    return SearchedGame(*(getattr(seek, field) for field in _FIELDS))


def list_entries(reader: Account | None) -> list[LobbyEntry]:
    """Return the open searches of people, those for the same game together."""
    rows = Seek.objects.filter(state=Seek.State.OPEN, games_at_once=None, account__is_active=True)
    searches: dict[str, list[Seek]] = defaultdict(list)
    for seek in rows.select_related("account").order_by("pk")[:MOST_READ]:
        searches[searched_game(seek).id].append(seek)
    followers = _followers(reader)
    entries = [_entry(seeks, reader, followers) for seeks in searches.values()]
    return sorted(entries, key=lambda entry: (entry.game.rules, entry.game.least - entry.player_count, entry.game.id))


def _followers(reader: Account | None) -> set[int]:
    """Return the accounts that follow the reader."""
    return set() if reader is None else {*Follow.objects.filter(other=reader).values_list("owner", flat=True)}


def _entry(seeks: list[Seek], reader: Account | None, followers: set[int]) -> LobbyEntry:
    game = searched_game(seeks[0])
    accounts = {seek.account_id for seek in seeks}
    names = sorted({seek.account.name for seek in seeks if seek.shows_name and seek.account_id in followers})
    is_own = reader is not None and reader.pk in accounts
    player_count = min(len(accounts), max(game.least - 1, 1))
    # More names than players found would reveal that a player is kept apart.
    return LobbyEntry(game, player_count, tuple(names[: max(player_count - is_own, 0)]), is_own)


def join_search(account: Account, entry: str, now: datetime) -> Seek:
    """Search for the same game as others. Raises Refusal(not-found) if the search is over."""
    row = next((row for row in list_entries(account) if row.game.id == entry), None)
    if row is None:
        raise not_found()
    if row.is_own:
        raise Refusal("conflict", Phrase(gettext_noop("You’re looking for this game already.")))
    return create_seek(account, NewSeek(**row.game._asdict()), now)
