"""Two members of Patroni with etcd. The leading one is killed while people play, and Patroni promotes the other."""

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
from bench.drills.failover import LONGEST_GAP, lost_moves
from bench.drills.traffic import WITHOUT_LIMITS, sign_up, traffic
from bench.ports import free_port
from tests.server.darbar import Darbar, wait_until
from tests.server.services import DEBIAN

PROGRAMS: Final = ("etcd", "patroni")
FORGETS: Final = 20
"""Seconds after which etcd forgets a silent leader: the least that Patroni accepts."""
_PASSWORD: Final = "another-long-password"


class Member:
    """A PostgreSQL 15 with its own Patroni."""

    def __init__(self, folder: Path, name: str, etcd: int) -> None:
        self.folder, self.port = folder / name, free_port()
        self.url = f"postgres://darbar:{_PASSWORD}@127.0.0.1:{self.port}/postgres"
        self.folder.mkdir()
        self._options: dict[str, Any] = {"cwd": self.folder, "env": {"PATH": os.defpath}}
        if os.geteuid() == 0:
            user = pwd.getpwnam("nobody")
            self._options |= {"user": user.pw_uid, "group": user.pw_gid, "extra_groups": []}
            os.chown(self.folder, user.pw_uid, user.pw_gid)
        (self.folder / "patroni.yml").write_text(json.dumps(self._settings(name, etcd)))
        self._patroni: subprocess.Popen[bytes] | None = None

    def _settings(self, name: str, etcd: int) -> dict[str, Any]:
        address = f"127.0.0.1:{free_port()}"
        return {
            "scope": "darbar",
            "name": name,
            "restapi": {"listen": address, "connect_address": address},
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
            self._patroni = subprocess.Popen(["patroni", "patroni.yml"], stdout=log, stderr=log, **self._options)

    def kill(self) -> None:
        """Kill Patroni and PostgreSQL, as if their machine had vanished."""
        if self._patroni:
            self._patroni.kill()
            self._patroni.wait()
        with suppress(FileNotFoundError, ProcessLookupError):
            os.kill(int((self.folder / "data" / "postmaster.pid").read_text().splitlines()[0]), signal.SIGKILL)

    def tell(self, statement: str) -> Any:
        """Return the first value of a statement's result, or None if the server does not answer."""
        with suppress(psycopg.OperationalError), psycopg.connect(self.url, autocommit=True) as connection:
            row = connection.execute(statement).fetchone()
            return row and row[0]
        return None

    @property
    def leads(self) -> bool:
        """Return whether the server accepts writes."""
        return self.tell("SELECT pg_is_in_recovery()") is False

    @property
    def is_followed(self) -> bool:
        """Return whether a synchronous standby follows."""
        return bool(self.tell("SELECT sync_state FROM pg_stat_replication") == "sync")


@contextmanager
def _etcd(folder: Path) -> Iterator[int]:
    """Run an etcd, and yield its port."""
    port, peers = free_port(), f"http://127.0.0.1:{free_port()}"
    address = f"http://127.0.0.1:{port}"
    command = ["etcd", "--data-dir", str(folder / "etcd"), "--listen-client-urls", address, "--advertise-client-urls"]
    command += [address, "--listen-peer-urls", peers, "--initial-advertise-peer-urls", peers]
    command += ["--initial-cluster", f"default={peers}"]
    with (folder / "etcd.log").open("wb") as log:
        process = subprocess.Popen(command, stdout=log, stderr=log, env={"PATH": os.defpath})
    try:
        yield port
    finally:
        process.kill()
        process.wait()


def run(folder: Path, moves: int) -> Iterator[tuple[str, bool]]:
    """Yield lines, each with True if the result is good."""
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
            yield from _take_over(server, first, second, moves)
        finally:
            server.end()
        yield timed("patroni: verify", server, "manage.py", "verify")


def _take_over(server: Darbar, first: Member, second: Member, moves: int) -> Iterator[tuple[str, bool]]:
    with traffic(sign_up(server)) as outcome:
        outcome.wait_for(lambda: len(outcome.moves) >= moves // 2, "half of the moves are acknowledged")
        first.kill()
        lost_at = time.monotonic()
        wait_until(lambda: second.leads, "the second leads")
        promoted_at = time.monotonic()
        outcome.wait_for(lambda: len(outcome.moves) >= moves * 3 // 4, "three quarters are acknowledged")
        first.start()
        wait_until(lambda: second.is_followed, "the first follows the second")
        rejoined_at = time.monotonic()
        outcome.wait_for(lambda: len(outcome.moves) >= moves, "all moves are acknowledged")
    gap = min(moment for moment, _ in outcome.moves if moment > promoted_at) - promoted_at
    yield f"patroni: {promoted_at - lost_at:.1f} s from the loss to the promotion, by itself", True
    yield f"patroni: {gap:.1f} s from the promotion to the next acknowledged move", gap <= LONGEST_GAP
    yield f"patroni: the first came back as the standby, {rejoined_at - promoted_at:.0f} s after the promotion", True
    yield f"patroni: {outcome}", outcome.without_retry_after == 0
    yield lost_moves("patroni", second.url, outcome)
