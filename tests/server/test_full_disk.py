"""A real server whose disk is filled and freed: it is named, nothing is lost, and nothing has to be restarted."""

import errno
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path

import psycopg
import pytest

from tests.server.darbar import Darbar, database, wait_until
from tests.server.player import Player
from tests.server.replies import opened

SIZE = "240m"
CHUNK = 64 * 1024


@pytest.fixture
def disk() -> Iterator[Path]:
    """A small disk of its own."""
    folder = Path(tempfile.mkdtemp(prefix="darbar-disk-"))
    mounted = subprocess.run(
        ["mount", "-t", "tmpfs", "-o", f"size={SIZE},mode=755", "none", folder], capture_output=True, check=False
    )
    if mounted.returncode:
        folder.rmdir()
        pytest.skip(f"a file system cannot be mounted here: {mounted.stderr.decode().strip()}")
    yield folder
    subprocess.run(["umount", folder], check=True)
    folder.rmdir()


@pytest.fixture
def server(disk: Path, prepared: Path) -> Iterator[Darbar]:
    subprocess.run(["cp", "-a", prepared, disk], check=True)
    server = Darbar(disk / "data")
    server.log = Path(f"{disk}.log")
    yield server.start()
    if server.runs:
        server.kill(*server.descendants())
    sys.stdout.write(server.output())  # shown where the test has failed
    server.log.unlink()


def fill(disk: Path) -> Path:
    """Write until there is no room at all."""
    ballast = disk / "ballast"
    with ballast.open("ab", buffering=0) as file:
        size = CHUNK
        while size:
            try:
                file.write(bytes(size))
            except OSError as error:
                if error.errno != errno.ENOSPC:
                    raise
                size //= 2
    return ballast


def use_up(server: Darbar, disk: Path) -> None:
    """Make PostgreSQL write until it cannot, neither into tables nor into its own log."""

    def cannot() -> bool:
        fill(disk)
        try:
            with database(server) as connection:
                connection.execute(
                    "INSERT INTO cache SELECT gen_random_uuid(), string_agg(md5(n::text), ''), now()"
                    " FROM generate_series(1, 100000) AS n"
                )
        except psycopg.Error:
            return True
        return False

    wait_until(cannot, "nothing more can be stored")


def sent(player: Player, game: str, key: str) -> str:
    """Return the address of an accepted move, or a blank text."""
    move = {"question": "1.1", "text": "income"}
    answer = player.http.post(f"/api/v1/games/{game}/moves/", json=move, headers={"Idempotency-Key": key})
    if answer.status_code == 503:
        assert answer.json()["code"] == "unavailable"
        assert int(answer.headers["Retry-After"]) > 0
        return ""
    assert answer.status_code == 202, answer.text
    return answer.headers["Location"]


def test_a_full_disk_is_named_and_mends_itself_when_it_is_freed(server: Darbar, disk: Path) -> None:
    with Player(server, "Maryam") as maryam:
        games = [opened(maryam) for _ in range(5)]
        assert {maryam.question(game) for game in games} == {"1.1"}
        ballast = fill(disk)
        wait_until(lambda: f"The disk of {server.data_dir} is nearly full" in server.output(), "the runner says so")
        wait_until(lambda: "disk" in server.get("/healthz").json()["red"], "it is red")
        use_up(server, disk)
        places = {game: sent(maryam, game, f"key-{game}") for game in games}
        ballast.unlink()
        wait_until(lambda: "has room again" in server.output(), "the runner says so")
        for game, place in places.items():
            wait_until(lambda game=game: server.get("/healthz").is_success, "the database answers")
            again = sent(maryam, game, f"key-{game}")
            assert again == (place or again), "what was taken is not taken twice"
            assert maryam.outcome(again)["state"] == "applied"
        wait_until(lambda: server.get("/healthz").json()["red"] == [], "all is well again")
    assert server.runs
    assert server.end() == 0
