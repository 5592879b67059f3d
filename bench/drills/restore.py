"""A server with thousands of accounts and finished games, backed up while it runs and restored elsewhere."""

import os
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Final

from bench.drills.commands import timed
from config.server.postgres import Server, ServerPaths
from tests.server.darbar import Darbar
from tests.server.player import Player
from tests.server.test_restore import Listener, begin_game, question_of

PLAYERS_PER_GAME: Final = 0.25


def run(folder: Path, games: int) -> Iterator[tuple[str, bool]]:
    """Give lines, each with whether all is well."""
    players = str(round(games * PLAYERS_PER_GAME))
    server = Darbar(folder / "data", BROKER_URL="memory://")
    os.makedirs(server.data_dir)
    with Server(ServerPaths.in_data_dir(server.data_dir), "fsync=off"):
        yield timed("restore: tables made", server, "-m", "config.server.prepare")
        yield timed(
            f"restore: {players} players and {games} games", server, "-m", "bench.drills.filled", players, str(games)
        )
    del server.environment["BROKER_URL"]
    file = folder / "backup.tar"
    server.start()
    try:
        with Player(server, "Maryam") as maryam:
            listener = Listener(maryam)
            listener.hear(server, "ready")
            game = begin_game(maryam)
            yield "restore: the stream tells of a question", question_of(listener.hear(server, "question")) == game
            yield timed("restore: backup while the server runs", server, "manage.py", "backup", str(file))
            begin_game(maryam)
    finally:
        server.end()
    yield f"restore: the backup takes {file.stat().st_size / 1e6:.0f} MB", True
    second = Darbar(folder / "restored")
    begun = time.monotonic()
    yield timed("restore: brought back, with verify", second, "manage.py", "restore", str(file))
    second.start()
    try:
        told = [event.kind for event in listener.hear(second, "reset")]
        minutes = (time.monotonic() - begun) / 60
        yield (
            f"restore: {minutes:.1f} minutes until the server runs; its stream says {', '.join(told)}",
            told == ["reset"],
        )
    finally:
        second.end()
