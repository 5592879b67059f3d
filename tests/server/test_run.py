"""``make run``: it stops everything that it has started, and finds its data again."""

import json
import os
import pwd
import shutil
import signal
import socket
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path

import pytest

from config.server.postgres import ServerPaths
from config.server.runner import first_steps
from tests.server.darbar import Darbar, alive, python_for_others, tell, wait_until

pytestmark = pytest.mark.skipif(not Path("/proc/self/task").exists(), reason="processes are looked up in /proc")
PARTS = (b"config.server.web", b"config.server.worker", b"config.server.mail", b"config.server.stream", b"/postgres -D")
as_root = pytest.mark.skipif(os.geteuid() != 0, reason="only root can become somebody else")


def test_make_run_starts_database_web_server_mail_server_and_worker_and_prints_their_addresses(running: Darbar) -> None:
    assert f"Darbar is at http://localhost:{running.port}/" in running.output()
    assert first_steps() in running.output()
    assert running.get("/healthz").json()["status"] == "ok"
    assert all(running.pids(part) for part in PARTS)


def test_sigterm_ends_everything_it_started(darbar: Darbar) -> None:
    started = darbar.start().descendants()
    assert len(started) > 5
    assert darbar.end(signal.SIGTERM) == 0
    assert not list(filter(alive, started))
    assert darbar.output().endswith("Darbar has stopped.\n")
    assert "Traceback" not in darbar.output()


def test_a_worker_that_is_killed_is_started_again(running: Darbar) -> None:
    workers = running.workers()
    tell(signal.SIGKILL, *workers)
    wait_until(lambda: set(running.workers()).difference(workers), "another worker runs")
    assert running.get("/healthz").is_success


def test_what_dies_again_and_again_is_started_again_each_time(darbar: Darbar) -> None:
    darbar.start()
    for part in (b"config.server.stream", b"/postgres -D"):
        for _ in range(4):
            wait_until(lambda part=part: darbar.pids(part), "it is started again")
            killed = darbar.pids(part)
            tell(signal.SIGKILL, *killed)
            wait_until(lambda killed=killed: not list(filter(alive, killed)), "it has ended")
    assert darbar.runs
    wait_until(lambda: darbar.get("/healthz").is_success, "the database answers again")
    assert darbar.output().count("config.server.stream has ended (-9) and is being restarted.") >= 4
    assert "PostgreSQL has ended and is being restarted: " in darbar.output()
    assert darbar.end() == 0


def test_after_a_sigkill_of_the_runner_the_others_end_and_the_next_run_finds_the_key_and_the_data(
    darbar: Darbar,
) -> None:
    started = darbar.start().descendants()
    key = (darbar.data_dir / "secret-key").read_text()
    darbar.kill()
    darbar.start()
    wait_until(lambda: not list(filter(alive, started)), "the first run's processes have ended")
    assert darbar.get("/healthz").is_success
    assert (darbar.data_dir / "secret-key").read_text() == key
    darbar.kill(*darbar.descendants())
    darbar.start()
    assert darbar.get("/healthz").is_success, "after a SIGKILL of everything too"
    started = darbar.descendants()
    assert darbar.end(signal.SIGINT) == 0
    assert not list(filter(alive, started))


@pytest.mark.parametrize("setting", ["PORT", "MAIL_PORT", "STREAM_PORT"])
def test_a_busy_port_is_one_sentence(darbar: Darbar, setting: str) -> None:
    port = darbar.environment[setting]
    with socket.socket() as other:
        other.bind(("127.0.0.1", int(port)))
        other.listen()
        refuse = darbar.refuse()
    assert (
        refuse == f"{setting} {port} is in use. Stop the program that listens there, or set {setting} to another port."
    )


def test_one_port_for_both_servers_is_one_sentence(darbar: Darbar) -> None:
    darbar.environment["MAIL_PORT"] = darbar.environment["PORT"]
    assert darbar.refuse() == f"PORT and MAIL_PORT are both {darbar.port}. Change one of them."


def test_a_second_run_on_the_same_data_is_one_sentence(running: Darbar) -> None:
    second = Darbar(running.data_dir)
    second.log = running.log.with_suffix(".second")
    assert second.refuse().startswith("Darbar is already running on ")
    second.environment["LOG_FORMAT"] = "json"
    assert json.loads(second.refuse())["message"].startswith("Darbar is already running on ")
    assert running.get("/healthz").is_success


def test_a_setting_that_is_no_good_is_one_sentence_with_its_name(darbar: Darbar) -> None:
    darbar.environment["MAIL_PORT"] = "eighty"
    assert darbar.refuse() == "MAIL_PORT must be a whole number from 1 to 65535, not 'eighty'."


def test_a_database_that_does_not_answer_is_one_sentence(darbar: Darbar) -> None:
    darbar.environment["DATABASE_URL"] = "postgres://nobody:nothing@127.0.0.1:1/nothing"
    assert darbar.refuse().startswith("The database doesn’t answer: ")


@as_root
def test_an_ordinary_user_runs_it_as_themselves(darbar: Darbar) -> None:
    darbar.program, packages = python_for_others()
    darbar.environment |= packages
    bahareh = pwd.getpwnam("daemon")
    shutil.rmtree(darbar.data_dir)
    darbar.data_dir.mkdir()
    os.chown(darbar.data_dir, bahareh.pw_uid, bahareh.pw_gid)
    darbar.start(user=bahareh.pw_uid, group=bahareh.pw_gid, extra_groups=[])
    assert darbar.get("/healthz").is_success
    owners = set()
    for pid in darbar.descendants():
        with suppress(FileNotFoundError):
            owners.add(Path(f"/proc/{pid}").stat().st_uid)
    assert owners == {bahareh.pw_uid}


@as_root
def test_root_runs_it_from_a_closed_folder_and_finds_its_data_again(darbar: Darbar, shelter: Path) -> None:
    shutil.rmtree(darbar.data_dir / "postgres")
    darbar.data_dir.parent.chmod(0o700)
    darbar.start()
    database = darbar.pids(b"/postgres -D").pop()
    paths = ServerPaths.in_data_dir(darbar.data_dir)
    assert Path(f"/proc/{database}").stat().st_uid == paths.user
    assert Path(os.readlink(f"/proc/{database}/cwd")) == shelter / "postgres" / "18"
    assert (shelter / "postgres" / "18").stat().st_mode & 0o777 == 0o700
    assert f"The database is in {shelter / 'postgres'}" in darbar.output()
    assert ("To give it a user of its own, run useradd" in darbar.output()) == paths.shares_user
    modified_at = (shelter / "postgres" / "18" / "PG_VERSION").stat().st_mtime
    darbar.end()
    darbar.start()
    assert (darbar.data_dir / "postgres" / "18" / "PG_VERSION").stat().st_mtime == modified_at


@pytest.fixture
def shelter(darbar: Darbar) -> Iterator[Path]:
    """Return the folder for data that the database's user cannot reach elsewhere."""
    folder = ServerPaths.in_data_dir(darbar.data_dir).shelter
    yield folder
    if darbar.runs:
        darbar.kill(*darbar.descendants())
    shutil.rmtree(folder)
