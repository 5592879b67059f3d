"""The embedded PostgreSQL: started once for all who need it, stopped by the last, found again after a killing."""

import contextlib
import os
import pwd
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

from config.server.postgres import PostgresError, Server, ServerPaths
from config.server.postgres import paths as server_paths
from config.server.postgres.paths import major_version, make_folder
from config.server.postgres.server import LARGEST_LOG
from tests.server.darbar import ROOT, alive, python_for_others, wait_until

pytestmark = pytest.mark.slow

DEBIAN: Final = Path("/usr/lib/postgresql/15/bin")


@pytest.fixture(scope="module")
def paths() -> Iterator[ServerPaths]:
    """A place that has its data already, shared by these tests: making the data takes longest."""
    folder = Path(tempfile.mkdtemp(prefix="darbar-pg-"))
    folder.chmod(0o755)
    paths = ServerPaths.in_data_dir(folder)
    with Server(paths):
        pass
    yield paths
    shutil.rmtree(folder)
    shutil.rmtree(paths.shelter, ignore_errors=True)


def test_the_data_outlive_the_server(paths: ServerPaths) -> None:
    with Server(paths), paths.administer() as connection:
        connection.execute("CREATE TABLE kept (word text)")
        connection.execute("INSERT INTO kept VALUES ('سکه')")
    with Server(paths), paths.administer() as connection:
        assert connection.execute("SELECT word FROM kept").fetchone() == ("سکه",)


def test_the_last_one_out_stops_it(paths: ServerPaths) -> None:
    with Server(paths) as first:
        pid = first.pid
        with Server(paths) as second:
            assert second.pid is None
        paths.administer().close()
    with pytest.raises(psycopg.OperationalError):
        paths.administer()
    assert pid is not None
    assert not alive(pid)


def test_one_who_came_later_keeps_it_running_and_stops_it(paths: ServerPaths) -> None:
    first, second = Server(paths), Server(paths)
    first.__enter__()
    second.__enter__()
    first.__exit__()
    paths.administer().close()
    second.__exit__()
    assert not _answers(paths)
    assert first._child
    first._child.wait()


def test_what_a_killed_process_left_running_is_ended_and_started_anew(paths: ServerPaths) -> None:
    starter = (
        "import sys, time, pathlib; from config.server.postgres import *;"
        "s = Server(ServerPaths.in_data_dir(pathlib.Path(sys.argv[1]))); s.__enter__();"
        "print(s.pid, flush=True); time.sleep(99)"
    )
    killed = subprocess.Popen(
        [sys.executable, "-c", starter, paths.home.parent], cwd=ROOT, stdout=subprocess.PIPE, text=True
    )
    assert killed.stdout is not None
    left = int(killed.stdout.readline())
    killed.kill()
    killed.wait()
    killed.stdout.close()
    assert alive(left)
    with Server(paths) as server:
        assert server.pid not in (None, left)
        assert not alive(left)
        paths.administer().close()


def test_a_server_that_was_killed_is_started_again_by_whoever_keeps_it(paths: ServerPaths) -> None:
    with Server(paths) as server:
        for _ in range(3):
            killed = server.pid
            assert killed is not None
            os.kill(killed, signal.SIGKILL)
            wait_until(lambda killed=killed: not alive(killed), "it is dead")
            sentences = []
            wait_until(lambda sentences=sentences: _keep(server, sentences) and _answers(paths), "it answers again")
            assert sentences[0].startswith("PostgreSQL has ended and is being restarted: ")
    with Server(paths):
        paths.administer().close()


def _keep(server: Server, lines: list[str]) -> bool:
    """Let the supervisor check the server once, and record its output. Return True if there was none."""
    if sentence := server.keep():
        lines.append(sentence)
    return not sentence


def _answers(paths: ServerPaths) -> bool:
    try:
        paths.administer().close()
    except psycopg.OperationalError:
        return False
    return True


