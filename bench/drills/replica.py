"""A server whose lists come from a replica: nobody misses a game that they have just opened, however late it is."""

import time
from collections.abc import Iterator
from pathlib import Path
from typing import Final

import httpx

from bench.drills.traffic import WITHOUT_LIMITS
from tests.server.darbar import Darbar
from tests.server.player import Player
from tests.server.services import DEBIAN, Postgres

PARTS: Final = ("a replica that follows", "a replica that stands still", "a replica that is away")
_READ: Final = "SELECT sum(idx_scan + seq_scan) FROM pg_stat_user_tables WHERE relname = 'games_game'"


def run(folder: Path, requests: int) -> Iterator[tuple[str, bool]]:
    """Give lines, each with whether all is well."""
    if not DEBIAN.exists():
        yield "replica: skipped, as postgresql-15 is not installed", True
        return
    primary, replica = (Postgres(folder / name) for name in ("primary", "replica"))
    limits = {**WITHOUT_LIMITS, **dict.fromkeys(("OPEN_GAMES", "OPEN_GAMES_HOSTED"), "1000000")}
    try:
        primary.create()
        replica.follow(primary)
        server = Darbar(folder / "data", DATABASE_URL=primary.url, REPLICA_URL=replica.url, **limits).start()
        try:
            with Player(server, "Maryam") as maryam:
                yield from _parts(maryam, replica, requests // 20)
        finally:
            server.end()
    finally:
        replica.kill()
        primary.kill()


def _parts(maryam: Player, replica: Postgres, games: int) -> Iterator[tuple[str, bool]]:
    follows, stands_still, is_away = PARTS
    before = _reads(replica)
    yield _missed(maryam, follows, games)
    reads = _reads(replica) - before
    yield f"replica: it read the table of games {reads} times", reads >= games // 2
    replica.tell("SELECT pg_wal_replay_pause()")
    yield _missed(maryam, stands_still, games // 10)
    replica.kill()
    yield _missed(maryam, is_away, games // 10)


def _missed(maryam: Player, part: str, games: int) -> tuple[str, bool]:
    """Open games and look for each at once; return a line, and whether each was in the list."""
    missed, seconds = 0, list[float]()
    for _ in range(games):
        opened = maryam.post("games/", {"rules": "coup", "seat_count": 2}, 201)["id"]
        begun = time.monotonic()
        listed = _listed(maryam.http)
        seconds.append(time.monotonic() - begun)
        missed += opened not in listed
        maryam.http.post(f"/api/v1/games/{opened}/leave/", json={}).raise_for_status()
    middle = sorted(seconds)[len(seconds) // 2]
    return f"{part}: {missed} of {games} games missed that were just opened; a list takes {middle * 1000:.0f} ms", (
        missed == 0
    )


def _listed(http: httpx.Client) -> set[str]:
    answer = http.get("/api/v1/games/")
    answer.raise_for_status()
    return {game["id"] for game in answer.json()["results"]}


def _reads(replica: Postgres) -> int:
    """Return how often the replica has looked into the table of games."""
    time.sleep(1.5)  # PostgreSQL counts once a second
    found = replica.tell(_READ)
    return int(found[0]) if found and found[0] else 0
