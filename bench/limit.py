"""The limit: how many transactions like a move this PostgreSQL commits, as its own pgbench counts them.

A game's row with 2 kB of state is locked, three events of 200 bytes are added to its log, the row is written and two
rows are put into an outbox: prepared statements, the same server and the same durability as ours.
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
    """Make the limit's own tables."""
    with connection.cursor() as cursor:
        cursor.execute(_TABLES)


def run(clients: int = CLIENTS, seconds: int = SECONDS) -> tuple[float, float]:
    """Transactions a second, and the mean latency in milliseconds."""
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
    """Transactions a second with sixteen clients."""
    return run()[0]


def latency() -> float:
    """The mean latency of a transaction with sixteen clients, in milliseconds."""
    return run()[1]


def _figure(pattern: str, sentence: str) -> float:
    match = re.search(pattern, sentence)
    if match is None:
        raise SystemExit(f"pgbench says nothing that can be read: {sentence}")
    return float(match.group(1))
