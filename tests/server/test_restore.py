"""A restored database: listeners of the event stream are told to read their data again, and miss no later event."""

from pathlib import Path

import pytest

from config.server.postgres import ServerPaths
from tests.long import LONG
from tests.notifications.stream_events.reader import Event, Reader
from tests.server.darbar import Darbar, wait_until
from tests.server.player import Player
from tests.server.restoring import copy_cluster, dump, put_back, restore

pytestmark = pytest.mark.skipif(not Path("/proc/self/task").exists(), reason="processes are looked up in /proc")
MANY = 30_000
"""More transactions than a server in a test has had."""


class Listener:
    """A program that reconnects with the last id that it has received, to any server."""

    def __init__(self, player: Player) -> None:
        self.token = player.http.headers["Authorization"].removeprefix("Bearer ")
        self.last = ""

    def hear(self, server: Darbar, stop: str) -> list[Event]:
        """All events up to the first of that kind, that one included."""
        events: list[Event] = []
        while not events or events[-1].kind != stop:
            reader = Reader(server.stream_port, self.token, self.last)
            while (not events or events[-1].kind != stop) and (event := reader.next(comments=6)):
                events.append(event)
                self.last = event.id
            reader.close()
        return events


def begin_game(player: Player) -> str:
    """Create a game that starts immediately, and return its id."""
    return str(player.post("games/", {"rules": "coup", "seat_count": 2, "bots": [{}]}, 201)["id"])


def question_of(events: list[Event]) -> str:
    """The game of the question with which these events end."""
    return str(events[-1].data["game"])


def test_a_dump_is_restored_into_clusters_with_more_and_with_fewer_transactions(darbar: Darbar, tmp_path: Path) -> None:
    if not (ServerPaths.in_data_dir(darbar.data_dir).binaries() / "pg_dump").exists():
        pytest.skip("there is no pg_dump beside the embedded PostgreSQL")
    darbar.start()
    with Player(darbar, "Maryam") as maryam:
        listener = Listener(maryam)
        listener.hear(darbar, "ready")
        for transactions in (MANY, 0):
            game = begin_game(maryam)
            assert question_of(listener.hear(darbar, "question")) == game
            darbar.end()
            restore(darbar, dump(darbar, tmp_path / "dump"), transactions)
            darbar.start()
            (reset,) = listener.hear(darbar, "reset")
            assert reset.data.keys() == {"at"}
            assert maryam.question(game)
        game = begin_game(maryam)
        events = listener.hear(darbar, "question")
        assert {event.data["game"] for event in events} == {game}, "and nothing of before"
    assert darbar.end() == 0


@pytest.mark.long
@pytest.mark.skipif(not LONG, reason="make long puts a copy back; make test-slow restores a dump")
def test_an_earlier_copy_of_the_data_folder_is_put_back(darbar: Darbar, tmp_path: Path) -> None:
    darbar.start()
    with Player(darbar, "Maryam") as maryam:
        removed, stays = Listener(maryam), Listener(maryam)
        for listener in (removed, stays):
            listener.hear(darbar, "ready")
        game = begin_game(maryam)
        assert question_of(stays.hear(darbar, "question")) == game
        darbar.end()
        copy = copy_cluster(darbar, tmp_path / "copy")
        darbar.start()
        lost = begin_game(maryam)
        while question_of(removed.hear(darbar, "question")) != lost:
            pass
        darbar.end()
        put_back(darbar, copy)
        darbar.start()
        assert [event.kind for event in removed.hear(darbar, "reset")] == ["reset"]
        again = begin_game(maryam)
        for listener in (removed, stays):
            events = listener.hear(darbar, "question")
            assert {event.data["game"] for event in events} == {again}
        wait_until(lambda: maryam.question(game), "what the copy held is asked still")
    assert darbar.end() == 0
