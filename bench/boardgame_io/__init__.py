"""boardgame.io with its own storage for PostgreSQL, on the same PostgreSQL as Darbar. It is installed with npm."""

import json
import os
import subprocess
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import partial
from pathlib import Path
from typing import Final

from django.conf import settings

from bench.node import NODE, OutOfReach, modules
from config.server import postgres

FOLDER: Final = Path(__file__).parent
MOVES: Final = 320


@contextmanager
def moves_a_second() -> Iterator[Callable[[int], float] | None]:
    """Yield a function that measures its moves a second in matches of a given length.

    Yields None if the registry of npm is out of reach.
    """
    try:
        environment = {**os.environ, "NODE_PATH": str(modules(FOLDER))}
    except OutOfReach:
        yield None
        return
    with settings.EMBEDDED_DATABASE.administer() as admin:
        admin.execute(f"CREATE DATABASE boardgame_io OWNER {postgres.DATABASE}")
    sockets = settings.EMBEDDED_DATABASE.sockets
    command: list[str | Path] = [NODE, FOLDER / "moves.cjs", sockets, postgres.DATABASE, "boardgame_io"]
    pipe = subprocess.PIPE
    with subprocess.Popen(command, env=environment, stdin=pipe, stdout=pipe, text=True) as running:
        yield partial(_measure, running)


def _measure(running: "subprocess.Popen[str]", length: int) -> float:
    assert running.stdin is not None
    assert running.stdout is not None
    running.stdin.write(json.dumps({"log": length, "moves": MOVES}) + "\n")
    running.stdin.flush()
    answer = running.stdout.readline()
    if not answer:
        raise SystemExit("boardgame.io ended without an answer; its output is above.")
    return float(answer)
