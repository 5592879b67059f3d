"""Players: two at each table, who play Coup over HTTP, keep a stream open and call at the mail server."""

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
"""Seconds between two conversations of a player with the mail server."""


@dataclass
class Results:
    """The results of the requests of one phase."""

    latencies: list[float] = field(default_factory=list)
    """In milliseconds."""
    statuses: dict[int, int] = field(default_factory=dict)
    unanswered: int = 0
    moves: int = 0
    streams_lost: int = 0

    def add(self, other: "Results") -> None:
        """Add what came of other requests."""
        self.latencies += other.latencies
        self.unanswered += other.unanswered
        self.moves += other.moves
        self.streams_lost += other.streams_lost
        for status, count in other.statuses.items():
            self.statuses[status] = self.statuses.get(status, 0) + count

    def slowest(self, part: float) -> float:
        """The milliseconds that this part of the answers did not exceed; infinite where there is none."""
        return percentile(self.latencies, part) if self.latencies else math.inf

    def count(self, status: int) -> int:
        """Return the number of answers with this status, of the web server or the mail server."""
        return self.statuses.get(status, 0)

    @property
    def refused(self) -> int:
        """The number of requests that were answered with an error of the server, or refused for their number."""
        return self.failed + self.count(429) + self.count(421)

    @property
    def failed(self) -> int:
        """The number of requests that were answered with an error of the server."""
        return sum(count for status, count in self.statuses.items() if status >= 500)


class Player:
    """Somebody with a token, an address and one connection."""

    def __init__(self, target: Target, number: int, token: str) -> None:
        self._target, self._token = target, token
        self._address = f"127.{number + 100}.2.1"  # each from a /24 of their own
        self._web = self._connection(target.web)
        self.results = Results()

    def ask(self, method: str, path: str, body: Any = None, **headers: str) -> Any:
        """The JSON of an answer; None where there was none. What it took is noted."""
        began = time.perf_counter()
        sent = None if body is None else json.dumps(body)
        try:
            self._web.request(method, f"/api/v1/{path}", sent, self._headers() | headers)
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
        """Keep an event stream open until it is over; note each that ends before."""
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
        """Begin a conversation with the mail server, again and again."""
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
        """Close the connection."""
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
    """All of them, at work."""

    def __init__(self, target: Target, tokens: Sequence[str], pause: float, seed: int) -> None:
        """``pause`` is how many seconds a player thinks before each look at what is asked."""
        self._target = target
        self._players = [Player(target, number, token) for number, token in enumerate(tokens)]
        self._pause, self._seed = pause, seed
        self._over = threading.Event()

    def results(self) -> Results:
        """Return what came of all requests since the last call."""
        results = Results()
        for player in self._players:
            past, player.results = player.results, Results()
            results.add(past)
        return results

    def warm_up(self) -> None:
        """Get the description of the API, which the web server builds once."""
        connection = http.client.HTTPConnection("127.0.0.1", self._target.web, 2 * TIMEOUT)
        connection.request("GET", "/api/schema/", headers={"Host": "localhost"})
        connection.getresponse().read()
        connection.close()

    @contextmanager
    def at_work(self) -> Iterator[None]:
        """Inside, they play."""
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
            page = first.ask("GET", f"games/{game}/") if game else None
            if page and page["state"] != "running":
                game = None

    def _open(self, first: Player, second: Player) -> str | None:
        opened = first.ask("POST", "games/", {"rules": "coup", "seat_count": 2})
        joined = opened and second.ask("POST", f"games/{opened['id']}/join/", {"code": opened["code"]})
        return str(joined["id"]) if joined else None

    def _answer(self, player: Player, chance: Random) -> None:
        """Answer whatever is asked, at random."""
        self._over.wait(self._pause)
        for question in player.ask("GET", "questions/") or ():
            data = {"question": question["id"], "move": chance.choice(question["moves"])["move"]}
            if player.ask("POST", f"games/{question['game']}/moves/", data, Prefer="wait=5"):
                player.results.moves += 1
