"""A server that nobody uses: its start, its processor time and its memory, over all processes of ``make run``."""

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

_TICKS: Final = os.sysconf("SC_CLK_TCK")


def descendants(pid: int) -> list[int]:
    """Return a process with all that it has started, and they have."""
    results = [pid]
    for task in Path(f"/proc/{pid}/task").glob("*"):
        for child in map(int, read_of_process(pid, f"task/{task.name}/children").split()):
            results += descendants(child)
    return results


def read_of_process(pid: int, name: str) -> str:
    """Return what the system says of a process; nothing of one that has ended."""
    try:
        return Path(f"/proc/{pid}/{name}").read_text()
    except (FileNotFoundError, ProcessLookupError):
        return ""


def _seconds(pids: list[int]) -> float:
    """Processor time used so far."""
    stats = [of_process.rpartition(")")[2].split() for pid in pids if (of_process := read_of_process(pid, "stat"))]
    return sum(int(stat[11]) + int(stat[12]) for stat in stats) / _TICKS


def _megabytes(pids: list[int]) -> float:
    """Proportional set size: what several processes share is counted once."""
    text = (read_of_process(pid, "smaps_rollup") for pid in pids)
    return sum(int(item.partition("\nPss:")[2].split()[0]) for item in text if item) / 1024


@contextmanager
def _server(data: Path) -> Iterator[tuple[int, float]]:
    """Run a server on these data; gives its process and the seconds until it answered."""
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
        if not any("Ctrl-C ends it" in line for line in server.stdout):
            raise SystemExit("the server does not start")
        yield server.pid, time.perf_counter() - began
    finally:
        server.send_signal(signal.SIGINT)
        server.wait(60)


def rows(seconds: float) -> Iterator[Row]:
    """Start the server once to make its data and again to time it, let it settle, and look at it for a while."""
    data = FOLDER / "quiet"
    data.mkdir(mode=0o711)
    with _server(data):
        pass
    with _server(data) as (runner, start):
        time.sleep(10)
        pids = descendants(runner)
        before, began = _seconds(pids), time.perf_counter()
        time.sleep(seconds)
        part = (_seconds(pids) - before) / (time.perf_counter() - began) * 100
        memory = _megabytes(pids)
    yield at_most("a start of a server that has run before", "s", "the bound", (start, 10.0, start / 10), 1, 0.3)
    yield at_most("a quiet server: processor", "% of a core", "the bound", (part, 1.0, part), 1, 0.5)
    yield at_most("a quiet server: memory (PSS)", "MB", "the bound", (memory, 400.0, memory / 400), 1, 0.625)
