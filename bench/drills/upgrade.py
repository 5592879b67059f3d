"""Backs up a server on PostgreSQL 15 while people play, restores the backup, and upgrades the server."""

from collections.abc import Iterator
from pathlib import Path

from bench.drills.commands import timed
from bench.drills.traffic import WITHOUT_LIMITS, play, sign_up
from config.server.postgres import Server, ServerPaths
from tests.server.darbar import Darbar
from tests.server.services import DEBIAN


def run(folder: Path, requests: int) -> Iterator[tuple[str, bool]]:
    """Yield lines, each with True if the result is good."""
    if not DEBIAN.exists():
        yield "upgrade: skipped, as postgresql-15 is not installed", True
        return
    old = {"DARBAR_PG_BIN": str(DEBIAN)}
    server = Darbar(folder / "data", **WITHOUT_LIMITS, **old).start()
    file = folder / "backup.tar"
    try:
        play(sign_up(server), requests)
        yield timed("backup while the server runs", server, "manage.py", "backup", str(file))
    finally:
        server.end()
    second = Darbar(folder / "restored")
    yield timed("restore into PostgreSQL 18, with verify", second, "manage.py", "restore", str(file))
    Server(ServerPaths.in_data_dir(second.data_dir)).delete_data()
    del server.environment["DARBAR_PG_BIN"]
    yield timed("upgrade from 15 to 18", server, "-m", "config.server.upgrade_database")
    yield timed("verify after the upgrade", server, "manage.py", "verify")
