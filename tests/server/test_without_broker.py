"""A real server whose Redis goes away: moves are resolved, bots play and mails go out all the same."""

import signal
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.server.conftest import on_a_copy
from tests.server.darbar import Darbar, alive, tell, wait_until
from tests.server.player import Player
from tests.server.replies import asked_by_mail, opened
from tests.server.services import REDIS, Redis
from tests.server.upset import beats

pytestmark = pytest.mark.skipif(REDIS is None, reason="Redis is not installed (redis-server)")


@pytest.fixture
def redis(tmp_path: Path) -> Iterator[Redis]:
    with Redis(tmp_path) as running:
        yield running


@pytest.fixture
def server(prepared: Path, redis: Redis) -> Iterator[Darbar]:
    with on_a_copy(prepared, BROKER_URL=redis.url) as server:
        yield server.start()


def plays_on(player: Player) -> None:
    """A move is resolved, the bots answer it, and the next question comes by mail."""
    game = opened(player)
    wait_until(lambda: asked_by_mail(player, game), "the question has come by mail")
    player.answer(game, "income")
    wait_until(
        lambda: player.get(f"games/{game}/questions/")["results"], "the bots have played, and she is asked again"
    )


def is_used_again(server: Darbar, player: Player) -> bool:
    """Play on, which rings for the workers; True once the broker has taken that."""
    plays_on(player)
    return "The broker answers again." in server.output()


def test_while_redis_is_away_games_go_on_also_in_a_worker_that_starts_then(server: Darbar, redis: Redis) -> None:
    with Player(server, "Maryam") as maryam:
        plays_on(maryam)
        redis.__exit__()
        plays_on(maryam)
        killed = server.workers()
        tell(signal.SIGKILL, *killed)
        wait_until(lambda: not list(filter(alive, killed)), "the worker has ended")
        plays_on(maryam)
        wait_until(lambda: beats(server), "the new worker's heart beats")
        redis.__enter__()
        wait_until(lambda: is_used_again(server, maryam), "Redis is used again")


def test_a_redis_that_hangs_holds_nothing_up(server: Darbar, redis: Redis) -> None:
    assert redis.process
    with Player(server, "Maryam") as maryam:
        tell(signal.SIGSTOP, redis.process.pid)
        try:
            plays_on(maryam)
        finally:
            tell(signal.SIGCONT, redis.process.pid)
        plays_on(maryam)
