"""Commands of the operator, run and timed."""

import subprocess
import sys
import time

from tests.server.darbar import ROOT, Darbar


def timed(what: str, server: Darbar, *command: str) -> tuple[str, bool]:
    """Run a command with a server's environment; return a line with its seconds and last words, and whether it did."""
    begun = time.monotonic()
    done = subprocess.run(
        [sys.executable, *command], cwd=ROOT, env=server.environment, capture_output=True, text=True, check=False
    )
    said = (done.stdout if done.returncode == 0 else done.stderr).strip().splitlines()
    return f"{what}: {time.monotonic() - begun:.1f} s; {' '.join(said)[-300:]}", done.returncode == 0
