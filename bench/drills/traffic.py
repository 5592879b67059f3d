"""Traffic of players against bots, who send the next request as soon as the server has answered."""

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
"""Settings that remove the limits for players."""
PATIENCE: Final = 1800.0
_FAILED: Final = 500
_FEW: Final = 2
"""A player with fewer open questions creates another game."""
_LONGEST_PAUSE: Final = 0.5
"""The maximum number of seconds that a player waits, even if Retry-After is longer."""

Request = tuple[str, str, Any]
"""The method, path and body of a request."""


@dataclass
class Outcome:
    """The answers of the server."""

    statuses: list[int] = field(default_factory=list)
    """The statuses of all requests. 0: there was no answer."""
    moves: list[tuple[float, str]] = field(default_factory=list)
    """The times and ids of acknowledged moves."""
    without_retry_after: int = 0
    """The number of unanswered requests, and of 5xx other than 503 with Retry-After."""
    seconds: float = 0.0
    players: list[Future[None]] = field(default_factory=list)

    def wait_for(self, is_enough: Callable[[], bool], title: str) -> None:
        """Wait until a condition is true. Raises the exception of a player who has failed."""

        def is_over() -> bool:
            for player in self.players:
                if player.done():
                    player.result()
            return is_enough()

        wait_until(is_over, title, PATIENCE)

    @property
    def errors(self) -> int:
        """Return the number of 5xx and of unanswered requests."""
        return sum(not 0 < status < _FAILED for status in self.statuses)

    def __str__(self) -> str:
        total = len(self.statuses)
        return (
            f"{self.errors} errors in {total} requests, {total / self.seconds:.0f} a second; "
            f"statuses {dict(sorted(Counter(self.statuses).items()))}"
        )


def sign_up(server: Listening) -> list[httpx.Client]:
    """Sign up four players, and return a client for each of them."""
    return [Player(server, name).sign_up().http for name in NAMES]


@contextmanager
def traffic(clients: list[httpx.Client]) -> Iterator[Outcome]:
    """Let players play until the block ends, and close their clients. Yields the outcome, which grows meanwhile."""
    outcome, over, began = Outcome(), threading.Event(), time.monotonic()
    with ThreadPoolExecutor(len(clients)) as threads:
        outcome.players = [threads.submit(_play, client, outcome, over) for client in clients]
        try:
            yield outcome
        finally:
            over.set()
    outcome.seconds = time.monotonic() - began


def play(clients: list[httpx.Client], requests: int) -> Outcome:
    """Let players play until the server has answered a number of requests."""
    with traffic(clients) as outcome:
        outcome.wait_for(lambda: len(outcome.statuses) >= requests, f"{requests} requests are answered")
    return outcome


def _play(client: httpx.Client, outcome: Outcome, over: threading.Event) -> None:
    steps = _steps()
    request = next(steps)
    with closing(client):
        while not over.is_set():
            request = steps.send(_send(client, request, outcome, over))


def _send(client: httpx.Client, request: Request, outcome: Outcome, over: threading.Event) -> Any:
    """Return the body of the answer, or None if the request failed."""
    method, path, body = request
    try:
        answer = client.request(method, f"/api/v1/{path}", json=body)
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
    result: Any = answer.json() if answer.content else None
    if method == "POST" and path.endswith("/moves/") and answer.is_success:
        outcome.moves.append((time.monotonic(), result["id"]))
    return result


def _steps() -> Generator[Request, Any, None]:
    """Yield requests, and receive their answers. Every open question is answered with the first offered move."""
    while True:
        page = yield "GET", "questions/", None
        questions = page and page["results"]
        for question in questions or []:
            game = question["game"]
            yield "POST", f"games/{game}/moves/", {"question": question["id"], "text": question["moves"][0]["text"]}
        for question in (questions or [])[:1]:
            yield "GET", f"games/{question['game']}/events/", None
        yield "GET", "games/", None
        if questions is not None and len(questions) < _FEW:
            yield "POST", "games/", {"rules": "coup", "seat_count": 3, "bots": [{}, {}]}
