"""Twelve processes are killed while people play: nothing is lost, doubled or stuck. ``make chaos`` kills a thousand."""

import subprocess
import sys
from pathlib import Path

import pytest

from bench.chaos.processes import PARTS, SupervisedServer
from tests.server.darbar import ROOT, Darbar

pytestmark = pytest.mark.skipif(not Path("/proc/self/task").exists(), reason="processes are looked up in /proc")
SMALL = "--seed 17 --minutes 6 --kills 12 --pace 1 --others 6 --restores 0 --players 1 --no-disk"


def test_every_kind_of_process_that_is_to_be_killed_is_found(running: Darbar) -> None:
    watched = SupervisedServer(running, None)
    assert {part for part in PARTS if not watched.pids(part)} == {"redis"}


def test_nothing_is_lost_doubled_or_stuck_by_twelve_kills() -> None:
    command = [sys.executable, "-m", "bench.chaos", *SMALL.split()]
    completed = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)
    assert completed.returncode == 0, completed.stdout + completed.stderr
    assert "\n12 kills." in completed.stdout
