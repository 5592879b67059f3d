"""A server that nobody uses: its processor time and its memory, over all processes of ``make run``."""

import os
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Final

from bench.ground import ENVIRONMENT, FOLDER, free_port
from bench.measure import Row, at_most

_TICKS: Final = os.sysconf("SC_CLK_TCK")


def _tree(pid: int) -> list[int]:
    found = [pid]
    for task in Path(f"/proc/{pid}/task").glob("*"):
        for child in map(int, (task / "children").read_text().split()):
            found += _tree(child)
    return found


def _seconds(pids: list[int]) -> float:
    """Processor time used so far."""
    ticks = 0
    for pid in pids:
        fields = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
        ticks += int(fields[11]) + int(fields[12])
    return ticks / _TICKS


def _megabytes(pids: list[int]) -> float:
    """Proportional set size: what several processes share is counted once."""
    lines = (Path(f"/proc/{pid}/smaps_rollup").read_text() for pid in pids)
    return sum(int(each.partition("\nPss:")[2].split()[0]) for each in lines) / 1024


def rows(seconds: float) -> Iterator[Row]:
    """Start the server, let it settle, and look at it for a while."""
    data = FOLDER / "quiet"
    data.mkdir(mode=0o711)
    ports = {name: str(free_port()) for name in ("PORT", "MAIL_PORT", "STREAM_PORT")}
    server = subprocess.Popen(
        [sys.executable, "-m", "config.run"],
        cwd=Path(__file__).parent.parent,
        env={**ENVIRONMENT, **ports, "DATA_DIR": str(data)},
        stdout=subprocess.PIPE,
        text=True,
    )
    try:
        assert server.stdout is not None
        if "Ctrl-C ends it" not in server.stdout.readline():
            raise SystemExit("the server does not start")
        time.sleep(10)
        pids = _tree(server.pid)
        before, began = _seconds(pids), time.perf_counter()
        time.sleep(seconds)
        part = (_seconds(pids) - before) / (time.perf_counter() - began) * 100
        memory = _megabytes(pids)
    finally:
        server.send_signal(signal.SIGINT)
        server.wait(60)
    yield at_most("a quiet server: processor", "% of a core", "the bound", (part, 1.0, part), 1, 0.5)
    yield at_most("a quiet server: memory (PSS)", "MB", "the bound", (memory, 400.0, memory / 400), 1, 0.5)
