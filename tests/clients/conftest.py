"""A player with a token on a running server, for all client programs."""

import os
import re
import subprocess
from collections.abc import Iterator, Sequence
from importlib.util import module_from_spec, spec_from_file_location
from pathlib import Path
from typing import Final

import pytest

from tests.server.darbar import ROOT, Darbar
from tests.server.player import Player

PATIENCE: Final = 180


@pytest.fixture
def player(running: Darbar, somebody: str) -> Iterator[Player]:
    """A player who has just signed up."""
    with Player(running, somebody) as player:
        yield player


def run(command: Sequence[object], cwd: Path = ROOT, patience: float = PATIENCE, **environment: str) -> str:
    """Run a program that must succeed, and return its output."""
    ended = subprocess.run(
        list(map(str, command)),
        cwd=cwd,
        env={**os.environ, **environment},
        capture_output=True,
        text=True,
        timeout=patience,
        check=False,
    )
    assert ended.returncode == 0, (ended.stdout + ended.stderr)[-8000:]
    return ended.stdout


def token_of(player: Player) -> str:
    """The token that a player's requests carry."""
    return player.http.headers["Authorization"].removeprefix("Bearer ")


def url_of(server: Darbar) -> str:
    """Return the address of a server."""
    return f"http://localhost:{server.port}"


def code_of(readme: Path, language: str, server: Darbar, player: Player) -> str:
    """The program of a README, for this server and with the token of this player."""
    (program,) = re.findall(rf"^```{language}\n(.*?)^```$", readme.read_text(), re.M | re.S)
    return str(program).replace("http://localhost:8000", url_of(server)).replace("darbar_…", token_of(player))


def assert_generated(client: Path) -> None:
    """Fail where the generated base of a client is not that of the kept description."""
    spec = spec_from_file_location(f"generate_{client.name}", client / "generate.py")
    assert spec is not None
    assert spec.loader is not None
    generator = module_from_spec(spec)
    spec.loader.exec_module(generator)
    for name, text in generator.files().items():
        assert (generator.FOLDER / name).read_text() == text, f"run python {client.relative_to(ROOT)}/generate.py"
