"""The processes of a running server, and checks from outside that they work."""

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
from tests.notifications.stream_events.reader import PATH
from tests.server.darbar import Darbar, command, descendants, tell
from tests.server.services import REDIS, Redis

PARTS: Final = ("web", "worker", "stream", "mail", "runner", "postgres", "backend", "redis")
"""The kinds of processes that are killed and stopped."""


class SupervisedServer:
    """A server that is started again when its runner has ended, as a supervisor does it."""

    def __init__(self, darbar: Darbar, redis: Redis | None) -> None:
        self.darbar, self.redis = darbar, redis
        self.log = ""
        """The output of former runs."""
        self.ended: list[float] = []
        """The times at which the runner ended by itself."""
        self._is_end_expected = False

    def start(self) -> None:
        """Start the server. Raises AssertionError if it does not start."""
        self.log += f"{self.darbar.output()}--- started again at {time.time():.1f}\n"
        self.darbar.start()
        self._is_end_expected = False

    def keep(self) -> None:
        """Start the server again if it has ended."""
        if not self.darbar.runs:
            if not self._is_end_expected:
                self.ended.append(time.time())
            self.start()
        if self.redis and self.redis.process and self.redis.process.poll() is not None:
            self.redis.__enter__()

    def end(self) -> None:
        """End the server properly. Stopped processes are continued first."""
        self._is_end_expected = True
        tell(signal.SIGCONT, *self.darbar.descendants())
        self.darbar.end()

    def use_redis(self, folder: Path) -> None:
        """Use Redis as the broker from the next start on, if it is installed."""
        if REDIS and not self.redis:
            self.redis = Redis(folder)
            self.redis.__enter__()
            self.darbar.environment["BROKER_URL"] = self.redis.url

    def close(self) -> None:
        """End all processes."""
        if self.darbar.runs:
            tell(signal.SIGCONT, *self.darbar.descendants())
            self.darbar.kill(*self.darbar.descendants())
        tell(signal.SIGKILL, *self.pids("postgres"))
        if self.redis:
            self.redis.__exit__()

    def will_end(self) -> None:
        """Expect the end of the runner, which is about to be killed."""
        self._is_end_expected = True

    def pids(self, part: str) -> list[int]:
        """Return the running processes of a kind."""
        process = self.darbar.process
        if part == "redis":
            return [self.redis.process.pid] if self.redis and self.redis.process else []
        if part == "runner":
            return [process.pid] if process and self.darbar.runs else []
        if part in ("postgres", "backend"):
            return self._database(part)
        pids = self.darbar.pids(f"config.server.{part}".encode())
        return [descendant for pid in pids for descendant in (pid, *descendants(pid))] if part == "web" else pids

    def _database(self, part: str) -> list[int]:
        """Return the postmaster or its children."""
        # The postmaster is found by its file, because a former runner may have started it.
        for file in ServerPaths.in_data_dir(self.darbar.data_dir).home.glob("*/postmaster.pid"):
            with suppress(OSError, ValueError, IndexError):
                pid = int(file.read_text().splitlines()[0])
                if b"postgres" in command(pid):
                    return [pid] if part == "postgres" else descendants(pid)
        return []

    @contextmanager
    def database(self) -> Iterator[psycopg.Connection]:
        """Connect to the server's database. Raises psycopg.OperationalError while the database is down."""
        settings = ServerPaths.in_data_dir(self.darbar.data_dir).connection()
        with psycopg.connect(
            host=settings["HOST"],
            port=settings["PORT"],
            user=settings["USER"],
            dbname=settings["NAME"],
            autocommit=True,
            connect_timeout=5,
            options="-c statement_timeout=20000",
        ) as connection:
            yield connection

    def works(self, part: str, since: float) -> bool:
        """Return whether a service works again after a fault at the time ``since``."""
        try:
            return _WORKS[part](self, since)
        except (OSError, http.client.HTTPException, smtplib.SMTPException, psycopg.Error):
            return False


def _status(port: int, path: str) -> int:
    """Return the status of the answer to a request without a token."""
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
    """Return whether a worker has stored a heartbeat or a bot's move since ``since``."""
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
"""The services that must work again after a process of each kind was killed or stopped."""
