"""Slow and idle clients of the real server do not disturb players."""

import socket
from collections.abc import Callable, Iterator
from contextlib import ExitStack

import httpx
import pytest

from config.core.processes import raise_file_limit
from tests.notifications.stream_events.reader import answers
from tests.server.darbar import Darbar, wait_until

IDLE = 1100
SLOW_BODIES = 20
ANNOUNCED = (
    b"POST /api/v1/tokens/ HTTP/1.1\r\nHost: localhost\r\n"
    b"Content-Type: application/json\r\nContent-Length: 1000000\r\n\r\n{"
)

Connect = Callable[[int, str], socket.socket]


@pytest.fixture
def connect() -> Iterator[Connect]:
    """Opens connections from addresses of this machine; they are closed after the test."""
    raise_file_limit()
    with ExitStack() as opened:

        def connecting(port: int, source: str) -> socket.socket:
            return opened.enter_context(socket.create_connection(("127.0.0.1", port), 60, (source, 0)))

        yield connecting


def test_bodies_that_do_not_come_hold_up_nobody(running: Darbar, connect: Connect) -> None:
    for _ in range(SLOW_BODIES):
        connect(running.port, "127.0.1.1").sendall(ANNOUNCED)
    assert running.get("/healthz").is_success


def test_bodies_of_ten_addresses_that_do_not_come_hold_up_nobody(running: Darbar, connect: Connect) -> None:
    for number in range(500):
        connect(running.port, f"127.0.9.{number % 10 + 1}").sendall(ANNOUNCED)
    assert running.get("/healthz").is_success


def test_idle_connections_hold_up_nobody(running: Darbar, connect: Connect) -> None:
    for number in range(IDLE):
        for port in (running.port, running.stream_port):
            connect(port, f"127.0.1.{number % 200 + 1}")
    assert running.get("/healthz").is_success
    assert answers(running.stream_port) == 401


def test_one_address_has_a_hundred_connections(running: Darbar, connect: Connect) -> None:
    for port in (running.port, running.stream_port):
        connections = [connect(port, "127.0.1.1") for _ in range(100)]
        assert connect(port, "127.0.1.1").recv(1) == b""
        connections[0].sendall(b"GET /healthz HTTP/1.1\r\nHost: localhost\r\n\r\n")
        assert connections[0].recv(9) == b"HTTP/1.1 "


def test_what_is_too_large_is_refused_in_a_document(running: Darbar) -> None:
    url = f"http://127.0.0.1:{running.port}/api/v1/tokens/"
    for body in (b" " * 3_000_000, iter([b" " * 3_000_000])):
        answer = httpx.post(url, content=body, headers={"Content-Type": "application/json"}, timeout=60)
        assert (answer.status_code, answer.json()["code"]) == (413, "too-large")


def test_a_body_in_chunks_is_read(running: Darbar) -> None:
    url = f"http://127.0.0.1:{running.port}/api/v1/tokens/"
    chunks = iter([b'{"email": "nobody@example.org",', b' "surprise": 1}'])
    answer = httpx.post(url, content=chunks, headers={"Content-Type": "application/json"}, timeout=60)
    assert "#/surprise" in {error["pointer"] for error in answer.json()["errors"]}


def test_the_server_ends_in_spite_of_requests_that_never_end(darbar: Darbar, connect: Connect) -> None:
    darbar.start()
    for _ in range(SLOW_BODIES):
        connect(darbar.port, "127.0.1.1").sendall(ANNOUNCED)
    assert darbar.end() == 0
    wait_until(lambda: darbar.output().endswith("Darbar has stopped.\n"), "it says so")
