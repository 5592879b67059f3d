"""A real server that loses a column for a while, or whose database is of another version, or whose clock is fast."""

import shutil
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import UTC, datetime, timedelta
from pathlib import Path

import httpx
import psycopg
import pytest

from bench.ports import free_port
from config.server.postgres import Server, ServerPaths
from tests.server.conftest import on_a_copy
from tests.server.darbar import PATIENCE, ROOT, Darbar, database, wait_until
from tests.server.player import Player
from tests.server.replies import opened
from tests.server.upset import HERE, set_processes_clock

GAMES = 6
WORKER = "config.server.worker"


@contextmanager
def process(server: Darbar, module: str, **environment: str) -> Iterator[Path]:
    """A process of this server until the block ends; gives its log."""
    log = server.data_dir.with_name(f"{module}-{free_port()}.log")
    with log.open("wb") as output:
        started = subprocess.Popen(
            [sys.executable, "-m", module],
            cwd=ROOT,
            env={**server.environment, **environment},
            stdin=subprocess.DEVNULL,
            stdout=output,
            stderr=output,
        )
    try:
        yield log
    finally:
        started.terminate()
        started.wait(PATIENCE)
        sys.stdout.write(log.read_text())  # shown where the test has failed


@pytest.fixture(scope="module")
def server(prepared: Path) -> Iterator[Darbar]:
    """A database and a web server without a runner. Tests start their workers."""
    with (
        on_a_copy(prepared) as server,
        Server(ServerPaths.in_data_dir(server.data_dir)),
        process(server, "config.server.web"),
    ):
        wait_until(lambda: answers(f"http://localhost:{server.port}"), "it answers")
        yield server


@pytest.fixture(scope="module")
def sql(server: Darbar) -> Iterator[psycopg.Connection]:
    with database(server) as connection:
        yield connection


@pytest.fixture(scope="module")
def maryam(server: Darbar) -> Iterator[Player]:
    with process(server, WORKER), Player(server, "Maryam") as maryam:
        pass
    maryam.http = httpx.Client(base_url=maryam.http.base_url, headers=maryam.http.headers, timeout=30)
    yield maryam
    maryam.http.close()


@pytest.fixture
def game(server: Darbar, maryam: Player) -> str:
    """A game in which Maryam is asked; no worker runs."""
    with process(server, WORKER):
        return opened(maryam)


def red(server: Darbar) -> list[str]:
    return [str(name) for name in server.get("/healthz").json()["red"]]


def answers(address: str) -> bool:
    try:
        return httpx.get(f"{address}/healthz", timeout=60).is_success
    except httpx.TransportError:
        return False


def sent(player: Player, game: str, question: str, text: str) -> str:
    """Return the address of a stored move."""
    answer = player.http.post(f"/api/v1/games/{game}/moves/", json={"question": question, "text": text})
    assert answer.status_code == 202, answer.text
    return str(answer.headers["Location"])


def test_no_move_is_lost_while_a_column_is_missing_and_each_game_keeps_its_order(
    server: Darbar, maryam: Player, sql: psycopg.Connection
) -> None:
    with process(server, WORKER):
        games = [opened(maryam) for _ in range(GAMES)]
        question = {game: maryam.question(game) for game in games}
        sql.execute("ALTER TABLE games_seat RENAME COLUMN spared TO spared_elsewhere")
        try:
            first = [sent(maryam, game, question[game], "income") for game in games]
            second = [sent(maryam, game, question[game], "exchange") for game in games]
            stalled = "SELECT count(*) FROM games_stall WHERE tries > 1"
            wait_until(lambda: sql.execute(stalled).fetchone() == (GAMES,), "each game was tried twice")
            assert red(server) == ["tables"], "the cause, and not what comes of it"
        finally:
            sql.execute("ALTER TABLE games_seat RENAME COLUMN spared_elsewhere TO spared")
        assert [maryam.outcome(move)["state"] for move in first] == ["applied"] * GAMES
        refused = [maryam.outcome(move) for move in second]
        assert {(move["state"], move["problem"]["code"]) for move in refused} == {("rejected", "question-closed")}
        assert sql.execute("SELECT count(*) FROM notifications_setaside").fetchone() == (0,)
        assert sql.execute("SELECT count(*) FROM games_move WHERE state = 'failed'").fetchone() == (0,)
        wait_until(lambda: "stalled-games" not in red(server), "nothing is stalled")


def test_a_worker_whose_database_was_migrated_by_a_newer_version_resolves_nothing_and_says_so(
    server: Darbar, maryam: Player, sql: psycopg.Connection, game: str
) -> None:
    question = maryam.question(game)
    sql.execute("INSERT INTO django_migrations (app, name, applied) VALUES ('games', '9999_contract_later', now())")
    try:
        wait_until(lambda: red(server) == ["schema"], "the web server knows")
        with process(server, WORKER) as log:
            move = sent(maryam, game, question, "income")
            wait_until(lambda: "games.tasks.tick does nothing" in log.read_text(), "the worker ticks")
            assert maryam.http.get(move).json()["state"] == "received"
            assert "this program lacks games.9999_contract_later" in log.read_text()
            sql.execute("DELETE FROM django_migrations WHERE name = '9999_contract_later'")
            assert maryam.outcome(move)["state"] == "applied"
    finally:
        sql.execute("DELETE FROM django_migrations WHERE name = '9999_contract_later'")


