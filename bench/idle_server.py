"""An idle server: its start, processor time and memory, summed over all processes of ``make run``."""

import os
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Final

from bench.bench_database import ENVIRONMENT, FOLDER
from bench.measure import Row, at_most
from bench.ports import free_port
from tests.server.darbar import descendants

_TICKS: Final = os.sysconf("SC_CLK_TCK")


def _process_file(pid: int, name: str) -> str:
    """Return the contents of a file in a process's folder of /proc, or an empty string if the process has ended."""
    try:
        return Path(f"/proc/{pid}/{name}").read_text()
    except (FileNotFoundError, ProcessLookupError):
        return ""


def _seconds(pids: list[int]) -> float:
    """Return the processor time that these processes have used so far."""
    stats = [stat.rpartition(")")[2].split() for pid in pids if (stat := _process_file(pid, "stat"))]
    return sum(int(stat[11]) + int(stat[12]) for stat in stats) / _TICKS


def _megabytes(pids: list[int]) -> float:
    """Return the proportional set size, which counts memory shared by several processes once."""
    rollups = (_process_file(pid, "smaps_rollup") for pid in pids)
    return sum(int(rollup.partition("\nPss:")[2].split()[0]) for rollup in rollups if rollup) / 1024


@contextmanager
def _server(data: Path) -> Iterator[tuple[int, float]]:
    """Run a server on a data folder. Yield its process id and the seconds until it answered."""
    ports = {name: str(free_port()) for name in ("PORT", "MAIL_PORT", "STREAM_PORT")}
    began = time.perf_counter()
    server = subprocess.Popen(
        [sys.executable, "-m", "config.server.runner"],
        cwd=Path(__file__).parent.parent,
        env={**ENVIRONMENT, **ports, "DATA_DIR": str(data)},
        stdout=subprocess.PIPE,
        text=True,
    )
    try:
        assert server.stdout is not None
        if not any("Ctrl-C stops it" in line for line in server.stdout):
            raise SystemExit("the server does not start")
        yield server.pid, time.perf_counter() - began
    finally:
        server.send_signal(signal.SIGINT)
        server.wait(60)


def rows(seconds: float) -> Iterator[Row]:
    """Start a server to create its data, start it again to time the start, and measure the idle server."""
    data_dir = FOLDER / "quiet"
    data_dir.mkdir(mode=0o711)
    with _server(data_dir):
        pass
    with _server(data_dir) as (runner, start):
        time.sleep(10)
        pids = [runner, *descendants(runner)]
        before, began = _seconds(pids), time.perf_counter()
        time.sleep(seconds)
        part = (_seconds(pids) - before) / (time.perf_counter() - began) * 100
        memory = _megabytes(pids)
    yield at_most("a start of a server that has run before", "s", "the bound", (start, 10.0, start / 10), 1, 0.3)
    yield at_most("a quiet server: processor", "% of a core", "the bound", (part, 1.0, part), 1, 0.5)
    yield at_most("a quiet server: memory (PSS)", "MB", "the bound", (memory, 400.0, memory / 400), 1, 0.625)
