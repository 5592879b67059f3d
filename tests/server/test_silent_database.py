"""A database that is stopped, and a worker whose clock has died: the server says so, and goes on by itself."""

import signal
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Final

import httpx

from tests.server.conftest import on_a_copy
from tests.server.darbar import Darbar, tell, wait_until
from tests.server.player import Player

LINE: Final = "the database cannot be checked"
DEADLY: Final = """
import ctypes, os, threading, time
from pathlib import Path

def kill():
    file = Path(os.environ["DEADLY_FILE"])
    while True:
        time.sleep(0.1)
        for thread in threading.enumerate():
            if thread.name == "clock-5" and file.exists():
                file.unlink()
                end = ctypes.py_object(SystemExit)
                ctypes.pythonapi.PyThreadState_SetAsyncExc(ctypes.c_ulong(thread.ident), end)

os.register_at_fork(after_in_child=lambda: threading.Thread(target=kill, daemon=True).start())
"""
"""Ends the clock's thread in a worker once a file is there; imported as ``sitecustomize``."""


@contextmanager
def stopped_database(server: Darbar) -> Iterator[None]:
    postgres = server.pids(b"postgres")
    tell(signal.SIGSTOP, *postgres)
    try:
        yield
    finally:
        tell(signal.SIGCONT, *postgres)


def test_while_the_database_is_stopped_everything_is_answered_and_play_goes_on_afterwards(darbar: Darbar) -> None:
    darbar.start()
    with Player(darbar, "Maryam") as maryam:
        alone = {"rules": "coup", "seat_count": 3, "bots": [{}, {}], "options": {"starting_player": 1}}
        game = maryam.post("games/", alone, 201)["id"]
        question = maryam.question(game)
        with stopped_database(darbar):
            health = darbar.get("/healthz")
            assert (health.status_code, "database" in health.json()["red"]) == (503, True)
            assert maryam.http.get("/api/v1/me/").json()["code"] == "unavailable"
            move = maryam.http.post(f"/api/v1/games/{game}/moves/", json={"question": question, "text": "income"})
            assert (move.status_code, "Retry-After" in move.headers) == (503, True)
            stream = httpx.get(
                f"http://localhost:{darbar.stream_port}/api/v1/stream/", headers=maryam.http.headers, timeout=60
            )
            assert stream.status_code == 503
        wait_until(lambda: darbar.get("/healthz").is_success, "the database answers again")
        assert maryam.outcome(maryam.send(game, "income"))["state"] in ("applied", "rejected")
    assert darbar.output().count(LINE) == 1
    assert darbar.end() == 0


def test_a_worker_whose_clock_has_died_is_started_again(prepared: Path, tmp_path: Path) -> None:
    (tmp_path / "sitecustomize.py").write_text(DEADLY)
    deadly = tmp_path / "deadly"
    with on_a_copy(prepared, PYTHONPATH=str(tmp_path), DEADLY_FILE=str(deadly)) as server:
        server.start()
        workers = server.workers()
        deadly.touch()
        ended = "config.server.worker has ended (1) and is being restarted."
        wait_until(lambda: ended in server.output(), "the worker has ended")
        wait_until(lambda: set(server.workers()).difference(workers), "another worker runs")
        assert "the thread “clock-5” has ended" in server.output()
        assert server.end() == 0