def test_a_server_that_another_process_started_is_started_again_too(paths: ServerPaths) -> None:
    first, second = Server(paths), Server(paths)
    first.__enter__()
    second.__enter__()
    assert second.keep() is None
    assert first.pid is not None
    os.kill(first.pid, signal.SIGKILL)
    assert first._child
    first._child.wait()
    wait_until(lambda: _keep(second, []) and _answers(paths), "it answers again")
    first.__exit__()
    assert _answers(paths)
    second.__exit__()
    assert not _answers(paths)


def test_a_pid_file_that_names_a_stranger_is_no_obstacle(paths: ServerPaths) -> None:
    cluster = paths.home / "18"
    note = cluster / "postmaster.pid"
    with _stranger(paths.user) as stranger:
        _write_as_its_user(note, f"{stranger.pid}\n{cluster}\n", paths)
        with Server(paths):
            paths.administer().close()
        assert stranger.poll() is None
        stranger.kill()


@pytest.mark.parametrize("content", ["", "\0" * 8])
def test_a_pid_file_whose_writer_was_killed_before_it_wrote_is_no_obstacle(paths: ServerPaths, content: str) -> None:
    note = paths.home / "18" / "postmaster.pid"
    with Server(paths) as server:
        assert server.pid is not None
        os.kill(server.pid, signal.SIGKILL)
        assert server._child
        server._child.wait()
        _write_as_its_user(note, content, paths)
        wait_until(lambda: _keep(server, []) and _answers(paths), "it answers again")
    _write_as_its_user(note, content, paths)
    copying = ["/bin/sh", "-c", "read line", "postgres", "-D", str(note.parent)]
    with subprocess.Popen(copying, stdin=subprocess.PIPE) as another_program:
        with Server(paths):
            paths.administer().close()
        another_program.kill()


def test_an_empty_pid_file_of_a_server_that_is_just_starting_is_left_alone(paths: ServerPaths) -> None:
    cluster = paths.home / "18"
    note = cluster / "postmaster.pid"
    _write_as_its_user(note, "", paths)
    starting = ["postgres", "-c", "echo; read line", "-D", str(cluster)]
    with (
        subprocess.Popen(starting, executable="/bin/sh", stdin=subprocess.PIPE, stdout=subprocess.PIPE) as other,
        contextlib.ExitStack() as ended,
    ):
        ended.callback(other.kill)
        assert other.stdout
        other.stdout.readline()
        with pytest.raises(PostgresError, match="is empty"):
            Server(paths).__enter__()
        assert note.exists()
    with Server(paths):
        paths.administer().close()


def _write_as_its_user(note: Path, content: str, paths: ServerPaths) -> None:
    note.write_text(content)
    if paths.user is not None:
        os.chown(note, paths.user, -1)


def test_the_embedded_database_has_closed_folders_and_does_not_listen_on_the_network(paths: ServerPaths) -> None:
    with Server(paths), paths.administer() as connection:
        for folder in (paths.home / "18", paths.sockets):
            assert folder.stat().st_mode & 0o777 == 0o700
            assert folder.stat().st_uid == (os.geteuid() if paths.user is None else paths.user)
        assert paths.home.stat().st_uid == os.geteuid()
        assert not paths.home.stat().st_mode & 0o066
        for name in ("log", "turn.lock", "users.lock"):
            assert (paths.home / name).stat().st_mode & 0o777 == 0o600
        assert connection.execute("SHOW listen_addresses").fetchone() == ("",)


def test_the_embedded_database_keeps_no_processes_that_only_read_tables(paths: ServerPaths) -> None:
    with Server(paths), paths.administer() as connection:
        workers = connection.execute(
            "SELECT count(*) FROM pg_stat_activity WHERE backend_type = 'io worker'"
        ).fetchone()
    assert workers == (0,)


CONNECT: Final = (
    "import sys, psycopg; psycopg.connect(host=sys.argv[1], port=5432, user=sys.argv[2], dbname='postgres',"
    " connect_timeout=30).close()"
)


