"""With the environment set, the real services are used and the embedded ones are not started."""

import os
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from datetime import UTC, datetime
from pathlib import Path

import psycopg
import pytest

from bench.ports import free_port
from tests.server import test_host_guide
from tests.server.darbar import ROOT, Darbar, command, wait_until
from tests.server.services import DEBIAN, PGBOUNCER, REDIS, Redis, pooler, real_postgres

pytestmark = [
    pytest.mark.skipif(not DEBIAN.exists(), reason="Debian's PostgreSQL 15 is not installed (postgresql-15)"),
    pytest.mark.skipif(REDIS is None, reason="Redis is not installed (redis-server)"),
]


@pytest.fixture
def folder() -> Iterator[Path]:
    path = Path(tempfile.mkdtemp(prefix="darbar-real-"))
    path.chmod(0o755)
    yield path
    shutil.rmtree(path)


@pytest.fixture
def redis(folder: Path) -> Iterator[Redis]:
    with Redis(folder) as running:
        yield running


@pytest.fixture
def database(folder: Path) -> Iterator[str]:
    with real_postgres(folder / "postgres") as url:
        yield test_host_guide.database(url)


@pytest.fixture
def urls(folder: Path, database: str) -> Iterator[dict[str, str]]:
    """Return how the server reaches its database: by a pooler, where one is installed."""
    if PGBOUNCER is None:
        yield {"DATABASE_URL": database}
        return
    with pooler(folder, database) as pooled:
        yield {"DATABASE_URL": pooled, "DIRECT_DATABASE_URL": database}


@pytest.fixture
def server(folder: Path, urls: dict[str, str], redis: Redis) -> Iterator[Darbar]:
    mail = f"smtp://127.0.0.1:{free_port()}"
    running = Darbar(folder / "data", **urls, BROKER_URL=redis.url, EMAIL_URL=mail).start()
    yield running
    if running.runs:
        running.end()


def last_beat(database: str) -> datetime:
    """Return when the worker's clock last said that it is alive; long ago if never."""
    with psycopg.connect(database) as connection:
        row = connection.execute("SELECT at FROM games_heartbeat").fetchone()
    return row[0] if row else datetime(2000, 1, 1, tzinfo=UTC)


def connections_to(database: str) -> int:
    """Return the number of other connections."""
    with psycopg.connect(database) as connection:
        row = connection.execute("SELECT count(*) - 1 FROM pg_stat_activity WHERE usename = current_user").fetchone()
    return int(row[0]) if row else 0


def test_real_postgres_redis_and_smtp_are_used_and_nothing_embedded_is_started(
    server: Darbar, database: str, redis: Redis
) -> None:
    started = datetime.now(UTC)
    assert server.get("/healthz").json()["status"] == "ok"
    wait_until(lambda: last_beat(database) > started, "a task has come by Redis and a beat is in PostgreSQL")
    assert not [pid for pid in server.descendants() if b"postgres" in command(pid)]
    assert not (server.data_dir / "postgres").exists()
    assert not (server.data_dir / "queue").exists()
    assert server.get("/mailbox/").status_code == 404
    if PGBOUNCER:
        assert 2 < connections_to(database) < 8, "two of the pooler, and those of the stream, which listens"
    assert server.end() == 0
    assert redis.answers()
    assert last_beat(database) > started, "what was there before is still there"


def test_while_redis_is_away_the_server_answers_and_when_it_is_back_the_clock_goes_on(
    server: Darbar, database: str, redis: Redis
) -> None:
    wait_until(lambda: last_beat(database).year > 2000, "the clock beats")
    redis.__exit__()
    assert server.get("/healthz").is_success
    with psycopg.connect(database, autocommit=True) as connection:
        connection.execute("UPDATE games_heartbeat SET at = at - interval '1 minute'")
    redis.__enter__()
    back = datetime.now(UTC)
    wait_until(lambda: last_beat(database) > back, "the clock beats again")
    assert server.runs


@pytest.mark.skipif(PGBOUNCER is None, reason="pgbouncer is not installed")
@pytest.mark.parametrize("command", [("-m", "config.server.prepare"), ("manage.py", "verify")])
def test_a_pooler_without_the_database_itself_is_told_what_to_set(
    database: str, folder: Path, command: tuple[str, ...]
) -> None:
    with pooler(folder, database) as pooled:
        environment = {"PATH": os.environ["PATH"], "DATA_DIR": str(folder / "data"), "DATABASE_URL": pooled}
        refused = subprocess.run(
            [sys.executable, *command], cwd=ROOT, env=environment, capture_output=True, text=True, check=False
        )
    assert (refused.returncode, refused.stdout) == (1, "")
    assert refused.stderr == (
        "DATABASE_URL leads to a pooler, which doesn’t accept session settings. Name the database itself in "
        "DIRECT_DATABASE_URL, such as postgres://user:password@host:5432/name.\n"
    )
