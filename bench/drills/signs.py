"""Faults planted in a server that runs, and how long it takes until its health page names each."""

import signal
import subprocess
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, ExitStack, contextmanager, suppress
from pathlib import Path
from typing import Final

import httpx

from tests.server.darbar import Darbar, database, tell, wait_until
from tests.server.player import Player
from tests.server.replies import opened

MOST_SECONDS: Final = 60
_DISK: Final = "400m"
_FUTURE: Final = "9999_contract_later"


def run(folder: Path, size: int) -> Iterator[tuple[str, bool]]:
    """Give a line for each fault, with the seconds until its sign was red."""
    disk = folder / "disk"
    disk.mkdir()
    mount = ["mount", "-t", "tmpfs", "-o", f"size={_DISK},mode=755", "none", str(disk)]
    if subprocess.run(mount, capture_output=True, check=False).returncode:
        yield "signs: skipped: a file system cannot be mounted here", True
        return
    server = Darbar(disk / "data")
    server.log = folder / "log"
    with ExitStack() as stack:
        stack.callback(subprocess.run, ["umount", "-l", str(disk)], check=False)
        server.start()
        stack.callback(server.end)
        player = stack.enter_context(Player(server, "Maryam"))
        planted = Planted(server, player, disk)
        for name, (sign, fault) in planted.faults.items():
            wait_until(lambda: not _red(server), "no sign is red")
            with fault():
                took = _until_red(server, sign)
            said = "not red" if took is None else f"red after {took:.0f} s"
            yield f"signs: {name}: {sign} is {said}", took is not None
        wait_until(lambda: not _red(server), "all is well again")
        yield "signs: no sign is red any more", True


def _red(server: Darbar) -> list[str]:
    return list(server.get("/healthz").json()["red"])


def _until_red(server: Darbar, sign: str) -> float | None:
    """Return the seconds until a sign is red; None if it was not in time."""
    began = time.monotonic()
    while (took := time.monotonic() - began) < MOST_SECONDS:
        with suppress(httpx.HTTPError, ValueError):
            if sign in _red(server):
                return took
        time.sleep(0.2)
    return None


class Planted:
    """Faults of a server that somebody plays on; each is taken back at the end of its block."""

    def __init__(self, server: Darbar, player: Player, disk: Path) -> None:
        self._server, self._player, self._disk = server, player, disk
        self.faults: dict[str, tuple[str, Callable[[], AbstractContextManager[None]]]] = {
            "a missing table": ("tables", self.missing_table),
            "a schema from the future": ("schema", self.future_schema),
            "half of all requests failing": ("errors", self.failing_requests),
            "a deaf event stream": ("stream", self.held_up_stream),
            "an event stream that stands still": ("stream", self.stopped_stream),
            "a full disk": ("disk", self.full_disk),
        }

    def _statement(self, statement: str) -> None:
        with database(self._server) as connection:
            connection.execute(statement)

    @contextmanager
    def missing_table(self) -> Iterator[None]:
        """A table of games has another name."""
        self._statement("ALTER TABLE games_seat RENAME TO games_seat_elsewhere")
        yield
        self._statement("ALTER TABLE games_seat_elsewhere RENAME TO games_seat")

    @contextmanager
    def future_schema(self) -> Iterator[None]:
        """A newer version has taken something away."""
        self._statement(f"INSERT INTO django_migrations (app, name, applied) VALUES ('games', '{_FUTURE}', now())")
        yield
        self._statement(f"DELETE FROM django_migrations WHERE name = '{_FUTURE}'")

    @contextmanager
    def failing_requests(self) -> Iterator[None]:
        """Every second request fails: no game can be stored."""
        self._statement(
            "CREATE FUNCTION fail() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN RAISE 'planted'; END $$;"
            "CREATE TRIGGER planted BEFORE INSERT ON games_game EXECUTE FUNCTION fail()"
        )
        over = threading.Event()
        asking = threading.Thread(target=self._ask, args=(over,))
        asking.start()
        try:
            yield
        finally:
            over.set()
            asking.join()
            self._statement("DROP TRIGGER planted ON games_game; DROP FUNCTION fail()")

    def _ask(self, over: threading.Event) -> None:
        new = {"rules": "coup", "seat_count": 2, "bots": [{}]}
        while not over.wait(0.5):
            self._player.http.get("/api/v1/questions/")
            self._player.http.post("/api/v1/games/", json=new)

    @contextmanager
    def held_up_stream(self) -> Iterator[None]:
        """A transaction stays open, and the stream cannot pass on what began after it."""
        place = f"http://localhost:{self._server.stream_port}/api/v1/stream/"
        with self._player.http.stream("GET", place) as stream, database(self._server) as connection:
            assert "event: ready" in stream.iter_lines()
            connection.autocommit = False
            connection.execute("SELECT pg_current_xact_id()")
            opened(self._player)
            yield
            connection.rollback()

    @contextmanager
    def stopped_stream(self) -> Iterator[None]:
        """Its process is stopped."""
        processes = self._server.named(b"config.server.stream")
        assert processes
        tell(signal.SIGSTOP, *processes)
        yield
        tell(signal.SIGCONT, *processes)

    @contextmanager
    def full_disk(self) -> Iterator[None]:
        """Not a byte is free."""
        ballast = self._disk / "ballast"
        subprocess.run(["dd", "if=/dev/zero", f"of={ballast}", "bs=64K"], capture_output=True, check=False)
        yield
        ballast.unlink()