@pytest.mark.skipif(os.geteuid() != 0, reason="only root can become somebody else")
@pytest.mark.parametrize("role", [server_paths.SUPERUSER, server_paths.DATABASE])
@pytest.mark.parametrize("user", ["nobody", "daemon"])
def test_processes_of_other_users_cannot_connect(paths: ServerPaths, user: str, role: str) -> None:
    program, packages = python_for_others()
    connect, how = [program, "-c", CONNECT, paths.sockets, role], {"PATH": os.defpath, **packages}
    with Server(paths):
        assert subprocess.run(connect, env=how, check=False).returncode == 0, "we can, in the same way"
        theirs = subprocess.run(
            connect, env=how, user=user, extra_groups=[], capture_output=True, text=True, check=False
        )
    assert theirs.returncode == 1
    is_the_servers = pwd.getpwnam(user).pw_uid == paths.user
    assert "Peer authentication failed" in theirs.stderr if is_the_servers else "Permission denied" in theirs.stderr


def test_the_application_owns_its_database_and_nothing_else(paths: ServerPaths) -> None:
    with Server(paths), _own_connection(paths) as connection:
        rights = (
            "SELECT rolsuper, rolcreatedb, rolcreaterole, rolreplication FROM pg_roles WHERE rolname = current_user"
        )
        assert connection.execute(rights).fetchone() == (False, False, False, False)
        connection.execute("CREATE TABLE ours (word text)")
        connection.execute("DROP TABLE ours")
        with pytest.raises(psycopg.errors.InsufficientPrivilege):
            connection.execute("COPY (SELECT 1) TO PROGRAM 'cat'")


def _own_connection(paths: ServerPaths) -> "psycopg.Connection[tuple[object, ...]]":
    """A connection as the application's role."""
    described = paths.connection()
    return psycopg.connect(
        host=described["HOST"], user=described["USER"], dbname=described["NAME"], port=5432, autocommit=True
    )


def test_data_that_admitted_everybody_are_closed_and_lose_nothing(paths: ServerPaths) -> None:
    old = _beside(paths, "old")
    _make_open_data(old)
    _write_as_its_user(old.home / "18" / "postmaster.pid", "", old)
    for _ in range(2):
        with Server(old), _own_connection(old) as connection:
            assert connection.execute("SELECT word, number FROM kept").fetchone() == ("سکه", 1)
            assert connection.execute("SELECT usesuper FROM pg_user WHERE usename = current_user").fetchone() == (
                False,
            )
            connection.execute("ALTER TABLE kept ADD COLUMN IF NOT EXISTS more int")
            connection.execute("CREATE OR REPLACE FUNCTION one() RETURNS int LANGUAGE sql AS 'SELECT 1'")
            connection.execute("ALTER SEQUENCE alone RESTART")
    assert "trust" not in (old.home / "18" / "pg_hba.conf").read_text()


def _beside(paths: ServerPaths, name: str) -> ServerPaths:
    """Another place in the same folder."""
    folder = paths.link.with_name(name)
    folder.mkdir(mode=0o755)
    return ServerPaths.in_data_dir(folder)


def _make_open_data(paths: ServerPaths) -> None:
    """Create data as earlier versions did: with a single role, and open to all users."""
    folder, how = paths.binaries(), Server(paths)._process_options()
    make_folder(paths.home, 0o700, owner=paths.user)
    cluster = paths.home / major_version(folder)
    initdb = [folder / "initdb", "-A", "trust", "-U", "darbar", "-E", "UTF8", "--locale=C.UTF-8", "-N", "-D", cluster]
    subprocess.run(initdb, check=True, stdout=subprocess.DEVNULL, **{**how, "cwd": paths.home})
    statements = {
        "postgres": "CREATE DATABASE darbar\n",
        "darbar": "CREATE TABLE kept (number serial PRIMARY KEY, word text)\n"
        "INSERT INTO kept (word) VALUES ('سکه')\n"
        "CREATE FUNCTION one() RETURNS int LANGUAGE sql AS 'SELECT 1'\n"
        "CREATE SEQUENCE alone\n",
    }
    for database, statement in statements.items():
        single = [folder / "postgres", "--single", "-D", cluster, database]
        subprocess.run(
            single, input=statement, check=True, capture_output=True, text=True, **{**how, "cwd": paths.home}
        )


