"""Commands of the operator, run and timed."""

import subprocess
import sys
import time

from tests.server.darbar import ROOT, Darbar


def timed(title: str, server: Darbar, *command: str) -> tuple[str, bool]:
    """Run a command with a server's environment; return a line with its seconds and last words, and whether it did."""
    begun = time.monotonic()
    finished = subprocess.run(
        [sys.executable, *command], cwd=ROOT, env=server.environment, capture_output=True, text=True, check=False
    )
    splitlines = (finished.stdout if finished.returncode == 0 else finished.stderr).strip().splitlines()
    return f"{title}: {time.monotonic() - begun:.1f} s; {' '.join(splitlines)[-300:]}", finished.returncode == 0