@pytest.fixture
def _expanded(sql: psycopg.Connection) -> Iterator[None]:
    """The database as a newer version has expanded it: with a column and a table that this one knows nothing of."""
    sql.execute("ALTER TABLE games_game ADD COLUMN of_tomorrow varchar(9) NOT NULL DEFAULT ''")
    sql.execute("CREATE TABLE games_tomorrow (id bigint PRIMARY KEY)")
    sql.execute("INSERT INTO django_migrations (app, name, applied) VALUES ('games', '9999_of_tomorrow', now())")
    yield
    sql.execute("DELETE FROM django_migrations WHERE name = '9999_of_tomorrow'")
    sql.execute("DROP TABLE games_tomorrow")
    sql.execute("ALTER TABLE games_game DROP COLUMN of_tomorrow")


@pytest.mark.usefixtures("_expanded")
def test_an_old_worker_on_a_schema_that_was_only_expanded_goes_on(server: Darbar, maryam: Player, game: str) -> None:
    question = maryam.question(game)
    with process(server, WORKER) as log:
        assert maryam.outcome(sent(maryam, game, question, "income"))["state"] == "applied"
        assert "which goes on: this program lacks games.9999_of_tomorrow" in log.read_text()
        assert "schema" in red(server)


@pytest.fixture
def fast(tmp_path: Path) -> dict[str, str]:
    """The environment of a process whose clock is 90 seconds fast."""
    shutil.copy(HERE / "jumping_clock.py", tmp_path / "sitecustomize.py")
    set_processes_clock(tmp_path / "ahead", 90)
    return {"PYTHONPATH": str(tmp_path), "DARBAR_TEST_CLOCK": str(tmp_path / "ahead")}


BEATEN = "SELECT 1 FROM games_heartbeat WHERE at > clock_timestamp() - interval '30 s'"
TIMED_OUT = "SELECT 1 FROM games_move WHERE game_id = %s AND via = 'timeout'"


def test_a_worker_whose_clock_is_fast_closes_nothing_early(
    server: Darbar, maryam: Player, sql: psycopg.Connection, game: str, fast: dict[str, str]
) -> None:
    due = datetime.now(UTC) + timedelta(minutes=30)
    near = "UPDATE games_openquestion SET due_at = %s WHERE game_id = %s"
    with process(server, WORKER, **fast) as log:
        wait_until(lambda: "s ahead of the database's" in log.read_text(), "the fast worker knows")
        due = datetime.now(UTC) + timedelta(seconds=80)
        sql.execute(near, [due, game])
        for _ in range(2):  # each time the heart is beaten, all was looked at that is overdue
            sql.execute("UPDATE games_heartbeat SET at = clock_timestamp() - interval '31 s'")
            wait_until(lambda: sql.execute(BEATEN).fetchone(), "the heart beats")
        closed = sql.execute(TIMED_OUT, [game]).fetchone()
        assert closed is None or datetime.now(UTC) > due, "closed before its time"
        assert "clock" in red(server)
        (early,) = sql.execute("SELECT at - clock_timestamp() FROM games_heartbeat").fetchone() or (None,)
        assert early < timedelta(seconds=5)
        sql.execute(near, [datetime.now(UTC) - timedelta(seconds=11), game])
        wait_until(lambda: sql.execute(TIMED_OUT, [game]).fetchone(), "it closes what is overdue")
        wait_until(lambda: maryam.get(f"games/{game}/questions/")["results"], "she is asked again")
        (asked_at,) = sql.execute(
            "SELECT max(asked_at) FROM games_openquestion WHERE game_id = %s", [game]
        ).fetchone() or (None,)
        assert asked_at < datetime.now(UTC) + timedelta(seconds=2)


def test_a_move_is_received_by_the_databases_clock_whichever_server_takes_it(
    maryam: Player, server: Darbar, game: str, fast: dict[str, str]
) -> None:
    question = maryam.question(game)
    port = free_port()
    address = f"http://localhost:{port}"
    with process(server, "config.server.web", PORT=str(port), **fast):
        wait_until(lambda: answers(address), "it answers")
        wait_until(lambda: "clock" in httpx.get(f"{address}/healthz", timeout=60).json()["red"], "it knows")
        data, headers = {"question": question, "text": "income"}, dict(maryam.http.headers)
        post = httpx.post(f"{address}/api/v1/games/{game}/moves/", json=data, headers=headers, timeout=60)
    assert post.status_code == 202, post.text
    assert datetime.fromisoformat(post.json()["received_at"]) < datetime.now(UTC) + timedelta(seconds=2)