def test_the_log_is_kept_from_start_to_start_and_stays_small(paths: ServerPaths) -> None:
    log = paths.home / "log"
    with Server(paths), paths.administer() as connection:
        connection.execute("DO $$ BEGIN RAISE LOG 'two coins'; END $$")
    with Server(paths) as server:
        assert "two coins" in log.read_text()
        with log.open("a") as file:
            file.write("x" * 80 + "\n")
            file.truncate(LARGEST_LOG + 1)
        server.keep()
        assert "two coins" in (paths.home / "log.1").read_text()
        with paths.administer() as connection:
            connection.execute("DO $$ BEGIN RAISE LOG 'three coins'; END $$")
        wait_until(lambda: "three coins" in log.read_text(), "it is written to the log")
        assert log.stat().st_size < LARGEST_LOG
        assert "\0" not in log.read_text()


def test_a_path_too_long_for_a_socket_gets_a_short_one(paths: ServerPaths) -> None:
    deep = paths.home.parent / ("dar" * 30)
    deep.mkdir()
    lengthy = ServerPaths.in_data_dir(deep)
    assert lengthy.sockets == lengthy.shelter / "run"
    with Server(replace(paths, sockets=paths.shelter / "run")) as server:
        assert server.pid
        assert (paths.shelter / "run").stat().st_mode & 0o777 == 0o700
        replace(paths, sockets=paths.shelter / "run").administer().close()


def test_a_folder_of_somebody_else_is_refused(paths: ServerPaths) -> None:
    if os.geteuid() != 0:
        pytest.skip("only root can make a folder for somebody else")
    theirs = paths.home.with_name("theirs")
    theirs.mkdir(mode=0o700)
    os.chown(theirs, 1, -1)
    with (
        pytest.raises(PostgresError, match="belongs to another user"),
        Server(replace(paths, home=theirs, link=theirs)),
    ):
        pass


def test_a_server_that_cannot_start_says_why_in_its_own_words(paths: ServerPaths) -> None:
    with (
        pytest.raises(PostgresError, match=r"PostgreSQL doesn’t start: .*no_such_setting"),
        Server(paths, "no_such_setting=1"),
    ):
        pass


