"""A Darbar that a test runs: the runner as its own process, on a free port and a data folder of its own."""

import os
import shutil
import signal
import subprocess
import sys
import sysconfig
import time
from contextlib import suppress
from pathlib import Path
from typing import Any, Final

import httpx
import psycopg
import pytest

from bench.ports import free_port
from config.server.postgres import DATABASE, ServerPaths

ROOT: Final = Path(__file__).parent.parent.parent
PATIENCE: Final = 180.0


class Darbar:
    """``make run`` without make."""

    def __init__(self, data_dir: Path, **environment: str) -> None:
        """``environment`` is added to a bare one: nothing of the developer's own gets in."""
        self.data_dir = data_dir
        self.port = free_port()
        self.mail_port = free_port()
        self.stream_port = free_port()
        self.program = sys.executable
        self.log = data_dir.with_suffix(".log")
        self.environment = {
            "PATH": os.environ["PATH"],
            "DATA_DIR": str(data_dir),
            "PORT": str(self.port),
            "MAIL_PORT": str(self.mail_port),
            "STREAM_PORT": str(self.stream_port),
            "PYTHONWARNINGS": "error",
            "QUESTION_EMAILS_APART": "0",
            "BUILD_DOCUMENTS": "no",
            **environment,
        }
        self.process: subprocess.Popen[bytes] | None = None

    def start(self, **how: Any) -> "Darbar":
        """Start the server, and wait until it prints its address."""
        with self.log.open("wb") as log:
            self.process = subprocess.Popen(
                [self.program, "-m", "config.server.runner"],
                cwd=ROOT,
                env=self.environment,
                stdin=subprocess.DEVNULL,
                stdout=log,
                stderr=log,
                start_new_session=True,
                **how,
            )
        wait_until(lambda: "Ctrl-C stops it" in self.output() or not self.runs, "it runs")
        assert self.runs, self.output()
        return self

    def output(self) -> str:
        """Return the output so far."""
        return self.log.read_text() if self.log.exists() else ""

    @property
    def runs(self) -> bool:
        return self.process is not None and self.process.poll() is None

    def refuse(self) -> str:
        """Start a server that must refuse to run with one line and status 1, and return its output."""
        ended = subprocess.run(
            [sys.executable, "-m", "config.server.runner"],
            cwd=ROOT,
            env=self.environment,
            capture_output=True,
            text=True,
            timeout=PATIENCE,
            check=False,
        )
        assert ended.returncode == 1, ended
        assert ended.stdout == ""
        assert ended.stderr.count("\n") == 1, ended.stderr
        return ended.stderr.strip()

    def get(self, path: str) -> httpx.Response:
        return httpx.get(f"http://localhost:{self.port}{path}", timeout=60)

    def end(self, how: signal.Signals = signal.SIGINT) -> int:
        """Tell it to end, and wait for that; its exit status."""
        assert self.process is not None
        self.process.send_signal(how)
        return self.process.wait(PATIENCE)

    def descendants(self) -> list[int]:
        """The runner's processes: those that name its data folder, or were started by one of them."""
        assert self.process is not None
        return descendants(self.process.pid)

    def kill(self, *others: int) -> None:
        """Kill the runner, and others with it; wait until the runner is gone."""
        assert self.process is not None
        tell(signal.SIGKILL, self.process.pid, *others)
        self.process.wait()

    def workers(self) -> list[int]:
        """The processes that resolve, and write and deliver notifications."""
        return self.pids(b"config.server.worker")

    def pids(self, words: bytes) -> list[int]:
        """Return the processes of the runner with these words in their command."""
        return [pid for pid in self.descendants() if words in command(pid)]


def database(server: Darbar) -> psycopg.Connection:
    """Connect to the database of a server."""
    sockets = ServerPaths.in_data_dir(server.data_dir).sockets
    return psycopg.connect(host=str(sockets), port=5432, user=DATABASE, dbname=DATABASE, autocommit=True)


def descendants(pid: int) -> list[int]:
    """All children of a process, and theirs; none of a thread that ends meanwhile."""
    pids = []
    for task in Path(f"/proc/{pid}/task").glob("*"):
        with suppress(FileNotFoundError, ProcessLookupError):
            for child in map(int, (task / "children").read_text().split()):
                pids += [child, *descendants(child)]
    return pids


def command(pid: int) -> bytes:
    """Return the command line of a process with spaces between its words, or nothing after its end."""
    with suppress(FileNotFoundError, ProcessLookupError):
        return Path(f"/proc/{pid}/cmdline").read_bytes().replace(b"\0", b" ")
    return b""


def tell(how: signal.Signals, *pids: int) -> None:
    """Send a signal to processes; some of them may have ended by themselves once another one was gone."""
    for pid in pids:
        with suppress(ProcessLookupError):
            os.kill(pid, how)


def alive(pid: int) -> bool:
    """Return whether a process still runs; one that waits to be collected does not."""
    try:
        return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0] not in "ZX"
    except (FileNotFoundError, ProcessLookupError):
        return False


def wait_until(true: Any, description: str, patience: float = PATIENCE) -> None:
    """Wait until something is the case; AssertionError after a while."""
    deadline = time.monotonic() + patience
    while not true():
        assert time.monotonic() < deadline, f"in vain waited until {description}"
        time.sleep(0.05)


def python_for_others() -> tuple[str, dict[str, str]]:
    """A Python that every user may run, this one or the system's, and the variables by which it finds our packages."""
    packages, resolve = Path(sysconfig.get_path("purelib")), Path(sys.executable).resolve()
    if not all(map(_is_open, (packages, *packages.parents, ROOT))):
        pytest.skip("this checkout is in a folder that is closed to other users")
    if all(map(_is_open, (resolve, *resolve.parents))):
        return sys.executable, {}
    other = shutil.which(f"python3.{sys.version_info.minor}", path="/usr/bin:/usr/local/bin")
    if other is None:
        pytest.skip("this Python is in a folder that is closed to other users, and there is no other one")
    return other, {"PYTHONPATH": str(packages)}


def _is_open(path: Path) -> bool:
    """Return whether every user may enter a folder or run a program."""
    return bool(path.stat().st_mode & 0o001)
