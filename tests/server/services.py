"""Real services, as an operator would have them: a PostgreSQL on the network with a password, and a Redis."""

import os
import pwd
import shutil
import socket
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any, Final
from urllib.parse import unquote, urlsplit

import psycopg

from bench.ports import free_port
from tests.server.darbar import wait_until

DEBIAN: Final = Path("/usr/lib/postgresql/15/bin")
PGBOUNCER: Final = shutil.which("pgbouncer", path=f"{os.environ['PATH']}:/usr/sbin")
REDIS: Final = shutil.which("redis-server")


@contextmanager
def real_postgres(folder: Path) -> Iterator[str]:
    """Debian's PostgreSQL with data in ``folder``, listening on a port; gives its URL."""
    how: dict[str, Any] = {"cwd": folder, "env": {"PATH": os.defpath}}
    if os.geteuid() == 0:
        servant = pwd.getpwnam("nobody")
        how |= {"user": servant.pw_uid, "group": servant.pw_gid, "extra_groups": []}
        os.chown(folder, servant.pw_uid, servant.pw_gid)
    port = free_port()
    password = folder / "password"
    password.write_text("pass/word")
    password.chmod(0o644)
    making = [DEBIAN / "initdb", "-N", "-U", "darbar", "-A", "scram-sha-256", "--pwfile", password, "-E", "UTF8"]
    subprocess.run([*making, "--locale=C.UTF-8", "-D", "data"], check=True, stdout=subprocess.DEVNULL, **how)
    options = ["-c", "fsync=off", "-c", "listen_addresses=127.0.0.1", "-c", f"port={port}"]
    with (folder / "log").open("wb") as log:
        server = subprocess.Popen([DEBIAN / "postgres", "-D", "data", "-k", folder, *options], stderr=log, **how)
    url = f"postgres://darbar:pass%2Fword@127.0.0.1:{port}/postgres"
    try:
        wait_until(lambda: answers(url), "PostgreSQL answers")
        yield url
    finally:
        server.terminate()
        server.kill()
        server.wait()


def answers(url: str) -> bool:
    """Return whether a database answers."""
    with suppress(psycopg.OperationalError), psycopg.connect(url):
        return True
    return False


@contextmanager
def pooler(folder: Path, url: str) -> Iterator[str]:
    """A pgbouncer in transaction mode before a database, with two connections to it; gives its URL."""
    to, port = urlsplit(url), free_port()
    name = to.path.lstrip("/")
    (folder / "pgbouncer.ini").write_text(
        f"[databases]\n{name} = host={to.hostname} port={to.port} "
        f"user={to.username} password={unquote(to.password or '')}\n"
        f"[pgbouncer]\nlisten_addr = 127.0.0.1\nlisten_port = {port}\nunix_socket_dir =\nauth_type = any\n"
        "pool_mode = transaction\ndefault_pool_size = 2\nmax_client_conn = 200\n"
    )
    assert PGBOUNCER
    how: dict[str, Any] = {"user": "nobody", "group": "nogroup", "extra_groups": []} if os.geteuid() == 0 else {}
    process = subprocess.Popen([PGBOUNCER, "-q", folder / "pgbouncer.ini"], **how)
    through = f"postgres://{to.username}@127.0.0.1:{port}/{name}"
    try:
        wait_until(lambda: answers(through), "pgbouncer answers")
        yield through
    finally:
        process.terminate()
        process.wait()


class Redis:
    """A Redis that keeps nothing on disk."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self.port = free_port()
        self.url = f"redis://127.0.0.1:{self.port}/0"
        self.process: subprocess.Popen[bytes] | None = None

    def __enter__(self) -> "Redis":
        assert REDIS
        self.process = subprocess.Popen(
            [REDIS, "--port", str(self.port), "--save", "", "--dir", self._folder], stdout=subprocess.DEVNULL
        )
        wait_until(self.answers, "Redis answers")
        return self

    def __exit__(self, *_: object) -> None:
        assert self.process
        self.process.kill()
        self.process.wait()

    def answers(self) -> bool:
        """Return whether it takes connections."""
        with suppress(OSError), socket.create_connection(("127.0.0.1", self.port), 1):
            return True
        return False
