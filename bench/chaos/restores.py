"""A backup in the middle of a run, and its restore. Everything acknowledged before the backup must be restored."""

import time
from pathlib import Path
from typing import TYPE_CHECKING

import psycopg

from bench.chaos.players import Streamer
from bench.chaos.verdict import Finding
from tests.server import restoring

if TYPE_CHECKING:
    from bench.chaos.run import Run


class Backup:
    """A copy of the database's files, or a dump. The server is stopped meanwhile."""

    def __init__(self, run: "Run", file: Path, is_dump: bool) -> None:
        self._run, self._file, self._is_dump = run, file, is_dump
        self._at = 0.0

    def take(self) -> None:
        """Stop the server, make the backup, and start the server."""
        self._run.heal()
        self._run.watched.end()
        self._at = time.time()
        if self._is_dump:
            restoring.dump(self._run.watched.darbar, self._file)
        else:
            restoring.copy_cluster(self._run.watched.darbar, self._file)
        self._run.watched.start()

    def restore(self) -> None:
        """Stop the server, restore the backup, start the server, and check that the event streams send ``reset``."""
        self._run.heal()
        watched = self._run.watched
        watched.end()
        if self._is_dump:
            restoring.restore(watched.darbar, self._file)
        else:
            restoring.put_back(watched.darbar, self._file)
        self._run.ledger.roll_back(self._at)
        for person in self._run.people:
            person.forget()
        watched.use_redis(self._run.folder)
        restored_at = time.time()
        streamers = [person for person in self._run.people if isinstance(person, Streamer)]
        last_events = {streamer.name: streamer.last for streamer in streamers}
        watched.start()
        self._run.note_restore("restore of a dump" if self._is_dump else "restore of a copy", restored_at)
        self._expect_resets(last_events, restored_at)

    def _expect_resets(self, last_events: dict[str, str], restored_at: float) -> None:
        """Expect ``reset`` for all streams whose last event is not in the restored database."""
        with self._run.watched.database() as connection:
            expected = {name for name, id in last_events.items() if not _is_known(connection, id)}
        deadline = time.monotonic() + 60
        while missing := [name for name in expected if self._run.ledger.resets.get(name, 0.0) < restored_at]:
            if time.monotonic() > deadline:
                self._run.findings.append(Finding("lost", f"no reset for {missing}", restored_at))
                return
            time.sleep(0.2)


def _is_known(connection: psycopg.Connection, id: str) -> bool:
    epoch, _, signal = id.partition(".")
    row = connection.execute(
        "SELECT 1 FROM notifications_epoch WHERE mark = %s AND (%s LIKE 'start-%%' OR EXISTS ("
        "SELECT 1 FROM notifications_streamevent WHERE public_id::text = %s))",
        [epoch, signal, signal],
    ).fetchone()
    return row is not None
