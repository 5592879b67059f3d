"""Servers that end with their test."""

import os
import shutil
import signal
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path

import pytest

from tests.server.darbar import Darbar


def _open_folder() -> Path:
    """A folder with a short name, to which every user can find the way."""
    folder = Path(tempfile.mkdtemp(prefix="darbar-run-"))
    folder.chmod(0o755)
    return folder


@pytest.fixture(scope="session")
def prepared() -> Iterator[Path]:
    """The data folder of a Darbar that ran once: what takes long at a first start is done in it."""
    folder = _open_folder()
    ran = Darbar(folder / "data").start()
    assert ran.end() == 0, ran.said()
    yield folder / "data"
    shutil.rmtree(folder)


@pytest.fixture
def darbar(prepared: Path) -> Iterator[Darbar]:
    """A Darbar on a data folder of its own, not yet started."""
    folder = _open_folder()
    subprocess.run(["cp", "-a", prepared, folder], check=True)
    server = Darbar(folder / "data")
    yield server
    _kill(server)
    sys.stdout.write(server.said())  # shown where the test has failed
    shutil.rmtree(folder)


def _kill(server: Darbar) -> None:
    if server.process and server.runs:
        for pid in [server.process.pid, *server.descendants()]:
            with suppress(ProcessLookupError):
                os.kill(pid, signal.SIGKILL)
        server.process.wait()
