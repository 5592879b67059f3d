"""A server on PostgreSQL 15 with a synchronous standby, which takes over while people play."""

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
"""Seconds from the loss of the primary until somebody promotes the standby."""
LONGEST_GAP: Final = 10.0
"""Seconds from the promotion until a move is acknowledged again."""
_STORED: Final = (
    "SELECT count(*), count(*) FILTER (WHERE state = 'received') FROM games_move WHERE id = ANY(%s::uuid[])"
)


def run(folder: Path, moves: int) -> Iterator[tuple[str, bool]]:
    """Give lines, each with whether all is well."""
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
            yield from _taken_over(server, primary, standby, moves)
        finally:
            server.end()
        yield timed("failover: verify", server, "manage.py", "verify")
    finally:
        primary.kill()
        standby.kill()


def _taken_over(server: Darbar, primary: Postgres, standby: Postgres, moves: int) -> Iterator[tuple[str, bool]]:
    with traffic(sign_up(server)) as outcome:
        outcome.wait_for(lambda: len(outcome.moves) >= moves // 2, "half of the moves are acknowledged")
        primary.kill()
        time.sleep(UNNOTICED)
        promoted = time.monotonic()
        standby.tell("SELECT pg_promote()")
        outcome.wait_for(lambda: len(outcome.moves) >= moves, "all moves are acknowledged")
    gap = min(at for at, _ in outcome.moves if at > promoted) - promoted
    yield f"failover: {gap:.1f} s from the promotion to the next acknowledged move", gap <= LONGEST_GAP
    yield f"failover: {outcome}", outcome.without_retry_after == 0
    yield kept("failover", standby.url, outcome)


def kept(drill: str, url: str, outcome: Outcome) -> tuple[str, bool]:
    """Say how many of the acknowledged moves are in a database, once all that are have been resolved."""
    ids = [move for _, move in outcome.moves]

    def stored() -> tuple[int, int]:
        with psycopg.connect(url) as connection:
            fetchone = connection.execute(_STORED, [ids]).fetchone()
        assert fetchone
        return fetchone[0], fetchone[1]

    wait_until(lambda: stored()[1] == 0, "every move is resolved")
    lost = len(ids) - stored()[0]
    return f"{drill}: {lost} of {len(ids)} acknowledged moves lost, all of them resolved", lost == 0
