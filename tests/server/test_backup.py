"""A backup that is made while people play, and a server that begins again from it."""

import io
import json
import subprocess
import sys
import tarfile
from pathlib import Path

import pytest

from config.server.postgres import Server, ServerPaths
from tests.server.conftest import on_a_copy
from tests.server.darbar import ROOT, Darbar
from tests.server.player import PASSWORD, Player
from tests.server.test_restore import Listener, begin_game

pytestmark = pytest.mark.skipif(not Path("/proc/self/task").exists(), reason="processes are looked up in /proc")


def manage(server: Darbar, *question: str | Path, **environment: str) -> "subprocess.CompletedProcess[str]":
    """Return the output of a management command for a server."""
    command = [sys.executable, "manage.py", *map(str, question)]
    return subprocess.run(
        command, cwd=ROOT, env={**server.environment, **environment}, capture_output=True, text=True, check=False
    )


def refused(server: Darbar, *question: str | Path, **environment: str) -> str:
    """The one sentence with which a command refuses."""
    answer = manage(server, *question, **environment)
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


def test_a_server_begins_again_from_a_backup_that_was_made_while_people_played(
    darbar: Darbar, prepared: Path, tmp_path: Path
) -> None:
    file = tmp_path / "monday.tar"
    darbar.start()
    with Player(darbar, "Maryam") as maryam, Player(darbar, "Sepideh") as sepideh:
        listener = Listener(maryam)
        listener.hear(darbar, "ready")
        stored = begin_game(maryam)
        question = maryam.question(stored)
        result = manage(darbar, "backup", file)
        assert (result.returncode, result.stdout) == (0, f"{file} holds 2 accounts and 1 games. Keep it secret.\n"), (
            result
        )
        assert file.stat().st_mode & 0o777 == 0o600
        lost = begin_game(maryam)
        assert "is there already" in refused(darbar, "backup", file)
        assert "The database holds accounts or games" in refused(darbar, "restore", file)
        assert sepideh.http.post("/api/v1/me/deletion/", json={"password": PASSWORD}).status_code == 204
        token = maryam.http.headers["Authorization"]
        assert darbar.end() == 0

    with on_a_copy(prepared) as second:
        Server(ServerPaths.in_data_dir(second.data_dir)).delete_data()
        assert "is no backup of Darbar" in refused(second, "restore", ROOT / "README.md")
        older = of_other_software(file, tmp_path / "older.tar", "0002_event_log")
        assert "a Darbar that is too old: this one has replaced" in refused(second, "restore", older)
        newer = of_other_software(file, tmp_path / "newer.tar", "0999_later")
        assert "made by a newer Darbar: this one lacks games.0999_later" in refused(second, "restore", newer)
        assert "SECRET_KEY is set in the environment" in refused(second, "restore", file, SECRET_KEY="another" * 9)
        assert "its line 1 is" in refused(second, "restore", file, "--deleted", ROOT / "README.md")
        restored = manage(second, "restore", file, "--deleted", darbar.data_dir / "deleted-accounts")
        assert restored.returncode == 0, restored.stderr
        assert restored.stdout.startswith("Restored 2 accounts and 1 games, as of 2")
        assert "\nDeleted 1 of these accounts again" in restored.stdout
        assert restored.stdout.endswith("1 games follow from their logs.\n")
        recovered = manage(second, "restore", "--recovered")
        assert recovered.stdout.startswith("Restored 1 accounts and 1 games, as PostgreSQL has brought them back.\n")
        keys = [(server.data_dir / "secret-key").read_bytes() for server in (darbar, second)]
        assert keys[0] == keys[1]
        second.start()
        again = Player(second, "Maryam")
        again.http.headers["Authorization"] = token
        assert again.question(stored) == question
        assert again.http.get(f"/api/v1/games/{lost}/").status_code == 404
        assert again.http.get("/api/v1/me/", headers=dict(sepideh.http.headers)).status_code == 401
        (reset,) = listener.hear(second, "reset")
        assert reset.data.keys() == {"at"}
        again.http.close()
        assert second.end() == 0
