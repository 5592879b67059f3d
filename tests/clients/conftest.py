"""Somebody with a token on a running server, for all programs that are tried on it."""

import os
import subprocess
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Final

import pytest

from tests.server.darbar import ROOT, Darbar
from tests.server.player import Player

PATIENCE: Final = 180


@pytest.fixture
def player(running: Darbar, somebody: str) -> Iterator[Player]:
    """Somebody who has just signed up."""
    with Player(running, somebody) as player:
        yield player


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
