"""An event stream that is served to the tests, and programs that read it."""

import asyncio
import threading
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any, Final

import pytest

from accounts import tokens
from accounts.models import Account
from config.server.stream import serve_streams
from tests.notifications.stream_events.reader import Reader, answers
from tests.server.darbar import free_port, wait_until

NOT_READY: Final = 503


@dataclass(frozen=True)
class StreamServer:
    """An event stream that runs in a thread."""

    port: int
    end: Callable[[], None]


@pytest.fixture
def stream_server(transactional_db: None, settings: Any) -> Iterator[StreamServer]:
    """An event stream on the tests' database.

    Each test has its own: the end of a test empties all tables, the epoch's too.
    """
    settings.CONNECTIONS_PER_ADDRESS = 1000
    at, loop = free_port(), asyncio.new_event_loop()
    over = asyncio.Event()

    def run() -> None:
        loop.run_until_complete(serve_streams("127.0.0.1", at, over))
        loop.run_until_complete(loop.shutdown_default_executor())
        loop.close()

    thread = threading.Thread(target=run, name="stream")
    thread.start()
    wait_until(lambda: answers(at) == 401, "the stream is served", 30)

    def end() -> None:
        if thread.is_alive():
            loop.call_soon_threadsafe(over.set)
            thread.join(30)
        assert not thread.is_alive()

    yield StreamServer(at, end)
    end()


@pytest.fixture
def port(stream_server: StreamServer) -> int:
    """The port of an event stream."""
    return stream_server.port


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

    def new_game(account: Account, last: str = "", **how: Any) -> Reader:
        token = how.get("token") or tokens.issue(account, "test", ["games:read"])[1]
        opened.append(stream := Reader(port, token, last))
        if stream.status != NOT_READY:
            return stream
        time.sleep(0.1)
        return new_game(account, last, token=token)

    yield new_game
    for reader in opened:
        reader.close()
