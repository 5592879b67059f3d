"""Restores a PostgreSQL with an archived log to a moment between two games."""

import shutil
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Final

from bench.drills.commands import timed
from tests.server.darbar import Darbar, wait_until
from tests.server.player import Player
from tests.server.services import DEBIAN, Postgres
from tests.server.test_restore import Listener, begin_game, question_of

_DELAY: Final = """
    UPDATE notifications_notification SET state = 'ready', next_attempt_at = now() + '1 hour'::interval
    WHERE state = 'sent' AND rendered IS NOT NULL
"""
"""Change all sent emails as if a relay had delayed them, so that they are tried again in an hour."""
_WAITING: Final = "SELECT count(*) FROM notifications_notification WHERE state IN ('scheduled', 'ready')"


def run(folder: Path, _: int) -> Iterator[tuple[str, bool]]:
    """Yield lines, each with True if the result is good."""
    if not DEBIAN.exists():
        yield "point in time: skipped, as postgresql-15 is not installed", True
        return
    archive = folder / "archive"
    archive.mkdir()
    archive.chmod(0o777)
    archiving = f"archive_command=test ! -f {archive}/%f && cp %p {archive}/%f"
    database = Postgres(folder / "postgres", "archive_mode=on", archiving)
    recovered = Postgres(folder / "recovered")
    server = Darbar(folder / "data", DATABASE_URL=database.url)
    try:
        database.create()
        server.start()
        with Player(server, "Maryam") as maryam:
            listener = Listener(maryam)
            listener.hear(server, "ready")
            recovered.copy(database)
            first = _create_game(server, maryam, listener)
            database.tell(_DELAY)
            moment = database.tell("SELECT clock_timestamp()::text")[0]
            time.sleep(1)
            second = _create_game(server, maryam, listener)
            last = database.tell("SELECT pg_walfile_name(pg_switch_wal())")[0]
            wait_until(lambda: (archive / last).exists(), "the log is archived")
            server.end()
            database.kill()
            began = time.monotonic()
            recovered.recover(f"cp {archive}/%f %p", moment)
            server.environment["DATABASE_URL"] = recovered.url
            waiting = recovered.tell(_WAITING)[0]
            yield timed("point in time: the rest, with verify", server, "manage.py", "restore", "--recovered")
            left = recovered.tell(_WAITING)[0]
            yield f"point in time: {left} of {waiting} waiting emails would be sent again", waiting > left == 0
            server.start()
            kinds = [event.kind for event in listener.hear(server, "reset")]
            statuses = [maryam.http.get(f"/api/v1/games/{game}/").status_code for game in (first, second)]
        yield (
            f"point in time: {time.monotonic() - began:.1f} s; the games before and after it: {statuses}; "
            f"the stream sends {', '.join(kinds)}",
            (statuses, kinds) == ([200, 404], ["reset"]),
        )
    finally:
        if server.runs:
            server.end()
        database.kill()
        recovered.kill()
        shutil.rmtree(archive)


def _create_game(server: Darbar, maryam: Player, listener: Listener) -> str:
    game = begin_game(maryam)
    assert question_of(listener.hear(server, "question")) == game
    return game
