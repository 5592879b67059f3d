"""Open games as a stream tells of them: all that there are, then those that come, change and go.

Nothing is written for it. While somebody listens, a process looks at the public open tables once a second.
"""

import asyncio
import logging
import time
from collections.abc import AsyncIterator, Awaitable, Callable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any, Final
from urllib.parse import parse_qs

from django.db import InterfaceError, OperationalError
from django.db.models import Count, Q
from django.utils import timezone

from config.http.stream.frames import BEGIN, HEARTBEAT, NOTHING_NEW, frame
from config.moments import write_moment
from games.models import Game
from games.rules.registry import RULES
from games.visibility.access import visible
from notifications.stream.hub import Listener

logger = logging.getLogger(__name__)

PATH: Final = "/api/v1/stream/games/"
PERIOD: Final = 1.0
"""Seconds between two looks."""
MOST: Final = 500
"""The most games that are told of: the newest."""


@dataclass(frozen=True)
class Wanted:
    """The open games that a client wants to hear of; None: of all."""

    rules: str | None = None
    seat_count: int | None = None

    def takes(self, game: Mapping[str, Any]) -> bool:
        """Return whether a game is among them."""
        return self.rules in (None, game["rules"]) and self.seat_count in (None, game["seat_count"])


def wanted(query: str) -> Wanted:
    """Read a query. ValueError with a sentence for what is no filter."""
    given = {name: values[-1] for name, values in parse_qs(query, keep_blank_values=True).items()}
    if strange := given.keys() - {"rules", "seat_count", "last-event-id"}:
        raise ValueError(f"There is no parameter “{sorted(strange)[0][:40]}” here: there are rules and seat_count.")
    rules, count = given.get("rules"), given.get("seat_count")
    if rules is not None and rules not in RULES:
        raise ValueError(f"rules: there are {', '.join(sorted(RULES))}.")
    if count is not None and not (count.isascii() and count.isdigit() and 1 <= int(count[:9]) <= 100):
        raise ValueError("seat_count: a number from 1 to 100.")
    return Wanted(rules, None if count is None else int(count))


@dataclass
class OpenGames:
    """The open games as a process knows them."""

    run: Callable[..., Awaitable[Any]]
    """Runs in a thread everything that asks the database."""
    _known: dict[str, dict[str, Any]] = field(default_factory=dict)
    _looked: float = float("-inf")
    _looking: asyncio.Lock = field(default_factory=asyncio.Lock)

    async def frames(self, wanted: Wanted, listener: Listener) -> AsyncIterator[bytes]:
        """Send open games until somebody ends the stream. It has nothing that concerns the account alone."""
        yield BEGIN
        told: dict[str, dict[str, Any]] = {}
        silent = 0.0
        while True:
            known = {id: game for id, game in (await self._games()).items() if wanted.takes(game)}
            changes = [*_changes(told, known)]
            told, silent = known, 0.0 if changes else silent + PERIOD
            for kind, data in changes:
                yield frame(kind, data["game"], data, timezone.now())
            if silent >= HEARTBEAT:
                silent = 0.0
                yield NOTHING_NEW
            if await listener.is_ended(PERIOD):
                return

    async def _games(self) -> dict[str, dict[str, Any]]:
        """All open games, looked at once a period however many ask."""
        async with self._looking:
            if time.monotonic() - self._looked >= PERIOD:
                try:
                    self._known = await self.run(_look)
                except (OperationalError, InterfaceError) as error:  # the streams stay open
                    logger.warning("The open games cannot be looked at: %s", type(error).__name__)
                self._looked = time.monotonic()
        return self._known


def _changes(told: Mapping[str, Any], known: Mapping[str, Any]) -> Iterator[tuple[str, dict[str, Any]]]:
    """Yield the games that have come, changed or gone since something was told: the kind of event, and its data."""
    for id, game in known.items():
        if told.get(id) != game:
            yield "open-game", game
    for id in told.keys() - known.keys():
        yield "closed-game", {"game": id}


def _look() -> dict[str, dict[str, Any]]:
    """The public tables that can be joined, the newest first."""
    games = visible(None).filter(state=Game.State.OPEN).annotate(taken=Count("seats", filter=Q(seats__bot=False)))
    return {str(game.id): _told(game) for game in games.order_by("-created_at", "-id")[:MOST]}


def _told(game: Any) -> dict[str, Any]:
    return {
        "game": str(game.id),
        "rules": game.rules,
        "options": game.options,
        "seat_count": game.seat_count,
        "free": game.seat_count - game.bot_count - game.taken,
        "created_at": write_moment(game.created_at),
    }
