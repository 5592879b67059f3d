"""A server behind pgbouncer in transaction mode, with two connections to PostgreSQL 15."""

from collections.abc import Iterator
from pathlib import Path

from bench.drills.traffic import WITHOUT_LIMITS, play, sign_up
from tests.server.darbar import Darbar
from tests.server.services import DEBIAN, PGBOUNCER, pooler, real_postgres


def run(folder: Path, requests: int) -> Iterator[tuple[str, bool]]:
    """Yield lines, each with True if the result is good."""
    if PGBOUNCER is None or not DEBIAN.exists():
        yield "pooler: skipped, as pgbouncer or postgresql-15 is not installed", True
        return
    with real_postgres(folder / "postgres") as url, pooler(folder, url) as pooled:
        urls = {"DATABASE_URL": pooled, "DIRECT_DATABASE_URL": url}
        server = Darbar(folder / "data", **urls, **WITHOUT_LIMITS).start()
        try:
            outcome = play(sign_up(server), requests)
        finally:
            server.end()
    yield f"pooler: {outcome}", outcome.errors == 0
