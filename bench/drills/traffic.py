"""Requests to a server: people who play against bots, as fast as they are answered."""

import threading
import time
from collections import Counter
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from itertools import cycle
from typing import Any, Final

import httpx

from tests.server.darbar import Darbar
from tests.server.player import Player

NAMES: Final = ("Maryam", "Sepideh", "Bahareh", "Kaveh")
_LIMITS: Final = (
    "REQUESTS_PER_ACCOUNT", "REQUESTS_PER_ADDRESS", "GAMES_PER_HOUR", "GAMES_PER_DAY", "GAMES_AT_ONCE"
)  # fmt: skip
WITHOUT_LIMITS: Final = dict.fromkeys(_LIMITS, "1000000")
"""Settings under which four people may ask as much as they like."""
_FAILED: Final = 500


@dataclass
class Outcome:
    """The answers that people got."""

    statuses: Counter[int] = field(default_factory=Counter)
    """The number of responses of each status; 0 where there was no answer."""
    seconds: float = 0.0

    @property
    def errors(self) -> int:
        """Answers of 5xx, and requests without an answer."""
        return sum(count for status, count in self.statuses.items() if not 0 < status < _FAILED)


def play(server: Darbar, requests: int) -> Outcome:
    """Let four people play until they have asked so often."""
    outcome, begun = Outcome(), time.monotonic()
    players = [Player(server, name).sign_up() for name in NAMES]
    left = threading.Semaphore(requests)
    with ThreadPoolExecutor(len(players)) as threads:
        for statuses in threads.map(lambda player: _play(player, left), players):
            outcome.statuses.update(statuses)
    outcome.seconds = time.monotonic() - begun
    return outcome


def _play(player: Player, left: threading.Semaphore) -> Counter[int]:
    statuses: Counter[int] = Counter()
    steps = _steps()
    ask = next(steps)
    while left.acquire(blocking=False):
        method, path, said = ask
        try:
            answer = player.http.request(method, f"/api/v1/{path}", json=said)
            statuses[answer.status_code] += 1
            told = answer.json() if answer.content else None
        except httpx.HTTPError:
            statuses[0] += 1
            told = None
        ask = steps.send(told)
    player.http.close()
    return statuses


def _steps() -> Any:
    """Yield what to ask next; is sent the answer. A new game each time one is over."""
    for seats in cycle((2, 3)):
        game = yield "POST", "games/", {"rules": "coup", "seat_count": seats, "bots": [{}] * (seats - 1)}
        while game and game.get("state") in ("open", "starting", "running"):
            yield from _turn(game["id"])
            game = yield "GET", f"games/{game['id']}/", None


def _turn(game: str) -> Iterator[Any]:
    """Answer what is asked with the first move that is offered, and look around."""
    asked = yield "GET", f"games/{game}/questions/", None
    if asked and isinstance(asked, list):
        move = {"question": asked[0]["id"], "text": asked[0]["moves"][0]["text"]}
        yield "POST", f"games/{game}/moves/", move
    yield "GET", f"games/{game}/events/", None
    yield "GET", "games/", None
