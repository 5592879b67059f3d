"""A server that runs, for all who do not need one to themselves: starting one takes seconds."""

import shutil
import subprocess
import tempfile
from collections.abc import Iterator
from pathlib import Path
from zlib import crc32

import pytest

from tests.server.darbar import Darbar


def open_folder() -> Path:
    """A folder with a short name, to which every user can find the way."""
    folder = Path(tempfile.mkdtemp(prefix="darbar-run-"))
    folder.chmod(0o755)
    return folder


@pytest.fixture(scope="session")
def prepared() -> Iterator[Path]:
    """The data folder of a Darbar that ran once: what takes long at a first start is done in it."""
    folder = open_folder()
    ran = Darbar(folder / "data").start()
    assert ran.end() == 0, ran.said()
    yield folder / "data"
    shutil.rmtree(folder)


@pytest.fixture(scope="session")
def running(prepared: Path) -> Iterator[Darbar]:
    """A server that runs already, for tests that neither set nor end it; whoever comes has a name of their own."""
    folder = open_folder()
    subprocess.run(["cp", "-a", prepared, folder], check=True)
    server = Darbar(folder / "data").start()
    yield server
    assert server.end() == 0, server.said()
    shutil.rmtree(folder)


@pytest.fixture
def somebody(request: pytest.FixtureRequest) -> str:
    """A name that nobody else has on the server that runs already."""
    return f"Maryam{crc32(request.node.nodeid.encode())}"
