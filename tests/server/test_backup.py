"""A backup that is made while people play, and a server that starts again from it."""

import io
import json
import subprocess
import sys
import tarfile
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import pytest

from config.server.postgres import Server, ServerPaths
from tests.server.conftest import on_a_copy
from tests.server.darbar import ROOT, Darbar
from tests.server.player import PASSWORD, Player
from tests.server.test_restore import Listener, begin_game

pytestmark = pytest.mark.skipif(not Path("/proc/self/task").exists(), reason="processes are looked up in /proc")


def manage(server: Darbar, *arguments: str | Path, **environment: str) -> "subprocess.CompletedProcess[str]":
    """Return the output of a management command for a server."""
    command = [sys.executable, "manage.py", *map(str, arguments)]
    return subprocess.run(
        command, cwd=ROOT, env={**server.environment, **environment}, capture_output=True, text=True, check=False
    )


def refused(server: Darbar, *arguments: str | Path, **environment: str) -> str:
    """The one sentence with which a command refuses."""
    answer = manage(server, *arguments, **environment)
    assert answer.returncode == 1
    assert len(answer.stderr.splitlines()) == 1, answer.stderr
    return answer.stderr


def of_other_software(backup: Path, file: Path, migration: str) -> Path:
    """Return the backup as if a version with one more migration had made it."""
    with tarfile.open(backup) as old, tarfile.open(file, "w") as new:
        for member in old.getmembers():
            content = old.extractfile(member)
            assert content is not None
            data = content.read()
            if member.name == "about.json":
                about = json.loads(data)
                data = json.dumps({**about, "migrations": [*about["migrations"], ["games", migration]]}).encode()
            member.size = len(data)
            new.addfile(member, io.BytesIO(data))
    return file


@dataclass(frozen=True)
class Monday:
    """A backup that was made while Maryam and Sepideh played, and what happened before and after it."""

    server: Darbar
    """The server, which has ended. Sepideh deleted her account after the backup."""
    file: Path
    report: "subprocess.CompletedProcess[str]"
    refusals: dict[str, str]
    """The refusals of the running server, by command."""
    listener: Listener
    """Maryam's event stream."""
    headers: dict[str, dict[str, str]]
    """The headers of the players' requests, by name."""
    game: str
    question: str
    """Maryam's question in the game when the backup was made."""
    later_game: str
    """The game that Maryam created after the backup."""


@pytest.fixture(scope="module")
def monday(prepared: Path, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Monday]:
    file = tmp_path_factory.mktemp("backups") / "monday.tar"
    with on_a_copy(prepared) as server:
        server.start()
        with Player(server, "Maryam") as maryam, Player(server, "Sepideh") as sepideh:
            listener = Listener(maryam)
            listener.hear(server, "ready")
            game = begin_game(maryam)
            question = maryam.question(game)
            report = manage(server, "backup", file)
            later_game = begin_game(maryam)
            refusals = {command: refused(server, command, file) for command in ("backup", "restore")}
            assert sepideh.http.post("/api/v1/me/deletion/", json={"password": PASSWORD}).status_code == 204
            headers = {"Maryam": dict(maryam.http.headers), "Sepideh": dict(sepideh.http.headers)}
        assert server.end() == 0
        yield Monday(server, file, report, refusals, listener, headers, game, question, later_game)


@pytest.fixture(scope="module")
def empty(prepared: Path) -> Iterator[Darbar]:
    """A server without a database, on which every restore is refused."""
    with on_a_copy(prepared) as server:
        Server(ServerPaths.in_data_dir(server.data_dir)).delete_data()
        yield server


def test_a_backup_is_made_while_people_play_and_only_its_owner_can_read_it(monday: Monday) -> None:
    assert (monday.report.returncode, monday.report.stdout) == (
        0,
        f"{monday.file} holds 2 accounts and 1 games. Keep it secret.\n",
    )
    assert monday.file.stat().st_mode & 0o777 == 0o600


def test_a_backup_replaces_no_file(monday: Monday) -> None:
    assert "already exists" in monday.refusals["backup"]


def test_a_backup_is_not_restored_over_accounts_and_games(monday: Monday) -> None:
    assert "The database has accounts or games" in monday.refusals["restore"]


def test_a_file_that_is_no_backup_is_refused(empty: Darbar) -> None:
    assert "isn’t a readable backup of Darbar" in refused(empty, "restore", ROOT / "README.md")


@pytest.mark.parametrize(
    ("migration", "reason"),
    [
        ("0002_event_log", "a version of Darbar that is too old: this one has replaced"),
        ("0999_contract_seats", "made by a newer version of Darbar: this one lacks games.0999_contract_seats"),
    ],
    ids=["older", "newer"],
)
def test_a_backup_of_other_software_is_refused(
    monday: Monday, empty: Darbar, tmp_path: Path, migration: str, reason: str
) -> None:
    other = of_other_software(monday.file, tmp_path / "other.tar", migration)
    assert reason in refused(empty, "restore", other)


def test_a_restore_beside_another_secret_key_is_refused(monday: Monday, empty: Darbar) -> None:
    assert "SECRET_KEY is set in the environment" in refused(empty, "restore", monday.file, SECRET_KEY="another" * 9)


def test_a_list_of_deleted_accounts_that_cannot_be_read_is_refused(monday: Monday, empty: Darbar) -> None:
    assert "its line 1 is" in refused(empty, "restore", monday.file, "--deleted", ROOT / "README.md")


def test_a_server_goes_on_from_a_backup_and_deleted_accounts_stay_deleted(monday: Monday, darbar: Darbar) -> None:
    Server(ServerPaths.in_data_dir(darbar.data_dir)).delete_data()
    (darbar.data_dir / "secret-key").unlink()
    deleted = monday.server.data_dir / "deleted-accounts"
    restored = manage(darbar, "restore", monday.file, "--deleted", deleted)
    assert restored.returncode == 0, restored.stderr
    assert restored.stdout.startswith("Restored 2 accounts and 1 games, as of 2")
    assert "\nDeleted 1 of these accounts again" in restored.stdout
    assert restored.stdout.endswith("1 games follow from their logs.\n")
    recovered = manage(darbar, "restore", "--recovered")
    assert recovered.stdout.startswith("Restored 1 accounts and 1 games, as PostgreSQL has brought them back.\n")
    keys = [(server.data_dir / "secret-key").read_bytes() for server in (monday.server, darbar)]
    assert keys[0] == keys[1]
    darbar.start()
    maryam = Player(darbar, "Maryam")
    with maryam.http as http:
        http.headers.update(monday.headers["Maryam"])
        assert maryam.question(monday.game) == monday.question
        assert http.get(f"/api/v1/games/{monday.later_game}/").status_code == 404
        assert http.get("/api/v1/me/", headers=monday.headers["Sepideh"]).status_code == 401
    (reset,) = monday.listener.hear(darbar, "reset")
    assert reset.data.keys() == {"at"}
    assert darbar.end() == 0
