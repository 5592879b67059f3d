"""Moves between major versions of PostgreSQL by a backup: from the embedded one to one of Debian, and back."""

import shutil
from pathlib import Path

import psycopg
import pytest

from config.server.postgres import Server, ServerPaths
from tests.running import open_folder
from tests.server.conftest import on_a_copy
from tests.server.darbar import Darbar
from tests.server.player import Player
from tests.server.services import DEBIAN, real_postgres
from tests.server.test_backup import manage
from tests.server.test_restore import begin_game

pytestmark = [
    pytest.mark.skipif(not DEBIAN.exists(), reason="Debian's PostgreSQL 15 is not installed"),
    pytest.mark.skipif(not Path("/proc/self/task").exists(), reason="processes are looked up in /proc"),
]


def major_of(server: Darbar) -> int:
    described = ServerPaths.in_data_dir(server.data_dir).connection()
    reach = {"host": described["HOST"], "port": described["PORT"], "user": described["USER"]}
    with psycopg.connect(**reach, dbname=described["NAME"]) as connection:
        return connection.info.server_version // 10_000


def play_on(server: Darbar, former: Player, game: str) -> None:
    """Answer what the game asks on this server, with the token of another."""
    player = Player(server, former.name)
    player.http.headers["Authorization"] = former.http.headers["Authorization"]
    before = len(player.get(f"games/{game}/events/")["results"])
    player.answer(game, "1")
    assert len(player.get(f"games/{game}/events/")["results"]) > before
    player.http.close()


def test_people_play_on_after_a_move_to_an_older_postgresql_and_back(
    darbar: Darbar, prepared: Path, tmp_path: Path
) -> None:
    darbar.start()
    assert major_of(darbar) == 18
    with Player(darbar, "Maryam") as maryam:
        game = begin_game(maryam)
        maryam.question(game)
        assert manage(darbar, "backup", tmp_path / "from-18.tar").returncode == 0
        assert darbar.end() == 0

    folder = open_folder()
    with real_postgres(folder / "postgres") as url:
        with on_a_copy(prepared, DATABASE_URL=url) as server:
            Server(ServerPaths.in_data_dir(server.data_dir)).delete_data()
            restored = manage(server, "restore", tmp_path / "from-18.tar")
            assert restored.returncode == 0, restored.stderr
            assert restored.stdout.endswith("1 games follow from their logs.\n")
            with psycopg.connect(url) as connection:
                assert connection.info.server_version // 10_000 == 15
            server.start()
            play_on(server, maryam, game)
            assert manage(server, "backup", tmp_path / "from-15.tar").returncode == 0
            assert server.end() == 0

        with on_a_copy(prepared) as back:
            Server(ServerPaths.in_data_dir(back.data_dir)).delete_data()
            restored = manage(back, "restore", tmp_path / "from-15.tar")
            assert restored.returncode == 0, restored.stderr
            assert restored.stdout.endswith("1 games follow from their logs.\n")
            back.start()
            assert major_of(back) == 18
            play_on(back, maryam, game)
            assert back.end() == 0
    shutil.rmtree(folder)
