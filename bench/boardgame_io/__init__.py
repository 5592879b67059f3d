"""boardgame.io with its own storage for PostgreSQL, on the same PostgreSQL as ours. npm brings it."""

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
    """Yield what gives its moves a second in matches of so many moves; None where npm's registry is out of reach."""
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
        yield partial(_asked, running)


def _asked(running: "subprocess.Popen[str]", length: int) -> float:
    asking, answering = running.stdin, running.stdout
    assert asking is not None
    assert answering is not None
    asking.write(json.dumps({"log": length, "moves": MOVES}) + "\n")
    asking.flush()
    answer = answering.readline()
    if not answer:
        raise SystemExit("boardgame.io ended before it had answered; what it said stands above.")
    return float(answer)
