"""Two members of Patroni with etcd, of which the leading one is lost while people play: nobody promotes by hand."""

import json
import os
import pwd
import shutil
import signal
import subprocess
import time
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager, suppress
from pathlib import Path
from typing import Any, Final

import psycopg

from bench.drills.commands import timed
from bench.drills.failover import LONGEST_GAP, kept
from bench.drills.traffic import WITHOUT_LIMITS, sign_up, traffic
from bench.ports import free_port
from tests.server.darbar import Darbar, wait_until
from tests.server.services import DEBIAN

PROGRAMS: Final = ("etcd", "patroni")
FORGETS: Final = 20
"""Seconds after which etcd forgets a leader that does not say it is there: the least that Patroni takes."""
_PASSWORD: Final = "another-long-password"


class Member:
    """A PostgreSQL 15 that a Patroni of its own looks after."""

    def __init__(self, folder: Path, name: str, etcd: int) -> None:
        self.folder, self.port = folder / name, free_port()
        self.url = f"postgres://darbar:{_PASSWORD}@127.0.0.1:{self.port}/postgres"
        self.folder.mkdir()
        self._how: dict[str, Any] = {"cwd": self.folder, "env": {"PATH": os.defpath}}
        if os.geteuid() == 0:
            servant = pwd.getpwnam("nobody")
            self._how |= {"user": servant.pw_uid, "group": servant.pw_gid, "extra_groups": []}
            os.chown(self.folder, servant.pw_uid, servant.pw_gid)
        (self.folder / "patroni.yml").write_text(json.dumps(self._settings(name, etcd)))
        self._patroni: subprocess.Popen[bytes] | None = None

    def _settings(self, name: str, etcd: int) -> dict[str, Any]:
        here = f"127.0.0.1:{free_port()}"
        return {
            "scope": "darbar",
            "name": name,
            "restapi": {"listen": here, "connect_address": here},
            "etcd3": {"host": f"127.0.0.1:{etcd}"},
            "bootstrap": {
                "dcs": {
                    "ttl": FORGETS,
                    "loop_wait": 5,
                    "retry_timeout": 5,
                    "synchronous_mode": True,
                    "postgresql": {"use_pg_rewind": True, "parameters": {"wal_log_hints": "on"}},
                },
                "initdb": [{"encoding": "UTF8"}, {"locale": "C.UTF-8"}],
            },
            "postgresql": {
                "listen": f"127.0.0.1:{self.port}",
                "connect_address": f"127.0.0.1:{self.port}",
                "data_dir": str(self.folder / "data"),
                "bin_dir": str(DEBIAN),
                "pgpass": str(self.folder / "pgpass"),
                "authentication": {
                    "superuser": {"username": "darbar", "password": _PASSWORD},
                    "replication": {"username": "darbar_standby", "password": _PASSWORD},
                },
                "pg_hba": [
                    "host replication darbar_standby 127.0.0.1/32 scram-sha-256",
                    "host all all 127.0.0.1/32 scram-sha-256",
                ],
                "parameters": {"unix_socket_directories": str(self.folder)},
            },
        }

    def start(self) -> None:
        """Start its Patroni, which starts PostgreSQL."""
        with (self.folder / "log").open("ab") as log:
            self._patroni = subprocess.Popen(["patroni", "patroni.yml"], stdout=log, stderr=log, **self._how)

    def kill(self) -> None:
        """End both at once, as if their machine had vanished."""
        if self._patroni:
            self._patroni.kill()
            self._patroni.wait()
        with suppress(FileNotFoundError, ProcessLookupError):
            os.kill(int((self.folder / "data" / "postmaster.pid").read_text().splitlines()[0]), signal.SIGKILL)

    def tell(self, statement: str) -> Any:
        """Return the first value of what a statement gives; None where it does not answer."""
        with suppress(psycopg.OperationalError), psycopg.connect(self.url, autocommit=True) as connection:
            row = connection.execute(statement).fetchone()
            return row and row[0]
        return None

    @property
    def leads(self) -> bool:
        """True while it can be written to."""
        return self.tell("SELECT pg_is_in_recovery()") is False

    @property
    def is_followed(self) -> bool:
        """True while a standby has everything that it acknowledges."""
        return bool(self.tell("SELECT sync_state FROM pg_stat_replication") == "sync")


@contextmanager
def _etcd(folder: Path) -> Iterator[int]:
    """An etcd; gives the port that it is asked at."""
    port, peers = free_port(), f"http://127.0.0.1:{free_port()}"
    asked = f"http://127.0.0.1:{port}"
    command = ["etcd", "--data-dir", str(folder / "etcd"), "--listen-client-urls", asked, "--advertise-client-urls"]
    command += [asked, "--listen-peer-urls", peers, "--initial-advertise-peer-urls", peers]
    command += ["--initial-cluster", f"default={peers}"]
    with (folder / "etcd.log").open("wb") as log:
        process = subprocess.Popen(command, stdout=log, stderr=log, env={"PATH": os.defpath})
    try:
        yield port
    finally:
        process.kill()
        process.wait()


def run(folder: Path, moves: int) -> Iterator[tuple[str, bool]]:
    """Give lines, each with whether all is well."""
    missing = [name for name in PROGRAMS if shutil.which(name) is None]
    if missing or not DEBIAN.exists():
        yield f"patroni: skipped, as {' and '.join(missing) or 'postgresql-15'} is not installed", True
        return
    with ExitStack() as stack:
        etcd = stack.enter_context(_etcd(folder))
        first, second = members = [Member(folder, name, etcd) for name in ("one", "two")]
        for member in members:
            stack.callback(member.kill)
        first.start()
        wait_until(lambda: first.leads, "the first leads")
        second.start()
        wait_until(lambda: first.is_followed, "the second follows it")
        hosts = ",".join(f"127.0.0.1:{member.port}" for member in members)
        url = f"postgres://darbar:{_PASSWORD}@{hosts}/postgres?target_session_attrs=read-write"
        server = Darbar(folder / "data", DATABASE_URL=url, **WITHOUT_LIMITS).start()
        try:
            yield from _taken_over(server, first, second, moves)
        finally:
            server.end()
        yield timed("patroni: verify", server, "manage.py", "verify")


def _taken_over(server: Darbar, first: Member, second: Member, moves: int) -> Iterator[tuple[str, bool]]:
    with traffic(sign_up(server)) as outcome:
        outcome.wait_for(lambda: len(outcome.moves) >= moves // 2, "half of the moves are acknowledged")
        first.kill()
        lost = time.monotonic()
        wait_until(lambda: second.leads, "the second leads")
        promoted = time.monotonic()
        outcome.wait_for(lambda: len(outcome.moves) >= moves * 3 // 4, "three quarters are acknowledged")
        first.start()
        wait_until(lambda: second.is_followed, "the first follows the second")
        rejoined = time.monotonic()
        outcome.wait_for(lambda: len(outcome.moves) >= moves, "all moves are acknowledged")
    gap = min(at for at, _ in outcome.moves if at > promoted) - promoted
    yield f"patroni: {promoted - lost:.1f} s from the loss to the promotion, by itself", True
    yield f"patroni: {gap:.1f} s from the promotion to the next acknowledged move", gap <= LONGEST_GAP
    yield f"patroni: the first came back as the standby, {rejoined - promoted:.0f} s after the promotion", True
    yield f"patroni: {outcome}", outcome.without_retry_after == 0
    yield kept("patroni", second.url, outcome)
