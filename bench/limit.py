"""The limit of this PostgreSQL: the number of transactions like a move that pgbench commits in a second.

A transaction locks the row of a game with 2 kB of state, adds three events of 200 bytes to its log, writes the row and
inserts two rows into an outbox. It uses prepared statements, and the same server and durability as Darbar.
"""

import os
import re
import subprocess
from pathlib import Path
from typing import Final

from django.db import connection

from bench.bench_database import postgres_command
from config.server import postgres

SCRIPT: Final = Path(__file__).with_name("limit.sql")
SECONDS: Final = 2
CLIENTS: Final = 16
_TABLES: Final = """
    CREATE TABLE limit_game (
        id integer PRIMARY KEY, version integer NOT NULL, state text NOT NULL, due_at timestamptz NOT NULL
    );
    ALTER TABLE limit_game ALTER COLUMN state SET STORAGE EXTERNAL;
    CREATE TABLE limit_event (
        game integer NOT NULL, number integer NOT NULL, body text NOT NULL, PRIMARY KEY (game, number)
    );
    CREATE TABLE limit_outbox (id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY, game integer, body text);
    INSERT INTO limit_game SELECT id, 0, repeat('s', 1900), now() FROM generate_series(1, 2000) AS id;
"""


def prepare() -> None:
    """Create the tables that pgbench uses."""
    with connection.cursor() as cursor:
        cursor.execute(_TABLES)


def run(clients: int = CLIENTS, seconds: int = SECONDS) -> tuple[float, float]:
    """Return the transactions a second, and the mean latency in milliseconds."""
    command = [*postgres_command("pgbench"), "-n", "-M", "prepared", "-c", str(clients), "-j", "2", "-T", str(seconds)]
    text = subprocess.run(
        [*command, "-f", str(SCRIPT), postgres.DATABASE],
        check=True,
        capture_output=True,
        text=True,
        env={"PATH": os.defpath, "LC_ALL": "C"},
    ).stdout
    return _figure(r"tps = ([\d.]+)", text), _figure(r"latency average = ([\d.]+)", text)


def rate() -> float:
    """Return the transactions a second with sixteen clients."""
    return run()[0]


def latency() -> float:
    """Return the mean latency of a transaction with sixteen clients, in milliseconds."""
    return run()[1]


def _figure(pattern: str, output: str) -> float:
    match = re.search(pattern, output)
    if match is None:
        raise SystemExit(f"the output of pgbench cannot be parsed: {output}")
    return float(match.group(1))
