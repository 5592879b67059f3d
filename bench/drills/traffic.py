"""Requests to a server: people who play against bots, as fast as they are answered."""

import threading
import time
from collections import Counter
from collections.abc import Callable, Generator, Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import closing, contextmanager
from dataclasses import dataclass, field
from typing import Any, Final

import httpx

from tests.server.darbar import wait_until
from tests.server.player import Listening, Player

NAMES: Final = ("Maryam", "Sepideh", "Bahareh", "Kaveh")
_LIMITS: Final = (
    "REQUESTS_PER_ACCOUNT", "REQUESTS_PER_ADDRESS", "GAMES_PER_HOUR", "GAMES_PER_DAY", "GAMES_AT_ONCE"
)  # fmt: skip
WITHOUT_LIMITS: Final = dict.fromkeys(_LIMITS, "1000000")
"""Settings under which four people may ask as much as they like."""
PATIENCE: Final = 1800.0
_FAILED: Final = 500
_FEW: Final = 2
"""A player with fewer open questions begins another game."""
_LONGEST_PAUSE: Final = 0.5
"""Seconds that a player waits at most, whatever Retry-After says."""

Asked = tuple[str, str, Any]
"""A method, a path, and what is sent."""


@dataclass
class Outcome:
    """The answers that people got."""

    statuses: list[int] = field(default_factory=list)
    """The status of each response; 0 where there was no answer."""
    moves: list[tuple[float, str]] = field(default_factory=list)
    """The moves that were acknowledged: when, and their ids."""
    without_retry_after: int = 0
    """Answers of 5xx that were no 503 with Retry-After, and requests without an answer."""
    seconds: float = 0.0
    players: list[Future[None]] = field(default_factory=list)

    def wait_for(self, enough: Callable[[], bool], title: str) -> None:
        """Wait until there is enough of something. Raises what a player has failed with."""

        def is_over() -> bool:
            for player in self.players:
                if player.done():
                    player.result()
            return enough()

        wait_until(is_over, title, PATIENCE)

    @property
    def errors(self) -> int:
        """Answers of 5xx, and requests without an answer."""
        return sum(not 0 < status < _FAILED for status in self.statuses)

    def __str__(self) -> str:
        total = len(self.statuses)
        return (
            f"{self.errors} errors in {total} requests, {total / self.seconds:.0f} a second; "
            f"statuses {dict(sorted(Counter(self.statuses).items()))}"
        )


def sign_up(server: Listening) -> list[httpx.Client]:
    """Sign four people up at a server; return a client for each."""
    return [Player(server, name).sign_up().http for name in NAMES]


@contextmanager
def traffic(clients: list[httpx.Client]) -> Iterator[Outcome]:
    """Let people play until the block ends; gives what has come of it so far. Their clients are closed then."""
    outcome, over, begun = Outcome(), threading.Event(), time.monotonic()
    with ThreadPoolExecutor(len(clients)) as threads:
        outcome.players = [threads.submit(_play, client, outcome, over) for client in clients]
        try:
            yield outcome
        finally:
            over.set()
    outcome.seconds = time.monotonic() - begun


def play(clients: list[httpx.Client], requests: int) -> Outcome:
    """Let people play until they have asked so often."""
    with traffic(clients) as outcome:
        outcome.wait_for(lambda: len(outcome.statuses) >= requests, f"{requests} requests are answered")
    return outcome


def _play(client: httpx.Client, outcome: Outcome, over: threading.Event) -> None:
    steps = _steps()
    ask = next(steps)
    with closing(client):
        while not over.is_set():
            ask = steps.send(_answer(client, ask, outcome, over))


def _answer(client: httpx.Client, ask: Asked, outcome: Outcome, over: threading.Event) -> Any:
    """Return what a request is answered; None where it failed."""
    method, path, text = ask
    try:
        answer = client.request(method, f"/api/v1/{path}", json=text)
    except httpx.HTTPError:
        outcome.statuses.append(0)
        outcome.without_retry_after += 1
        return None
    outcome.statuses.append(answer.status_code)
    if answer.status_code >= _FAILED:
        pause = answer.headers.get("Retry-After", "")
        if answer.status_code != httpx.codes.SERVICE_UNAVAILABLE or not pause.isdigit():
            outcome.without_retry_after += 1
        over.wait(min(float(pause) if pause.isdigit() else 0, _LONGEST_PAUSE))
        return None
    message: Any = answer.json() if answer.content else None
    if method == "POST" and path.endswith("/moves/") and answer.is_success:
        outcome.moves.append((time.monotonic(), message["id"]))
    return message


def _steps() -> Generator[Asked, Any, None]:
    """Yield what to ask next; is sent the answer. Every open question is answered with the first move it offers."""
    while True:
        questions = yield "GET", "questions/", None
        for question in questions or []:
            game = question["game"]
            yield "POST", f"games/{game}/moves/", {"question": question["id"], "text": question["moves"][0]["text"]}
        for question in (questions or [])[:1]:
            yield "GET", f"games/{question['game']}/events/", None
        yield "GET", "games/", None
        if questions is not None and len(questions) < _FEW:
            yield "POST", "games/", {"rules": "coup", "seat_count": 3, "bots": [{}, {}]}
