"""The open lobby: all searches for players, which everyone sees and joins with one tap.

Every reader sees the same list, except for the names and their own searches. Searches for the same game are one entry
with the number of players found, and without names, ages or online states. The number stays below the number that the
game needs, as if the players who came last had not come. If a search goes on although enough players have come, a
block, a vacation, an absence or a limit keeps them apart. Nothing tells which. The order depends only on the games.

An owner may be named to the accounts that they follow, but never to an account that they have blocked.
"""

import hashlib
from collections import defaultdict
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any, NamedTuple

import msgspec
from django.contrib.postgres.aggregates import ArrayAgg
from django.db.models import QuerySet

from accounts.models import Account, Block, Follow
from games.models import Seek
from games.refusals import not_found
from games.rules.registry import RULES
from games.seeks.new_seek import SEARCHED_GAME, NewSeek, create_seek


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
    return SearchedGame(*(getattr(seek, field) for field in SEARCHED_GAME))


def list_entries(reader: Account | None) -> list[LobbyEntry]:
    """Return the open searches of people, those for the same game together."""
    rows = Seek.objects.filter(state=Seek.State.OPEN, games_at_once=None, account__is_active=True, rules__in=RULES)
    names = {} if reader is None else _names(rows, reader)
    groups = rows.values_list(*SEARCHED_GAME).annotate(accounts=ArrayAgg("account", order_by=("created_at", "pk")))
    entries = [_entry(SearchedGame(*fields), accounts, reader, names) for *fields, accounts in groups]
    return sorted(entries, key=lambda entry: (entry.game.rules, entry.game.least - entry.player_count, entry.game.id))


_Names = Mapping[str, Mapping[int, str]]
"""The names of accounts that may be shown, by the id of the game that they search for."""


def _names(rows: QuerySet[Seek], reader: Account) -> _Names:
    followers = Follow.objects.filter(other=reader).values("owner")
    searches = rows.filter(shows_name=True, account__in=followers)
    searches = searches.exclude(account__in=Block.objects.filter(other=reader).values("owner"))
    names: dict[str, dict[int, str]] = defaultdict(dict)
    for seek in searches.select_related("account"):
        names[searched_game(seek).id][seek.account_id] = seek.account.name
    return names


def _entry(game: SearchedGame, accounts: list[int], reader: Account | None, owner_names: _Names) -> LobbyEntry:
    """Return the entry of a game. ``accounts`` begins with the player who came first."""
    is_own = reader is not None and reader.pk in accounts
    player_count = min(len(accounts), max(game.least - 1, 1))
    others = [account for account in accounts if reader is None or account != reader.pk]
    names = owner_names.get(game.id, {})
    listed_names = sorted(names[account] for account in others[: player_count - is_own] if account in names)
    return LobbyEntry(game, player_count, tuple(listed_names), is_own)


def join_search(account: Account, entry: str, now: datetime) -> Seek:
    """Search for the same game as others. Raises Refusal(not-found) if the search is over."""
    game = next((row.game for row in list_entries(account) if row.game.id == entry), None)
    if game is None:
        raise not_found()
    return create_seek(account, NewSeek(**game._asdict()), now)
