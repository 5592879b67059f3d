"""Tests of who is at work on one kind of work: a few threads of a worker, and never all."""

import importlib
import threading

import pytest
from celery import current_app

from config.core.work import ConcurrencyLimit
from config.server.worker import THREADS


def test_however_much_waits_of_all_that_takes_its_time_a_worker_has_a_thread_left() -> None:
    current_app.loader.import_default_modules()
    modules = {importlib.import_module(task.__module__) for task in current_app.tasks.values()}
    limited = {
        name: var for module in modules for name, var in vars(module).items() if isinstance(var, ConcurrencyLimit)
    }
    slow = {"_RESOLVING", "_WRITING", "_DELIVERING", "_DISPATCHING", "_DISPATCHING_MESSAGES", "_READING"}
    assert slow <= set(limited)
    assert sum(limit.most for limit in limited.values()) < THREADS


def test_what_is_done_one_at_a_time_is_done_once_more_for_all_who_came_meanwhile() -> None:
    begun, go, finished = threading.Event(), threading.Event(), list[int]()

    def work() -> None:
        begun.set()
        go.wait(10)
        finished.append(threading.get_ident())

    limit = ConcurrencyLimit(work)
    first = threading.Thread(target=limit)
    first.start()
    assert begun.wait(10)
    limit()
    limit()
    assert finished == [], "nobody waits for the one who is at it"
    go.set()
    first.join(10)
    assert finished == [first.ident, first.ident]
    limit()
    assert finished[2:] == [threading.get_ident()]


def test_what_waits_for_others_may_be_done_by_two_and_by_no_more() -> None:
    both, go, finished = threading.Barrier(3), threading.Event(), list[int]()

    def work() -> None:
        if not go.is_set():
            both.wait(10)
            go.wait(10)
        finished.append(threading.get_ident())

    limit = ConcurrencyLimit(work, most=2)
    threads = [threading.Thread(target=limit) for _ in range(2)]
    for thread in threads:
        thread.start()
    both.wait(10)
    limit()
    assert finished == [], "nobody waits for the two who are at it"
    go.set()
    for thread in threads:
        thread.join(10)
    assert len(finished) == 3
    assert set(finished) <= {thread.ident for thread in threads}


def test_what_went_wrong_once_is_done_again_at_the_next_bell() -> None:
    outcomes = iter([KeyError(), None])

    def work() -> None:
        if outcome := next(outcomes):
            raise outcome

    limit = ConcurrencyLimit(work)
    with pytest.raises(KeyError):
        limit()
    limit()
    assert next(outcomes, "all done") == "all done"


def test_a_call_that_is_made_again_and_again_gives_its_thread_back() -> None:
    answers = []

    def work() -> None:
        answers.append(1)
        limit()

    limit = ConcurrencyLimit(work, in_a_row=3)
    limit()
    assert len(answers) == 3
    limit()
    assert len(answers) == 6
