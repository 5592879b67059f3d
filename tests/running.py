"""A server that runs, for all who do not need one to themselves: starting one takes seconds."""

import fcntl
import os
import shutil
import subprocess
import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import Final
from zlib import crc32

import pytest

from bench.ports import free_port
from tests.server.darbar import Darbar
from tests.watchdog import guard

RUN: Final = "DARBAR_TESTS"
"""The variable that tells a run's workers the folder of the run."""

_LETTERS: Final = str.maketrans("0123456789abcdef", "abdefghjkpstuvxz")


def open_folder() -> Path:
    """A folder with a short name, to which every user can find the way."""
    folder = Path(tempfile.mkdtemp(prefix="darbar-run-"))
    folder.chmod(0o755)
    return folder


@pytest.fixture(scope="session")
def prepared() -> Path:
    """The data folder of a Darbar that ran once: what takes long at a first start is done in it.

    The first of a run's workers that needs one makes it for all; it goes with the run's own folder.
    """
    folder = Path(os.environ[RUN]) / "prepared"
    folder.mkdir(exist_ok=True)
    folder.chmod(0o755)
    with (folder / "turn.lock").open("w") as turn:
        fcntl.flock(turn, fcntl.LOCK_EX)
        if not (folder / "ran").exists():
            guard(folder)
            shutil.rmtree(folder / "data", ignore_errors=True)
            ran = Darbar(folder / "data").start()
            assert ran.end() == 0, ran.output()
            (folder / "ran").touch()
    return folder / "data"


@pytest.fixture(scope="session")
def running(prepared: Path) -> Iterator[Darbar]:
    """A running server for tests that neither configure nor stop it. Each player has a separate name."""
    folder = open_folder()
    guard(folder)
    subprocess.run(["cp", "-a", prepared, folder], check=True)
    watched = {"METRICS_PORT": str(free_port())}
    server = Darbar(folder / "data", OUTGOING_LOOPBACK="yes", **watched).start()  # the API's pages try a webhook
    yield server
    assert server.end() == 0, server.output()
    shutil.rmtree(folder)


@pytest.fixture
def somebody(request: pytest.FixtureRequest) -> str:
    """Return a name that no other test uses on the server that is running. Many digits would be a phone number."""
    return "Maryam" + f"{crc32(request.node.nodeid.encode()):08x}".translate(_LETTERS)
