"""Disturbances of a running server: stop its worker, make its data older, set its clock, break a game."""

import re
import shutil
import signal
import subprocess
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from datetime import timedelta
from pathlib import Path

import psycopg

from config.core.database.checks import INTERVAL
from config.server.postgres import DATABASE, Server, ServerPaths
from games.play.timeouts import GRACE
from tests.server.darbar import ROOT, Darbar, database, tell
from tests.server.player import Player

HERE = Path(__file__).parent


def beats(server: Darbar) -> bool:
    """Return whether the clock's heart has beaten just now, by the clock of the machine."""
    with database(server) as connection:
        lately = "SELECT 1 FROM games_heartbeat WHERE at BETWEEN now() - '20 s'::interval AND now() + '20 s'::interval"
        return connection.execute(lately).fetchone() is not None


@contextmanager
def stopped(server: Darbar) -> Iterator[psycopg.Connection]:
    """While the worker does nothing; its heart is fresh as it goes on, unless the block has it otherwise.

    It is stopped between two transactions.
    """
    with database(server) as connection:
        while True:
            tell(signal.SIGSTOP, *server.workers())
            if not connection.execute(_AT_WORK).fetchall():
                break
            tell(signal.SIGCONT, *server.workers())
            time.sleep(0.05)
        try:
            connection.execute("UPDATE games_heartbeat SET at = now() + interval '5 seconds'")
            yield connection
        finally:
            tell(signal.SIGCONT, *server.workers())


_AT_WORK = "SELECT pid FROM pg_stat_activity WHERE xact_start IS NOT NULL AND pid <> pg_backend_pid()"
"""SQL of the processes that are in a transaction. A worker that is stopped in one would hold its locks."""


def age(connection: psycopg.Connection, minutes: int) -> None:
    """Move all times of a stopped worker's database into the past, so that all deadlines are over.

    They are over for a later sweep, but not for a sweep that had already read the clock.
    """
    ago = {"ago": timedelta(minutes=minutes), "just": GRACE - timedelta(seconds=2)}
    connection.execute("UPDATE games_heartbeat SET at = at - %(ago)s", ago)
    connection.execute("UPDATE games_openquestion SET asked_at = asked_at - %(ago)s, due_at = now() - %(just)s", ago)
    time.sleep(3)


def move_clocks(server: Darbar) -> None:
    """Before it starts: have its clocks follow ``set_clock``, those of its processes and that of its database."""
    folder = server.data_dir.with_name("clock")
    folder.mkdir()
    shutil.copy(HERE / "jumping_clock.py", folder / "sitecustomize.py")
    server.environment |= {"PYTHONPATH": str(folder), "DARBAR_TEST_CLOCK": str(folder / "ahead")}
    with Server(ServerPaths.in_data_dir(server.data_dir)), database(server) as connection:
        connection.execute(_MOVED)


_MOVED = f"""
    CREATE SCHEMA moved;
    CREATE TABLE moved.clock AS SELECT 0 AS ahead;
    CREATE FUNCTION moved.clock_timestamp() RETURNS timestamptz LANGUAGE sql VOLATILE AS
        'SELECT pg_catalog.clock_timestamp() + ahead * interval ''1 second'' FROM moved.clock';
    ALTER DATABASE {DATABASE} SET search_path = moved, pg_catalog, public;
    SET search_path = public;
"""
"""A clock of the database that a test can set. The clock of a process that is not Python cannot be set."""


def set_clock(server: Darbar, ahead: int) -> None:
    """Set the clock of all processes of a machine ahead by a number of seconds."""
    with database(server) as connection:
        connection.execute("UPDATE moved.clock SET ahead = %s", [ahead])
    set_processes_clock(Path(server.environment["DARBAR_TEST_CLOCK"]), ahead)
    time.sleep(3 * INTERVAL)  # while they run: by then each of them has looked at the database


def set_processes_clock(file: Path, ahead: int) -> None:
    """Set the clock of the processes that follow a file ahead by a number of seconds."""
    unfinished = file.with_suffix(".new")
    unfinished.write_text(str(ahead))
    unfinished.replace(file)


def copied(server: Darbar, game: str, count: int, people: Sequence[Player]) -> list[str]:
    """Return the ids of copies of a game, each with these people."""
    names = ",".join(player.name for player in people)
    command = [server.program, "-c", COPYING, game, str(count), names]
    result = subprocess.run(command, cwd=ROOT, env=server.environment, capture_output=True, text=True, check=True)
    return result.stdout.split()


COPYING = """
import os, sys, django
os.environ["DJANGO_SETTINGS_MODULE"] = "config.settings"
django.setup()
from accounts.models import Account
from bench.game_copies import copies
from games.models import Game

_, game, count, names = sys.argv
people = Account.objects.filter(name__in=names.split(",")).values_list("pk", flat=True)
print(*copies(Game.objects.get(pk=game), int(count), people), sep="\\n")
"""


def break_log(connection: psycopg.Connection, game: str) -> None:
    """Make a game be one that cannot be read: neither from its log nor from its snapshot."""
    connection.execute("ALTER TABLE games_event DISABLE TRIGGER ALL")
    connection.execute(
        'UPDATE games_event SET body = \'{"type":"no-such-event"}\' WHERE game_id = %s AND number > 3', [game]
    )
    connection.execute("ALTER TABLE games_event ENABLE TRIGGER ALL")
    connection.execute("DELETE FROM games_snapshot WHERE game_id = %s", [game])


def passed_by(server: Darbar) -> set[str]:
    """Return the games that the log names as left out."""
    return set(re.findall(r"game ([0-9a-f-]{36}) was passed by", server.output()))
