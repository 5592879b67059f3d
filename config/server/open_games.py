"""The stream of open games: first all of them, then those that are added, changed or removed.

Nothing is stored for it. While it has clients, the process queries the public open games once a second.
"""

import asyncio
import json
import logging
import time
from collections.abc import AsyncIterator, Awaitable, Callable, Iterator, Mapping
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any, Final
from urllib.parse import parse_qs

from django.db import InterfaceError, OperationalError
from django.db.models import Count, Q
from django.utils import timezone

from config.core.clock import whole_second, write_moment
from games.models import Game
from games.rules.registry import RULES
from games.visibility.access import visible
from notifications.stream_events import Listener

logger = logging.getLogger(__name__)

PATH: Final = "/api/v1/stream/games/"
PERIOD: Final = 1.0
"""Seconds between two queries."""
MOST: Final = 500
"""The number of games, the newest ones."""


@dataclass(frozen=True)
class GameFilter:
    """The open games that a client requests. None for all."""

    rules: str | None = None
    seat_count: int | None = None

    def matches(self, game: Mapping[str, Any]) -> bool:
        return self.rules in (None, game["rules"]) and self.seat_count in (None, game["seat_count"])


def parse_filter(query: str) -> GameFilter:
    """Return the filter in a query. Raises ValueError with a sentence."""
    parameters = {name: values[-1] for name, values in parse_qs(query, keep_blank_values=True).items()}
    if unknown := parameters.keys() - {"rules", "seat_count", "last-event-id"}:
        raise ValueError(
            f"There’s no parameter “{sorted(unknown)[0][:40]}” here. The parameters are: rules, seat_count."
        )
    rules, count = parameters.get("rules"), parameters.get("seat_count")
    if rules is not None and rules not in RULES:
        raise ValueError(f"rules: there are {', '.join(sorted(RULES))}.")
    if count is not None and not (count.isascii() and count.isdigit() and 1 <= int(count[:9]) <= 100):
        raise ValueError("seat_count: a number from 1 to 100.")
    return GameFilter(rules, None if count is None else int(count))


@dataclass
class OpenGames:
    """The open games at the last query of this process."""

    run: Callable[..., Awaitable[Any]]
    """Runs a function that queries the database in a thread."""
    _last_games: dict[str, dict[str, Any]] = field(default_factory=dict)
    _queried_at: float = float("-inf")
    _query_lock: asyncio.Lock = field(default_factory=asyncio.Lock)

    async def frames(self, filter: GameFilter, listener: Listener) -> AsyncIterator[bytes]:
        """Yield events about open games until the stream ends. They do not depend on the account."""
        yield BEGIN
        before: dict[str, dict[str, Any]] = {}
        silent = 0.0
        while True:
            after = {id: game for id, game in (await self._games()).items() if filter.matches(game)}
            changes = [*_changes(before, after)]
            before, silent = after, 0.0 if changes else silent + PERIOD
            for kind, data in changes:
                yield frame(kind, data["game"], data, timezone.now())
            if silent >= HEARTBEAT:
                silent = 0.0
                yield NOTHING_NEW
            if await listener.is_ended(PERIOD):
                return

    async def _games(self) -> dict[str, dict[str, Any]]:
        """Return all open games, with one query a period for all clients."""
        async with self._query_lock:
            if time.monotonic() - self._queried_at >= PERIOD:
                try:
                    self._last_games = await self.run(_query_games)
                except (OperationalError, InterfaceError) as error:  # the streams stay open
                    logger.warning("The open games cannot be queried: %s", type(error).__name__)
                self._queried_at = time.monotonic()
        return self._last_games


def _changes(before: Mapping[str, Any], after: Mapping[str, Any]) -> Iterator[tuple[str, dict[str, Any]]]:
    """Yield an event for each game that was added, changed or removed: its kind and its data."""
    for id, game in after.items():
        if before.get(id) != game:
            yield "open-game", game
    for id in before.keys() - after.keys():
        yield "closed-game", {"game": id}


def _query_games() -> dict[str, dict[str, Any]]:
    """Return the public games that can be joined, newest first."""
    games = visible(None).filter(state=Game.State.OPEN).annotate(taken=Count("seats", filter=Q(seats__bot=False)))
    return {str(game.id): _game_data(game) for game in games.order_by("-created_at", "-id")[:MOST]}


def _game_data(game: Any) -> dict[str, Any]:
    return {
        "game": str(game.id),
        "rules": game.rules,
        "options": game.options,
        "seat_count": game.seat_count,
        "free": game.seat_count - game.bot_count - game.taken,
        "created_at": write_moment(game.created_at),
    }


BEGIN: Final = b"retry: 3000\n\n"
"""The beginning of a stream, with the milliseconds after which a browser connects again."""
NOTHING_NEW: Final = b": nothing new\n\n"
HEARTBEAT: Final = 15.0
"""Seconds without an event after which a comment is sent."""


def frame(kind: str, id: str, data: dict[str, Any], at: datetime) -> bytes:
    """Return an event as bytes: its kind, its data with its time, and the id for Last-Event-ID."""
    body = json.dumps({**data, "at": write_moment(whole_second(at))}, separators=(",", ":"))
    return f"id: {id}\nevent: {kind}\ndata: {body}\n\n".encode()