def test_a_folder_without_binaries_is_refused_by_name(paths: ServerPaths, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("DARBAR_PG_BIN", str(ROOT))
    with pytest.raises(PostgresError, match="DARBAR_PG_BIN must be a folder with initdb and postgres in it"):
        paths.binaries()


@pytest.mark.skipif(os.geteuid() != 0, reason="only root needs another user for the database")
def test_binaries_out_of_that_users_reach_are_copied_and_run(paths: ServerPaths) -> None:
    package = paths.binaries().parent.parent
    copy = paths._copy_programs(package) / "pginstall18" / "bin"
    assert copy.is_relative_to(paths.shelter)
    changed_at = (copy / "postgres").stat().st_ctime_ns
    assert paths._copy_programs(package) / "pginstall18" / "bin" == copy
    assert (copy / "postgres").stat().st_ctime_ns == changed_at, "once is enough"
    completed = subprocess.run(
        [copy / "initdb", "--version"], user=paths.user, capture_output=True, text=True, check=True
    )
    assert "18" in completed.stdout


@pytest.mark.skipif(os.geteuid() != 0, reason="only root needs another user for the database")
def test_data_that_were_nobodys_are_handed_over_to_a_user_of_its_own(paths: ServerPaths) -> None:
    nobody = pwd.getpwnam(server_paths.SHARED_USER).pw_uid
    own_paths = replace(_beside(paths, "own"), user=pwd.getpwnam("daemon").pw_uid)
    shutil.copytree(paths.home / "18", own_paths.home / "18")
    for data_path in (own_paths.home / "18", *(own_paths.home / "18").rglob("*")):
        os.chown(data_path, nobody, -1)
    with Server(own_paths) as server:
        own_paths.administer().close()
        assert Path(f"/proc/{server.pid}").stat().st_uid == own_paths.user
    assert {path.lstat().st_uid for path in (own_paths.home / "18").rglob("*")} == {own_paths.user}


@pytest.mark.skipif(os.geteuid() != 0, reason="only root needs another user for the database")
def test_a_package_says_how_root_makes_a_user_for_the_database(
    paths: ServerPaths, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(server_paths, "_IS_CHECKOUT", False)
    with pytest.raises(PostgresError, match=r"create the user: useradd --system .* darbar-postgres$"):
        replace(paths, user=pwd.getpwnam("nobody").pw_uid).make()
    replace(_beside(paths, "package"), user=pwd.getpwnam("daemon").pw_uid).make()


@pytest.mark.skipif(os.geteuid() != 0, reason="only root needs another user for the database")
def test_data_out_of_that_users_reach_are_where_a_link_in_the_data_folder_leads(
    paths: ServerPaths, closed: Path
) -> None:
    away = ServerPaths.in_data_dir(closed)
    assert away.home.is_relative_to("/var/lib/darbar")
    with Server(away):
        away.administer().close()
    assert away.link.readlink() == away.home
    closed.parent.chmod(0o755)
    assert ServerPaths.in_data_dir(closed) == away, "the link counts, though the folder could be reached by now"
    Server(away).delete_data()
    assert not away.link.is_symlink()
    assert not away.shelter.exists()
    away.link.symlink_to(paths.home)
    with pytest.raises(PostgresError, match="belongs to another data folder"), Server(away):
        pass


@pytest.mark.skipif(os.geteuid() != 0, reason="only root needs another user for the database")
def test_data_that_are_missing_or_out_of_reach_are_refused_and_not_begun_anew(closed: Path) -> None:
    away = ServerPaths.in_data_dir(closed)
    away.link.symlink_to(away.home)
    with pytest.raises(PostgresError, match="Bring the database back"), Server(away):
        pass
    away.link.unlink()
    away.link.mkdir()
    with pytest.raises(PostgresError, match=r"the user [a-z-]+, who can’t reach it"), Server(away):
        pass
    assert not away.shelter.exists()


@pytest.fixture
def closed() -> Iterator[Path]:
    """A data folder that only we can reach."""
    parent = Path(tempfile.mkdtemp(prefix="darbar-pg-"))
    (parent / "data").mkdir()
    yield parent / "data"
    shelter = ServerPaths.in_data_dir(parent / "data").shelter
    shutil.rmtree(parent)
    shutil.rmtree(shelter, ignore_errors=True)


@pytest.mark.skipif(not DEBIAN.exists(), reason="Debian's PostgreSQL 15 is not installed")
def test_data_of_another_major_version_are_refused_and_not_begun_anew(
    paths: ServerPaths, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("DARBAR_PG_BIN", str(DEBIAN))
    with pytest.raises(PostgresError, match=r"are of PostgreSQL 18, and .* is PostgreSQL 15, .* set DARBAR_PG_BIN"):
        Server(paths).__enter__()
    assert {folder.name for folder in paths.home.glob("[0-9]*")} == {"18"}


@pytest.mark.skipif(not DEBIAN.exists(), reason="Debian's PostgreSQL 15 is not installed")
def test_other_binaries_work_as_well(paths: ServerPaths, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("DARBAR_PG_BIN", str(DEBIAN))
    opened = _beside(paths, "opened")
    _make_open_data(opened)
    with Server(opened), _own_connection(opened) as connection:
        assert connection.info.server_version // 10000 == 15
        assert connection.execute("SELECT word FROM kept").fetchone() == ("سکه",)


def test_data_half_made_are_made_anew(paths: ServerPaths) -> None:
    paths.home.joinpath("18").rename(paths.home / "18.new")
    with Server(paths):
        paths.administer().close()


def test_data_are_forgotten_only_when_nobody_uses_them(paths: ServerPaths) -> None:
    with Server(paths), pytest.raises(PostgresError, match="in use"):
        Server(paths).delete_data()
    Server(paths).delete_data()
    assert not paths.home.exists()


def _stranger(user: int | None) -> "subprocess.Popen[bytes]":
    """A process of the database's user that is no database."""
    return subprocess.Popen(["sleep", "60"], **({} if user is None else {"user": user}))
