"""The embedded PostgreSQL: started once for all who need it, stopped by the last, found again after a killing."""

import os
import shutil
import signal
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Final

import psycopg
import pytest

from config import postgres
from config.postgres import Place, PostgresError, Server
from tests.server.darbar import ROOT, alive, wait_until

DEBIAN: Final = Path("/usr/lib/postgresql/15/bin")


@pytest.fixture(scope="module")
def place() -> Iterator[Place]:
    """A place that has its data already, shared by these tests: making the data takes longest."""
    folder = Path(tempfile.mkdtemp(prefix="darbar-pg-"))
    folder.chmod(0o755)
    place = Place.under(folder)
    with Server(place):
        pass
    yield place
    shutil.rmtree(folder)
    shutil.rmtree(place.shelter, ignore_errors=True)


def test_the_data_outlive_the_server(place: Place) -> None:
    with Server(place), place.connect() as connection:
        connection.execute("CREATE TABLE kept (word text)")
        connection.execute("INSERT INTO kept VALUES ('سکه')")
    with Server(place), place.connect() as connection:
        assert connection.execute("SELECT word FROM kept").fetchone() == ("سکه",)


def test_the_last_one_out_stops_it(place: Place) -> None:
    with Server(place) as first:
        pid = first.pid
        with Server(place) as second:
            assert second.pid is None
        place.connect().close()
    with pytest.raises(psycopg.OperationalError):
        place.connect()
    assert pid is not None
    assert not alive(pid)


def test_one_who_came_later_keeps_it_running_and_stops_it(place: Place) -> None:
    first, second = Server(place), Server(place)
    first.__enter__()
    second.__enter__()
    first.__exit__()
    place.connect().close()
    second.__exit__()
    with pytest.raises(PostgresError, match="PostgreSQL has ended"):
        first.check()


def test_what_a_killed_process_left_running_is_ended_and_started_anew(place: Place) -> None:
    starter = (
        "import sys, time, pathlib; from config.postgres import *;"
        "s = Server(Place.under(pathlib.Path(sys.argv[1]))); s.__enter__(); print(s.pid, flush=True); time.sleep(99)"
    )
    killed = subprocess.Popen(
        [sys.executable, "-c", starter, place.home.parent], cwd=ROOT, stdout=subprocess.PIPE, text=True
    )
    assert killed.stdout is not None
    left = int(killed.stdout.readline())
    killed.kill()
    killed.wait()
    killed.stdout.close()
    assert alive(left)
    with Server(place) as server:
        assert server.pid not in (None, left)
        assert not alive(left)
        place.connect().close()


def test_a_server_that_was_killed_leaves_nothing_in_the_way(place: Place) -> None:
    with Server(place) as killed:
        assert killed.pid is not None
        os.kill(killed.pid, signal.SIGKILL)
        wait_until(lambda: not alive(killed.pid or 0), "it is dead")
        with pytest.raises(PostgresError, match="PostgreSQL has ended"):
            killed.check()
    with Server(place):
        place.connect().close()


def test_a_pid_file_that_names_a_stranger_is_no_obstacle(place: Place) -> None:
    data = place.home / "18"
    note = data / "postmaster.pid"
    with _stranger(place.user) as stranger:
        note.write_text(f"{stranger.pid}\n{data}\n")
        if place.user is not None:
            os.chown(note, place.user, -1)
        with Server(place):
            place.connect().close()
        assert stranger.poll() is None
        stranger.kill()


def test_nobody_else_can_enter_its_folder_or_reach_it_by_the_network(place: Place) -> None:
    with Server(place), place.connect() as connection:
        assert place.home.stat().st_mode & 0o777 == 0o700
        assert connection.execute("SHOW listen_addresses").fetchone() == ("",)


def test_a_path_too_long_for_a_socket_gets_a_short_one(place: Place) -> None:
    deep = place.home.parent / ("dar" * 30)
    deep.mkdir()
    lengthy = Place.under(deep)
    assert lengthy.sockets == lengthy.shelter
    with Server(replace(place, sockets=place.shelter)) as server:
        assert server.pid
        assert place.shelter.stat().st_mode & 0o777 == 0o700
        replace(place, sockets=place.shelter).connect().close()


def test_a_folder_of_somebody_else_is_refused(place: Place) -> None:
    if os.geteuid() != 0:
        pytest.skip("only root can make a folder for somebody else")
    theirs = place.home.with_name("theirs")
    theirs.mkdir(mode=0o700)
    os.chown(theirs, 1, -1)
    with pytest.raises(PostgresError, match="belongs to another user"), Server(replace(place, home=theirs)):
        pass


def test_a_server_that_cannot_start_says_why_in_its_own_words(place: Place) -> None:
    with (
        pytest.raises(PostgresError, match=r"PostgreSQL does not start: .*no_such_setting"),
        Server(place, "no_such_setting=1"),
    ):
        pass


def test_a_folder_without_binaries_is_refused_by_name(place: Place, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("DARBAR_PG_BIN", str(ROOT))
    with pytest.raises(PostgresError, match="DARBAR_PG_BIN must be a folder with initdb and postgres in it"):
        postgres.binaries(place)


@pytest.mark.skipif(os.geteuid() != 0, reason="only root needs another user for the database")
def test_binaries_out_of_that_users_reach_are_copied_and_run(place: Place) -> None:
    package = postgres.binaries(place).parent.parent
    place.home.parent.chmod(0o700)
    assert not postgres.can_reach(place.home, place.user)
    place.home.parent.chmod(0o755)
    copied = postgres._copied(package, place) / "pginstall18" / "bin"
    assert copied.is_relative_to(place.shelter)
    made = (copied / "postgres").stat().st_ctime_ns
    assert postgres._copied(package, place) / "pginstall18" / "bin" == copied
    assert (copied / "postgres").stat().st_ctime_ns == made, "once is enough"
    said = subprocess.run([copied / "initdb", "--version"], user=place.user, capture_output=True, text=True, check=True)
    assert "18" in said.stdout


@pytest.mark.skipif(not DEBIAN.exists(), reason="Debian's PostgreSQL 15 is not installed")
def test_other_binaries_keep_their_data_apart(place: Place, monkeypatch: pytest.MonkeyPatch) -> None:
    with Server(place):
        pass
    monkeypatch.setenv("DARBAR_PG_BIN", str(DEBIAN))
    with Server(place), place.connect() as connection:
        assert connection.info.server_version // 10000 == 15
    assert {folder.name for folder in place.home.iterdir() if folder.is_dir()} == {"15", "18"}


def test_data_half_made_are_made_anew(place: Place) -> None:
    place.home.joinpath("18").rename(place.home / "18.new")
    with Server(place):
        place.connect().close()


def test_data_are_forgotten_only_when_nobody_uses_them(place: Place) -> None:
    with Server(place), pytest.raises(PostgresError, match="in use"):
        Server(place).forget()
    Server(place).forget()
    assert not place.home.exists()


def _stranger(user: int | None) -> "subprocess.Popen[bytes]":
    """A process of the database's user that is no database."""
    return subprocess.Popen(["sleep", "60"], **({} if user is None else {"user": user}))
