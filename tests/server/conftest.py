"""Servers that end with their test."""

import shutil
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from tests.running import open_folder
from tests.server.darbar import Darbar
from tests.watchdog import guard


@pytest.fixture
def darbar(prepared: Path) -> Iterator[Darbar]:
    """A Darbar on a data folder of its own, not yet started."""
    with on_a_copy(prepared) as server:
        yield server


@contextmanager
def on_a_copy(prepared: Path, **environment: str) -> Iterator[Darbar]:
    """A Darbar on a copy of this data folder, not yet started; killed in the end, if it still runs."""
    folder = open_folder()
    guard(folder)
    subprocess.run(["cp", "-a", prepared, folder], check=True)
    server = Darbar(folder / "data", **environment)
    try:
        yield server
    finally:
        if server.runs:
            server.kill(*server.descendants())
        sys.stdout.write(server.output())  # shown where the test has failed
        shutil.rmtree(folder)
