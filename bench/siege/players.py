"""Pairs of players who play Coup over HTTP, keep an event stream open and connect to the mail server."""

import http.client
import json
import math
import smtplib
import threading
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from random import Random
from typing import Any, Final

from bench.measure import percentile
from bench.siege.server import Target

TIMEOUT: Final = 60.0
MAIL_PAUSE: Final = 2.0
"""Seconds between two connections of a player to the mail server."""


@dataclass
class Results:
    """The results of the requests of one phase."""

    latencies: list[float] = field(default_factory=list)
    """The latencies of the answered requests, in milliseconds."""
    statuses: dict[int, int] = field(default_factory=dict)
    unanswered: int = 0
    moves: int = 0
    streams_lost: int = 0

    def add(self, other: "Results") -> None:
        """Add the results of other requests."""
        self.latencies += other.latencies
        self.unanswered += other.unanswered
        self.moves += other.moves
        self.streams_lost += other.streams_lost
        for status, count in other.statuses.items():
            self.statuses[status] = self.statuses.get(status, 0) + count

    def slowest(self, part: float) -> float:
        """Return the milliseconds that the fraction ``part`` of the answers did not exceed, or infinity."""
        return percentile(self.latencies, part) if self.latencies else math.inf

    def count(self, status: int) -> int:
        """Return the number of answers with this status from the web server or the mail server."""
        return self.statuses.get(status, 0)

    @property
    def refused(self) -> int:
        """Return the number of requests that failed with 5xx, or were refused by a limit."""
        return self.failed + self.count(429) + self.count(421)

    @property
    def failed(self) -> int:
        """Return the number of requests that failed with 5xx."""
        return sum(count for status, count in self.statuses.items() if status >= 500)


class Player:
    """A player with a token, an IP address and one connection to the web server."""

    def __init__(self, target: Target, number: int, token: str) -> None:
        self._target, self._token = target, token
        self._address = f"127.{number + 100}.2.1"  # every player has another /24
        self._web = self._connection(target.web)
        self.results = Results()

    def ask(self, method: str, path: str, body: Any = None, **headers: str) -> Any:
        """Return the JSON of the answer, or None if the request failed. Record the latency."""
        began = time.perf_counter()
        content = None if body is None else json.dumps(body)
        try:
            self._web.request(method, f"/api/v1/{path}", content, self._headers() | headers)
            answer = self._web.getresponse()
            text = answer.read()
        except (OSError, http.client.HTTPException):
            self.results.unanswered += 1
            self._web.close()
            return None
        self.results.latencies.append((time.perf_counter() - began) * 1000)
        self.results.statuses[answer.status] = self.results.statuses.get(answer.status, 0) + 1
        return json.loads(text) if answer.status < 300 else None

    def listen(self, over: threading.Event) -> None:
        """Keep an event stream open until ``over`` is set, and count the streams that end before."""
        while not over.is_set():
            stream = self._connection(self._target.stream)
            try:
                stream.request("GET", "/api/v1/stream/", headers=self._headers())
                with stream.getresponse() as answer:
                    while not over.is_set() and answer.readline():
                        pass
            except (OSError, http.client.HTTPException):
                pass
            finally:
                stream.close()
            if not over.is_set():
                self.results.streams_lost += 1
                time.sleep(1)

    def call_mail_server(self, over: threading.Event) -> None:
        """Connect to the mail server from time to time."""
        while not over.wait(MAIL_PAUSE):
            try:
                with smtplib.SMTP("127.0.0.1", self._target.mail, "siege", TIMEOUT, (self._address, 0)) as mail:
                    status = mail.noop()[0]
            except smtplib.SMTPConnectError as error:
                status = error.smtp_code
            except (OSError, smtplib.SMTPException):
                self.results.unanswered += 1
                continue
            self.results.statuses[status] = self.results.statuses.get(status, 0) + 1

    def leave(self) -> None:
        self._web.close()

    def _connection(self, port: int) -> http.client.HTTPConnection:
        return http.client.HTTPConnection("127.0.0.1", port, TIMEOUT, source_address=(self._address, 0))

    def _headers(self) -> dict[str, str]:
        return {
            "Host": "localhost",
            "Authorization": f"Bearer {self._token}",
            "Content-Type": "application/json",
        }


class Players:
    def __init__(self, target: Target, tokens: Sequence[str], pause: float, seed: int) -> None:
        """``pause``: the seconds that a player waits before each look at the open questions."""
        self._target = target
        self._players = [Player(target, number, token) for number, token in enumerate(tokens)]
        self._pause, self._seed = pause, seed
        self._over = threading.Event()

    def results(self) -> Results:
        """Return the results of all requests since the last call."""
        results = Results()
        for player in self._players:
            former, player.results = player.results, Results()
            results.add(former)
        return results

    def warm_up(self) -> None:
        """Request the description of the API, which the web server builds at the first request."""
        connection = http.client.HTTPConnection("127.0.0.1", self._target.web, 2 * TIMEOUT)
        connection.request("GET", "/api/schema/", headers={"Host": "localhost"})
        connection.getresponse().read()
        connection.close()

    @contextmanager
    def at_work(self) -> Iterator[None]:
        """Let the players play during the block."""
        pairs = zip(self._players[::2], self._players[1::2], strict=True)
        threads = [threading.Thread(target=self._play, args=(*pair, n)) for n, pair in enumerate(pairs)]
        for player in self._players:
            threads += [
                threading.Thread(target=work, args=(self._over,)) for work in (player.listen, player.call_mail_server)
            ]
        for thread in threads:
            thread.start()
        try:
            yield
        finally:
            self._over.set()
            for thread in threads:
                thread.join()
            for player in self._players:
                player.leave()

    def _play(self, first: Player, second: Player, number: int) -> None:
        chance, game = Random(self._seed + number), None
        while not self._over.is_set():
            if game is None:
                game = self._open(first, second)
            for player in (first, second):
                self._answer(player, chance)
            response = first.ask("GET", f"games/{game}/") if game else None
            if response and response["state"] != "running":
                game = None

    def _open(self, first: Player, second: Player) -> str | None:
        opened = first.ask("POST", "games/", {"rules": "coup", "seat_count": 2})
        joined = opened and second.ask("POST", f"games/{opened['id']}/join/", {"code": opened["code"]})
        return str(joined["id"]) if joined else None

    def _answer(self, player: Player, chance: Random) -> None:
        """Answer the open questions of a player at random."""
        self._over.wait(self._pause)
        for question in (player.ask("GET", "questions/") or {"results": ()})["results"]:
            data = {"question": question["id"], "move": chance.choice(question["moves"])["move"]}
            if player.ask("POST", f"games/{question['game']}/moves/", data, Prefer="wait=5"):
                player.results.moves += 1
