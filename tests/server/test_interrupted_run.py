"""A run of the tests that is interrupted leaves no process behind: no server, and no PostgreSQL."""

import os
import shutil
import signal
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Final

import pytest

from tests.running import RUN, open_folder
from tests.server.darbar import PATIENCE, ROOT, alive, descendants, tell, wait_until

TESTS: Final = "tests/server/endless_tests.py"


@pytest.fixture
def folder() -> Iterator[Path]:
    """A folder for everything that the inner run writes."""
    folder = open_folder()
    yield folder
    shutil.rmtree(folder, ignore_errors=True)


@pytest.mark.parametrize(("how", "servers"), [(signal.SIGINT, {"shared", "own"}), (signal.SIGKILL, {"own"})])
def test_a_run_that_is_interrupted_leaves_no_process(
    folder: Path, prepared: Path, how: signal.Signals, servers: set[str]
) -> None:
    run = start_run(folder, prepared, servers)
    try:
        wait_until(lambda: servers <= set(os.listdir(folder)) or run.poll() is not None, "the tests wait")
        assert run.poll() is None, (folder / "log").read_text()
        started = {run.pid, *descendants(run.pid), *processes_about(folder)}
        os.killpg(run.pid, how)
        run.wait(PATIENCE)
        wait_until(lambda: not any(map(alive, started)), "all have ended", patience=60)
        assert processes_about(folder) == []
    finally:
        tell(signal.SIGKILL, *descendants(run.pid), run.pid, *processes_about(folder))
        run.wait()


def start_run(folder: Path, prepared: Path, servers: set[str]) -> subprocess.Popen[bytes]:
    """Start pytest on the tests that wait with these servers, a worker for each, in a session of its own.

    It begins with the ``prepared`` data folder of this run: to make one takes longer than all the rest.
    """
    command = [
        *(sys.executable, "-m", "pytest", "-n", str(len(servers)), "-p", "no:cacheprovider"),
        *("-k", " or ".join(servers), TESTS),
    ]
    environment = {
        "PATH": os.environ["PATH"],
        "TMPDIR": str(folder),
        "HOME": str(folder),
        RUN: str(prepared.parent.parent),
    }
    with (folder / "log").open("wb") as log, interrupts_heeded():
        return subprocess.Popen(
            command, cwd=ROOT, env=environment, stdin=subprocess.DEVNULL, stdout=log, stderr=log, start_new_session=True
        )


@contextmanager
def interrupts_heeded() -> Iterator[None]:
    """Heed SIGINT, and let new processes do so: a shell that runs the tests in the background has them ignore it."""
    before = signal.signal(signal.SIGINT, signal.default_int_handler)
    yield
    signal.signal(signal.SIGINT, before)


def processes_about(folder: Path) -> list[int]:
    """The processes that name this folder in their command or their environment."""
    pids = []
    for process in Path("/proc").glob("[0-9]*"):
        with suppress(OSError):
            if str(folder).encode() in (process / "cmdline").read_bytes() + (process / "environ").read_bytes():
                pids.append(int(process.name))
    return [pid for pid in pids if alive(pid)]
