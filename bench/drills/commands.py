import subprocess
import sys
import time

from tests.server.darbar import ROOT, Darbar


def timed(title: str, server: Darbar, *command: str) -> tuple[str, bool]:
    """Run a command for a server. Return a line with its time and the end of its output, and whether it succeeded."""
    began = time.monotonic()
    result = subprocess.run(
        [sys.executable, *command], cwd=ROOT, env=server.environment, capture_output=True, text=True, check=False
    )
    lines = (result.stdout if result.returncode == 0 else result.stderr).strip().splitlines()
    return f"{title}: {time.monotonic() - began:.1f} s; {' '.join(lines)[-300:]}", result.returncode == 0
