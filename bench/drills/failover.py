"""A server on PostgreSQL 15 with a synchronous standby, which is promoted while people play."""

import time
from collections.abc import Iterator
from pathlib import Path
from typing import Final

import psycopg

from bench.drills.commands import timed
from bench.drills.traffic import WITHOUT_LIMITS, Outcome, sign_up, traffic
from tests.server.darbar import Darbar, wait_until
from tests.server.services import DEBIAN, Postgres

UNNOTICED: Final = 5.0
"""Seconds from the loss of the primary until the standby is promoted."""
LONGEST_GAP: Final = 10.0
"""The maximum number of seconds from the promotion to the next acknowledged move."""
_STORED: Final = (
    "SELECT count(*), count(*) FILTER (WHERE state = 'received') FROM games_move WHERE id = ANY(%s::uuid[])"
)


def run(folder: Path, moves: int) -> Iterator[tuple[str, bool]]:
    """Yield lines, each with True if the result is good."""
    if not DEBIAN.exists():
        yield "failover: skipped, as postgresql-15 is not installed", True
        return
    primary, standby = (Postgres(folder / name, "fsync=on") for name in ("primary", "standby"))
    try:
        primary.create()
        standby.follow(primary)
        primary.tell("ALTER SYSTEM SET synchronous_standby_names = '*'")
        primary.tell("SELECT pg_reload_conf()")
        wait_until(lambda: primary.tell("SELECT sync_state FROM pg_stat_replication") == ("sync",), "it is synchronous")
        hosts = f"127.0.0.1:{primary.port},127.0.0.1:{standby.port}"
        url = f"postgres://darbar:pass%2Fword@{hosts}/postgres?target_session_attrs=read-write"
        server = Darbar(folder / "data", DATABASE_URL=url, **WITHOUT_LIMITS).start()
        try:
            yield from _fail_over(server, primary, standby, moves)
        finally:
            server.end()
        yield timed("failover: verify", server, "manage.py", "verify")
    finally:
        primary.kill()
        standby.kill()


def _fail_over(server: Darbar, primary: Postgres, standby: Postgres, moves: int) -> Iterator[tuple[str, bool]]:
    with traffic(sign_up(server)) as outcome:
        outcome.wait_for(lambda: len(outcome.moves) >= moves // 2, "half of the moves are acknowledged")
        primary.kill()
        time.sleep(UNNOTICED)
        promoted_at = time.monotonic()
        standby.tell("SELECT pg_promote()")
        outcome.wait_for(lambda: len(outcome.moves) >= moves, "all moves are acknowledged")
    gap = min(moment for moment, _ in outcome.moves if moment > promoted_at) - promoted_at
    yield f"failover: {gap:.1f} s from the promotion to the next acknowledged move", gap <= LONGEST_GAP
    yield f"failover: {outcome}", outcome.without_retry_after == 0
    yield lost_moves("failover", standby.url, outcome)


def lost_moves(drill: str, url: str, outcome: Outcome) -> tuple[str, bool]:
    """Wait until all stored moves are resolved, and count the acknowledged moves that the database does not have."""
    ids = [move for _, move in outcome.moves]

    def counts() -> tuple[int, int]:
        with psycopg.connect(url) as connection:
            row = connection.execute(_STORED, [ids]).fetchone()
        assert row
        return row[0], row[1]

    wait_until(lambda: counts()[1] == 0, "every move is resolved")
    lost = len(ids) - counts()[0]
    return f"{drill}: {lost} of {len(ids)} acknowledged moves lost, all others resolved", lost == 0
