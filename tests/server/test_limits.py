"""Limits for an account on a running server, over real HTTP."""

from concurrent.futures import ThreadPoolExecutor

from tests.server.darbar import Darbar
from tests.server.player import Player


def test_of_25_tables_for_ten_asked_for_at_once_20_are_made(running: Darbar, somebody: str) -> None:
    with Player(running, somebody) as player:

        def create(_: int) -> tuple[int, str, str | None]:
            answer = player.http.post(
                "/api/v1/games/", json={"rules": "coup", "seat_count": 10, "bots": [{}, {}, {}, {}, {}, {}, {}, {}, {}]}
            )
            return answer.status_code, answer.json().get("code", ""), answer.headers.get("Retry-After")

        with ThreadPoolExecutor(8) as asking:
            answers = sorted(asking.map(create, range(25)))
        created = [answer for answer in answers if answer[0] == 201]
        assert 20 <= len(created) <= 22, "one more for each minute that it took"
        for status, code, wait in answers[len(created) :]:
            assert (status, code) == (429, "rate-limited")
            assert 0 < int(wait or 0) <= 60
