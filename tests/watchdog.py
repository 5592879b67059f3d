"""Ends the servers that a process of a test run has started, once that process is gone, even by SIGKILL.

A second Ctrl-C, a time limit or a closed terminal ends a run before its fixtures can end their servers. The watchdog is
in a session apart, which no signal of the terminal reaches; the pipe to it closes with the process that it watches.
"""

import signal
import subprocess
import sys
from contextlib import suppress
from functools import cache
from pathlib import Path
from typing import IO, Final

from config.server.postgres import PostgresError, Server, ServerPaths
from tests.server.darbar import ROOT, alive, command, descendants, tell, wait_until

GRACE: Final = 30.0
"""Seconds that a server has to end properly."""


def guard(folder: Path) -> None:
    """End the servers whose data are in this folder once this process is gone."""
    pipe = _pipe()
    pipe.write(f"{folder}\n".encode())
    pipe.flush()


@cache
def _pipe() -> IO[bytes]:
    """Start this process's watchdog; gives the pipe to it."""
    watchdog = subprocess.Popen(
        [sys.executable, "-m", "tests.watchdog"],
        cwd=ROOT,
        stdin=subprocess.PIPE,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
        start_new_session=True,
    )
    watchdog.returncode = 0  # The watchdog outlives this process, so Popen must not warn about it.
    assert watchdog.stdin is not None
    return watchdog.stdin


def main() -> None:
    """Wait until the pipe closes, then end the servers in the folders that were named."""
    for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
        signal.signal(number, signal.SIG_IGN)
    folders = [Path(line.rstrip("\n")) for line in sys.stdin]
    for folder in filter(Path.exists, folders):
        end_servers(folder)


def end_servers(folder: Path) -> None:
    """End the runners on data in this folder, and delete the databases there."""
    runners = [pid for pid in processes() if is_runner(pid, folder)]
    started = [*runners, *(child for pid in runners for child in descendants(pid))]
    tell(signal.SIGTERM, *runners)
    with suppress(AssertionError):
        wait_until(lambda: not any(map(alive, started)), "they have ended", GRACE)
    tell(signal.SIGKILL, *filter(alive, started))
    for data_dir in (folder, folder / "data"):
        with suppress(OSError, PostgresError):
            Server(ServerPaths.in_data_dir(data_dir)).delete_data()


def processes() -> list[int]:
    """The ids of all processes."""
    return [int(folder.name) for folder in Path("/proc").glob("[0-9]*")]


def is_runner(pid: int, folder: Path) -> bool:
    """Return whether a process is the runner of a server whose data are in this folder."""
    with suppress(OSError):
        return (
            b"config.server.runner" in command(pid)
            and f"DATA_DIR={folder}/".encode() in Path(f"/proc/{pid}/environ").read_bytes()
        )
    return False


if __name__ == "__main__":
    main()
