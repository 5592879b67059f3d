"""A database for benches, as durable as a real one, and the servers on it.

Import this module before any other of the project: it sets the environment and starts Django.
"""

import atexit
import os
import shutil
import subprocess
import sys
import tempfile
import time
import urllib.error
import urllib.request
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Final

from bench.ports import free_port

FOLDER: Final = Path(tempfile.mkdtemp(prefix="darbar-bench-"))
FOLDER.chmod(0o711)
atexit.register(shutil.rmtree, FOLDER, ignore_errors=True)
# The whole environment of the processes that a bench starts: settings of the developer have no effect.
ENVIRONMENT: Final = {
    "PATH": os.environ["PATH"],
    "DATA_DIR": str(FOLDER),
    "PORT": str(free_port()),
    "MAIL_PORT": str(free_port()),
    "STREAM_PORT": str(free_port()),
    "REQUESTS_PER_ACCOUNT": "1000000",
    "REQUESTS_PER_ADDRESS": "1000000",
    "GAMES_AT_ONCE": "1000000",
    "OPEN_GAMES": "1000000",
    "OPEN_GAMES_HOSTED": "1000000",
    "GAMES_PER_HOUR": "10000000",
    "GAMES_PER_DAY": "10000000",
    "BUILD_DOCUMENTS": "no",
}
_LEFT: Final = ("DATABASE_URL", "BROKER_URL", "EMAIL_URL", "PUBLIC_URL", "ALLOWED_HOSTS", "LISTEN", "MAIL_DOMAIN")
for name in _LEFT:
    os.environ.pop(name, None)
os.environ.update(ENVIRONMENT)

import django  # noqa: E402

import config.core.tasks  # noqa: E402, F401

django.setup()

from django.conf import settings  # noqa: E402
from django.db import connection  # noqa: E402

from config.server import postgres  # noqa: E402
from config.server.prepare import prepare_database  # noqa: E402


@contextmanager
def bench_database() -> Iterator[None]:
    """Start a database with empty tables. Its settings are those of a real server (fsync is on)."""
    server = postgres.Server(settings.EMBEDDED_DATABASE)
    with server:
        prepare_database()
        try:
            yield
        finally:
            connection.close()
    server.delete_data()


def analyze() -> None:
    """Update the statistics of all tables, so that queries are not planned for empty tables."""
    with connection.cursor() as cursor:
        cursor.execute("VACUUM ANALYZE")


def postgres_command(name: str) -> list[str]:
    """Return the command that runs a program of PostgreSQL, such as pgbench, on this database."""
    place = settings.EMBEDDED_DATABASE
    program = shutil.which(name, path=str(place.binaries())) or shutil.which(name)
    debian = sorted(Path("/usr/lib/postgresql").glob(f"*/bin/{name}"))
    if not (program or debian):
        raise SystemExit(f"{name} is neither among the binaries of the database nor in PATH.")
    return [program or str(debian[-1]), "-h", str(place.sockets), "-p", "5432", "-U", postgres.DATABASE]


@contextmanager
def web_servers(count: int) -> Iterator[list[int]]:
    """Start web server processes on this database, and yield their ports."""
    ports = [free_port() for _ in range(count)]
    with _serving([_start("config.server.web", PORT=str(port)) for port in ports], ports):
        yield ports


@contextmanager
def whole_server(**environment: str) -> Iterator[tuple[int, int]]:
    """Start a web server, an event stream and a worker on this database. Yield the ports of the first two."""
    ports = int(ENVIRONMENT["PORT"]), int(ENVIRONMENT["STREAM_PORT"])
    with _serving([_start(f"config.server.{name}", **environment) for name in ("web", "stream", "worker")], ports):
        yield ports


@contextmanager
def _serving(running: "list[subprocess.Popen[bytes]]", ports: Sequence[int] = ()) -> Iterator[None]:
    """Wait until these ports answer, and end the processes after the block."""
    try:
        for port in ports:
            _wait_for(f"http://127.0.0.1:{port}/healthz")
        yield
    finally:
        _end(running)


def _start(module: str, **environment: str) -> "subprocess.Popen[bytes]":
    root = Path(__file__).parent.parent
    with (FOLDER / f"{module}.log").open("ab") as log:
        return subprocess.Popen(
            [sys.executable, "-m", module], cwd=root, env={**ENVIRONMENT, **environment}, stdout=log, stderr=log
        )


def _end(running: "list[subprocess.Popen[bytes]]") -> None:
    for process in running:
        process.terminate()
    for process in running:
        try:
            process.wait(20)
        except subprocess.TimeoutExpired:
            process.kill()
            process.wait()


def _wait_for(url: str) -> None:
    deadline = time.monotonic() + 60
    while True:
        try:
            with urllib.request.urlopen(url, timeout=5):
                return
        except urllib.error.HTTPError:
            return
        except OSError:
            if time.monotonic() > deadline:
                raise SystemExit(f"no server answers at {url}") from None
            time.sleep(0.1)
