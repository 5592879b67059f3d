"""A server on PostgreSQL 15 that is played on, backed up, restored, and brought to our PostgreSQL."""

import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path

from bench.drills.traffic import WITHOUT_LIMITS, play
from config.embedded.postgres import Server, ServerPaths
from tests.server.darbar import ROOT, Darbar
from tests.server.services import DEBIAN


def run(folder: Path, requests: int) -> Iterator[tuple[str, bool]]:
    """Give lines, each with whether all is well."""
    if not DEBIAN.exists():
        yield "upgrade: skipped, as postgresql-15 is not installed", True
        return
    old = {"DARBAR_PG_BIN": str(DEBIAN)}
    server = Darbar(folder / "data", **WITHOUT_LIMITS, **old).start()
    file = folder / "backup.tar"
    try:
        play(server, requests)
        yield _timed("backup while the server runs", server, "manage.py", "backup", str(file))
    finally:
        server.end()
    second = Darbar(folder / "restored")
    yield _timed("restore into PostgreSQL 18, with verify", second, "manage.py", "restore", str(file))
    Server(ServerPaths.in_data_dir(second.data_dir)).forget()
    del server.environment["DARBAR_PG_BIN"]
    yield _timed("upgrade from 15 to 18", server, "-m", "config.processes.upgrade_database")
    yield _timed("verify after the upgrade", server, "manage.py", "verify")


def _timed(what: str, server: Darbar, *command: str) -> tuple[str, bool]:
    begun = time.monotonic()
    done = subprocess.run(
        [sys.executable, *command], cwd=ROOT, env=server.environment, capture_output=True, text=True, check=False
    )
    said = (done.stdout if done.returncode == 0 else done.stderr).strip().splitlines()
    return f"{what}: {time.monotonic() - begun:.1f} s; {' '.join(said)[-300:]}", done.returncode == 0
