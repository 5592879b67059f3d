"""The clock of a worker and the pauses of the runner."""

import threading
from datetime import timedelta

import pytest
from django.core.cache import cache
from django.db import connection
from django.utils import timezone

from config.core import disks
from config.core.disks import DiskWatch
from config.core.tasks import LONGEST_ROUND, TaskNotifier, app
from config.server.children import LONGEST, Pauses
from config.server.worker import Clock, perform
from games.operations import health
from games.tasks import check_rounds
from tests.server.darbar import wait_until


def test_each_period_has_its_own_thread_and_one_that_is_stuck_stops_no_other() -> None:
    finished_works, over, ever = [], threading.Event(), threading.Event()

    def work(name: str) -> None:
        finished_works.append(name)
        if name == "slow" or over.is_set():
            ever.wait()

    Clock({0.01: ["quick", "also quick"], 0.02: ["slow", "never"]}, work).start()
    wait_until(lambda: finished_works.count("also quick") > 5, "the quick ones have been run again and again")
    over.set()
    assert (finished_works.count("slow"), finished_works.count("never")) == (1, 0)


def test_a_round_that_does_not_end_makes_the_clock_late() -> None:
    stuck, ever = threading.Event(), threading.Event()

    def work(name: str) -> None:
        if name == "stuck":
            stuck.set()
            ever.wait()

    clock = Clock({0.01: ["stuck"], 86_400: ["done"]}, work)
    assert clock.seconds_late() == 0
    clock.start()
    assert stuck.wait(10)
    wait_until(lambda: clock.seconds_late() > 0, "the next round is due")


@pytest.mark.django_db
@pytest.mark.parametrize(("late", "red"), [(LONGEST_ROUND, False), (LONGEST_ROUND + 1, True)])
def test_a_sign_turns_red_when_a_tick_does_not_end(monkeypatch: pytest.MonkeyPatch, late: float, red: bool) -> None:
    cache.clear()
    monkeypatch.setattr(app, "seconds_late", lambda: late)
    check_rounds()
    signs = {sign.name: sign.red for sign in health.signs(timezone.now(), timedelta())}
    assert signs["tick"] is red


@pytest.mark.django_db(transaction=True)
def test_a_thread_that_rests_for_long_gives_its_connection_back() -> None:
    used = []

    def work(name: str) -> None:
        with connection.cursor() as cursor:
            cursor.execute("SELECT pg_backend_pid()")
            used.append(cursor.fetchone()[0])

    def open_connections() -> int:
        with connection.cursor() as cursor:
            cursor.execute("SELECT count(*) FROM pg_stat_activity WHERE pid = ANY(%s)", [used])
            return int(cursor.fetchone()[0])

    Clock({86_400: ["once", "and again"]}, work).start()
    wait_until(lambda: len(used) == 2, "both have been run")
    assert used[0] == used[1], "within a round it is kept"
    wait_until(lambda: open_connections() == 0, "the connection is closed")


@pytest.mark.django_db
def test_what_goes_wrong_is_logged_without_what_it_says(caplog: pytest.LogCaptureFixture) -> None:
    def fail(card: str) -> None:
        raise ValueError(card)

    perform(fail, "games.tasks.tick", ["duke"])
    assert "games.tasks.tick has failed: ValueError" in caplog.text
    assert "duke" not in caplog.messages[0]


def test_a_bell_that_the_broker_does_not_take_is_done_here_and_the_broker_is_left_alone_for_a_while(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    notifier, tried, finished = TaskNotifier("test", set_as_current=False), [], []
    notifier.perform = lambda name, arguments: finished.append((name, arguments))

    def full(_: object, name: str, *__: object, **___: object) -> None:
        tried.append(name)
        raise OSError(28, "No space left on device")

    monkeypatch.setattr("celery.Celery.send_task", full)
    for number in range(5):
        notifier.send_task("play_bots", [number])
    assert tried == ["play_bots"]
    assert finished == [("play_bots", [number]) for number in range(5)]


def test_pauses_grow_up_to_a_bound_and_are_forgotten_after_a_steady_life() -> None:
    now = 0.0
    pauses = Pauses(lambda: now)
    lengths = []
    for _ in range(9):
        pauses.start()
        ended = now
        while not pauses.is_over():
            now += 0.25
        lengths.append(now - ended)
    assert lengths == [0, 0.5, 1, 2, 4, 8, LONGEST, LONGEST, LONGEST]
    pauses.start()
    now += 60
    assert pauses.is_over()


def test_a_disk_is_named_when_it_is_nearly_full_and_when_it_has_room_again(
    monkeypatch: pytest.MonkeyPatch, tmp_path_factory: pytest.TempPathFactory
) -> None:
    folder, now, free = tmp_path_factory.mktemp("disk"), 0.0, {"MiB": 1000}
    monkeypatch.setattr(disks, "free", lambda _: free["MiB"])
    watch = DiskWatch([folder], lambda: now)
    messages = []
    for left in (1000, 3, 2, 500):
        free["MiB"] = left
        messages.append([*watch.check()])
        assert [*watch.check()] == [], "it looks every few seconds only"
        now += 10
    assert [len(message) for message in messages] == [0, 1, 0, 1]
    assert messages[1][0].startswith(f"The disk of {folder} is nearly full: 3 MiB are free")
    assert messages[3][0] == f"The disk of {folder} has room again: 500 MiB are free."


def test_what_is_missing_on_the_fullest_disk_counts(monkeypatch: pytest.MonkeyPatch, tmp_path: object) -> None:
    left = {"a": 500, "b": disks.LEAST - 5, "c": None}
    monkeypatch.setattr(disks, "free", lambda folder: left[str(folder)])
    assert disks.missing(["a", "b", "c"]) == 5  # type: ignore[list-item]
    assert disks.missing(["a"]) == 0  # type: ignore[list-item]
    assert disks.missing([]) == 0
