"""PostgreSQL is killed while people play on a real server: answers are correct, and accepted moves are resolved."""

import signal
import threading
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager

import httpx
import pytest

from tests.server.darbar import Darbar, tell, wait_until
from tests.server.player import Player
from tests.server.replies import opened

KILLS = 3
GAMES = 6


@pytest.fixture
def maryam(darbar: Darbar) -> Iterator[Player]:
    darbar.start()
    with Player(darbar, "Maryam") as maryam:
        yield maryam


@contextmanager
def killed(server: Darbar) -> Iterator[None]:
    """PostgreSQL is dead and is not started again in this block."""
    assert server.process
    tell(signal.SIGSTOP, server.process.pid)
    try:
        tell(signal.SIGKILL, *server.pids(b"/postgres -D"))
        yield
    finally:
        tell(signal.SIGCONT, server.process.pid)


def test_postgres_is_killed_again_and_again_and_every_move_that_was_taken_is_resolved(
    darbar: Darbar, maryam: Player
) -> None:
    games = [opened(maryam) for _ in range(GAMES)]
    over, statuses, all_statuses = threading.Event(), set[int](), set[int]()

    def play(game: str) -> list[str]:
        """Answer all questions until the game is over, and return the addresses of the accepted moves."""
        places, headers = [], dict(maryam.http.headers)
        with httpx.Client(base_url=maryam.http.base_url, headers=headers, timeout=60) as client:
            while not over.wait(0.05):
                response = client.get(f"/api/v1/games/{game}/questions/")
                statuses.add(response.status_code)
                questions = response.json()["results"] if response.is_success else []
                if not questions:
                    continue
                question = questions[0]
                move = {"question": question["id"], "text": question["moves"][0]["text"]}
                answer = client.post(f"/api/v1/games/{game}/moves/", json=move)
                statuses.add(answer.status_code)
                if answer.status_code == 202:
                    places.append(answer.headers["Location"])
        return places

    with ThreadPoolExecutor(GAMES) as threads:
        playing = [threads.submit(play, game) for game in games]
        try:
            for _ in range(KILLS):
                with killed(darbar):
                    statuses.clear()
                    wait_until(lambda: 503 in statuses, "somebody has met it")
                wait_until(lambda: darbar.get("/healthz").is_success, "the database answers again")
                wait_until(lambda: 202 in statuses, "somebody plays on")
                all_statuses.update(statuses)
        finally:
            over.set()
        places = [place for future in playing for place in future.result()]
    assert places
    assert all_statuses <= {200, 202, 409, 429, 503}, all_statuses
    states = {maryam.outcome(place)["state"] for place in places}
    assert states <= {"applied", "rejected"}
    wait_until(lambda: darbar.get("/healthz").json()["red"] == [], "nothing waits")
    assert darbar.runs
