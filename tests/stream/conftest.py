"""An event stream that is served to the tests, and programs that read it."""

import asyncio
import threading
from collections.abc import Callable, Iterator
from typing import Any

import pytest

from accounts import tokens
from accounts.models import Account
from config.stream import keep_open
from tests.server.darbar import free_port, wait_until
from tests.stream.reader import Reader, answers


@pytest.fixture(scope="module")
def port(django_db_setup: None, django_db_blocker: Any) -> Iterator[int]:
    """The port of an event stream that runs in a thread, on the tests' database."""
    at, loop = free_port(), asyncio.new_event_loop()
    over = asyncio.Event()

    def run() -> None:
        loop.run_until_complete(keep_open("127.0.0.1", at, over))
        loop.run_until_complete(loop.shutdown_default_executor())
        loop.close()

    with django_db_blocker.unblock():
        thread = threading.Thread(target=run, name="stream")
        thread.start()
        wait_until(lambda: answers(at) == 401, "the stream is served", 30)
        yield at
        loop.call_soon_threadsafe(over.set)
        thread.join(30)
    assert not thread.is_alive()


@pytest.fixture
def maryam(transactional_db: None) -> Account:
    return Account.objects.create_user("maryam@example.org", name="Maryam")


@pytest.fixture
def sepideh(transactional_db: None) -> Account:
    return Account.objects.create_user("sepideh@example.org", name="سپیده", language="fa")


@pytest.fixture
def open_stream(transactional_db: None, port: int) -> Iterator[Callable[..., Reader]]:
    """Opens streams, which end with the test."""
    opened: list[Reader] = []

    def opening(account: Account, last: str = "", **how: Any) -> Reader:
        token = how.get("token") or tokens.issue(account, "test", ["games:read"])[1]
        opened.append(Reader(port, token, last))
        return opened[-1]

    yield opening
    for reader in opened:
        reader.close()
