"""The processes of a server that runs, and how one sees from outside that they work."""

import http.client
import signal
import smtplib
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Final

import psycopg

from config.server.postgres import ServerPaths
from tests.notifications.stream.reader import PATH
from tests.server.darbar import Darbar, command, descendants, tell
from tests.server.services import REDIS, Redis

PARTS: Final = ("web", "worker", "stream", "mail", "runner", "postgres", "backend", "redis")
"""The kinds of processes that can be killed and stopped."""


class SupervisedServer:
    """A server that is kept running as a supervisor does it: where its runner has ended, it is started again."""

    def __init__(self, darbar: Darbar, redis: Redis | None) -> None:
        self.darbar, self.redis = darbar, redis
        self.log = ""
        """The output of runs that have ended."""
        self.ended: list[float] = []
        """The time at which the runner ended by itself."""
        self._told_to_end = False

    def start(self) -> None:
        """Start it. AssertionError where it does not come up."""
        self.log += f"{self.darbar.said()}--- started again at {time.time():.1f}\n"
        self.darbar.start()
        self._told_to_end = False

    def keep(self) -> None:
        """Start it again if it has ended."""
        if not self.darbar.runs:
            if not self._told_to_end:
                self.ended.append(time.time())
            self.start()
        if self.redis and self.redis.process and self.redis.process.poll() is not None:
            self.redis.__enter__()

    def end(self) -> None:
        """End it properly, whatever is stopped just now."""
        self._told_to_end = True
        tell(signal.SIGCONT, *self.darbar.descendants())
        self.darbar.end()

    def use_redis(self, folder: Path) -> None:
        """Use a Redis as the broker from the next start on, where one is installed."""
        if REDIS and not self.redis:
            self.redis = Redis(folder)
            self.redis.__enter__()
            self.darbar.environment["BROKER_URL"] = self.redis.url

    def close(self) -> None:
        """End everything that was started."""
        if self.darbar.runs:
            tell(signal.SIGCONT, *self.darbar.descendants())
            self.darbar.kill(*self.darbar.descendants())
        tell(signal.SIGKILL, *self.pids("postgres"))
        if self.redis:
            self.redis.__exit__()

    def will_end(self) -> None:
        """Know that its end is not its own doing."""
        self._told_to_end = True

    def pids(self, part: str) -> list[int]:
        """The processes of one kind that run now."""
        process = self.darbar.process
        if part == "redis":
            return [self.redis.process.pid] if self.redis and self.redis.process else []
        if part == "runner":
            return [process.pid] if process and self.darbar.runs else []
        if part in ("postgres", "backend"):
            return self._database(part)
        results = self.darbar.named(f"config.server.{part}".encode())
        return [descendant for pid in results for descendant in (pid, *descendants(pid))] if part == "web" else results

    def _database(self, part: str) -> list[int]:
        """The postmaster, or its children; the runner may be another one than the one that started it."""
        note = ServerPaths.in_data_dir(self.darbar.data_dir).home
        for file in note.glob("*/postmaster.pid"):
            with suppress(OSError, ValueError, IndexError):
                pid = int(file.read_text().splitlines()[0])
                if b"postgres" in command(pid):
                    return [pid] if part == "postgres" else descendants(pid)
        return []

    @contextmanager
    def database(self) -> Iterator[psycopg.Connection]:
        """A connection of one's own to its database. psycopg.OperationalError while there is none."""
        results = ServerPaths.in_data_dir(self.darbar.data_dir).connection()
        with psycopg.connect(
            host=results["HOST"],
            port=results["PORT"],
            user=results["USER"],
            dbname=results["NAME"],
            autocommit=True,
            connect_timeout=5,
            options="-c statement_timeout=20000",
        ) as connection:
            yield connection

    def works(self, part: str, since: float) -> bool:
        """Return whether a part of it works again, after something was done to it at that time."""
        try:
            return _WORKS[part](self, since)
        except (OSError, http.client.HTTPException, smtplib.SMTPException, psycopg.Error):
            return False


def _status(port: int, path: str) -> int:
    """The status of an answer to nobody in particular."""
    wire = http.client.HTTPConnection("127.0.0.1", port, timeout=2)
    try:
        wire.request("GET", path, headers={"Host": "localhost"})
        with wire.getresponse() as answer:
            return answer.status
    finally:
        wire.close()


def _web(watched: SupervisedServer, since: float) -> bool:
    return _status(watched.darbar.port, "/healthz") == 200


def _worker(watched: SupervisedServer, since: float) -> bool:
    """Return whether a worker's heart has beaten, or a worker has moved for the bots, since then."""
    with watched.database() as connection:
        return connection.execute(_WORKED, [since, since]).fetchone() == (True,)


_WORKED: Final = """
    SELECT EXISTS (SELECT 1 FROM games_heartbeat WHERE at > to_timestamp(%s))
        OR EXISTS (SELECT 1 FROM games_event WHERE via = 'bot' AND at > to_timestamp(%s))
"""


def _stream(watched: SupervisedServer, since: float) -> bool:
    return _status(watched.darbar.stream_port, PATH) == 401


def _mail(watched: SupervisedServer, since: float) -> bool:
    with smtplib.SMTP("127.0.0.1", watched.darbar.mail_port, timeout=2) as server:
        return server.noop()[0] == 250


_WORKS: Final[dict[str, Callable[[SupervisedServer, float], bool]]] = {
    "web": _web,
    "worker": _worker,
    "stream": _stream,
    "mail": _mail,
}
EVERYTHING: Final = tuple(_WORKS)
AFFECTED: Final = {
    **{part: (part,) for part in _WORKS},
    "runner": EVERYTHING,
    "postgres": EVERYTHING,
    "backend": EVERYTHING,
    "redis": ("worker",),
}
"""The parts that must work again after one was killed or stopped."""
