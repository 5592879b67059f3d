"""Vital threads: a process that has lost one ends, and is started again."""

import os
import subprocess
import sys
from typing import Final

import pytest

from tests.server.darbar import ROOT

pytestmark = pytest.mark.slow

PROGRAM: Final = """
import signal, sys, threading
from config.core import processes
from config.server.worker import Clock

over = threading.Event()
signal.signal(signal.SIGTERM, lambda *_: over.set())
def work(*_):
    {work}
{start}
over.wait()
processes.exit_process()
"""
THREAD: Final = "processes.start_vital_thread(work, name='the clock')"
CLOCK: Final = "Clock({0.01: ['tick']}, work).start()"


def ended(work: str, start: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-c", PROGRAM.format(work=work, start=start)],
        cwd=ROOT,
        capture_output=True,
        text=True,
        timeout=120,
        check=False,
        env={"PATH": os.environ["PATH"], "DJANGO_SETTINGS_MODULE": "config.settings"},
    )


@pytest.mark.parametrize("work", ["raise ValueError('a duke')", "sys.exit()", "raise KeyboardInterrupt"])
@pytest.mark.parametrize("start", [THREAD, CLOCK])
def test_a_process_whose_vital_thread_dies_ends_with_status_1(work: str, start: str) -> None:
    process = ended(work, start)
    assert process.returncode == 1, process.stderr
    assert "has ended, so this process ends" in process.stderr
    assert "duke" not in process.stderr


def test_a_vital_thread_is_not_to_return_either() -> None:
    assert ended("return", THREAD).returncode == 1


def test_a_process_that_does_not_end_by_itself_is_ended() -> None:
    deaf = "signal.signal(signal.SIGTERM, signal.SIG_IGN); processes.GRACE = 0.1; " + THREAD
    assert ended("return", deaf).returncode == 1
