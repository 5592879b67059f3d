"""Ports for the servers of tests: no two processes are given the same one."""

import subprocess
import sys

import pytest

from bench import ports
from tests.server.darbar import ROOT

ANOTHER = "import itertools; from bench import ports; ports._TURN = itertools.count({turn}); print(ports.free_port())"


@pytest.mark.slow
def test_a_port_that_was_given_is_given_to_no_other_process() -> None:
    free_port = ports.free_port()
    command = [sys.executable, "-c", ANOTHER.format(turn=free_port - ports._LOWEST)]
    completed = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=True)
    assert int(completed.stdout) != free_port
