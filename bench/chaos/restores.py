"""A backup in the middle of a run, and its restore: what was acknowledged before it must be there."""

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
    """A copy of the database's files, or a dump, taken while the server is down."""

    def __init__(self, run: "Run", file: Path, is_dump: bool) -> None:
        self._run, self._file, self._is_dump = run, file, is_dump
        self._at = 0.0

    def take(self) -> None:
        """Stop the server, copy, start it."""
        self._run.heal()
        self._run.watched.end()
        self._at = time.time()
        if self._is_dump:
            restoring.dump(self._run.watched.darbar, self._file)
        else:
            restoring.copy_cluster(self._run.watched.darbar, self._file)
        self._run.watched.start()

    def restore(self) -> None:
        """Stop the server, put the backup in place, start it; see that the streams are told so."""
        self._run.heal()
        watched = self._run.watched
        watched.end()
        if self._is_dump:
            restoring.restore(watched.darbar, self._file)
        else:
            restoring.put_back(watched.darbar, self._file)
        self._run.ledger.back_to(self._at)
        for person in self._run.people:
            person.forget()
        watched.use_redis(self._run.folder)
        at = time.time()
        streamers = [person for person in self._run.people if isinstance(person, Streamer)]
        events = {streamer.name: streamer.last for streamer in streamers}
        watched.start()
        self._run.note_restore("restore of a dump" if self._is_dump else "restore of a copy", at)
        self._expect_resets(events, at)

    def _expect_resets(self, events: dict[str, str], at: float) -> None:
        """Expect ``reset`` for everybody who was told something that the database does not know."""
        with self._run.watched.database() as connection:
            expected = {name for name, id in events.items() if not _is_known(connection, id)}
        deadline = time.monotonic() + 60
        while missing := [name for name in expected if self._run.ledger.resets.get(name, 0.0) < at]:
            if time.monotonic() > deadline:
                self._run.findings.append(Finding("lost", f"no reset for {missing}", at))
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
