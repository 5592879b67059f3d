"""Open connections are limited for each address and in all."""

import asyncio
import resource
import socket
from collections.abc import Callable, Iterator
from contextlib import ExitStack

import pytest

from accounts.limits.connections import (
    ConnectionLimits,
    LimitedConnection,
    affordable,
    network_of,
    raise_file_limit,
    surroundings_of,
)


@pytest.mark.parametrize(
    ("address", "network"),
    [
        ("203.0.113.7", "203.0.113.7"),
        ("::ffff:203.0.113.7", "203.0.113.7"),
        ("2001:db8:1:2:3:4:5:6", "2001:db8:1:2::/64"),
        ("2001:db8:1:2::1", "2001:db8:1:2::/64"),
        ("2001:db8:1:3::1", "2001:db8:1:3::/64"),
        ("fe80::1%eth0", "fe80::/64"),
        ("", ""),
    ],
)
def test_a_client_is_its_address_or_its_64(address: str, network: str) -> None:
    assert network_of(address) == network


def test_an_address_lies_in_a_network() -> None:
    assert surroundings_of("192.0.2.7") == surroundings_of("::ffff:192.0.2.9") == "192.0.2.0/24"
    assert surroundings_of("2001:db8:1:2:3:4:5:6") == surroundings_of("2001:db8:1:2::/64") == "2001:db8:1::/48"


def test_an_address_has_so_many_and_others_are_not_kept_out() -> None:
    limits = ConnectionLimits(total=5, per_network=2)
    assert [limits.admit("203.0.113.7") for _ in range(3)] == [True, True, False]
    assert limits.admit("203.0.113.8")
    assert (limits.count, limits.held_by("203.0.113.7"), limits.held_by("203.0.113.9")) == (3, 2, 0)


def test_a_64_has_one_share() -> None:
    limits = ConnectionLimits(total=5, per_network=2)
    assert [limits.admit(f"2001:db8::{number}") for number in (1, 2, 3)] == [True, True, False]


def test_all_together_have_so_many() -> None:
    limits = ConnectionLimits(total=3, per_network=2)
    admitted = [limits.admit(f"203.0.113.{number}") for number in range(5)]
    assert admitted == [True, True, True, False, False]


def test_one_that_is_released_makes_room() -> None:
    limits = ConnectionLimits(total=1, per_network=1)
    assert limits.admit("203.0.113.7")
    assert not limits.admit("203.0.113.7")
    limits.release("203.0.113.7")
    assert limits.admit("203.0.113.8")
    with pytest.raises(KeyError):
        limits.release("203.0.113.7")


@pytest.fixture
def file_limits() -> Iterator[tuple[int, int]]:
    """This process's limits of open files, given back afterwards."""
    before = resource.getrlimit(resource.RLIMIT_NOFILE)
    yield before
    resource.setrlimit(resource.RLIMIT_NOFILE, before)


def test_the_limit_of_open_files_is_raised_and_leaves_room_for_other_files(file_limits: tuple[int, int]) -> None:
    hard = file_limits[1]
    resource.setrlimit(resource.RLIMIT_NOFILE, (256, hard))
    assert raise_file_limit() == hard
    assert resource.getrlimit(resource.RLIMIT_NOFILE) == (hard, hard)
    assert affordable(10) == 10
    assert hard == resource.RLIM_INFINITY or affordable(hard) == hard - 200


class Greeting(asyncio.Protocol):
    """Says hello, then what it hears."""

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        assert isinstance(transport, asyncio.WriteTransport)
        self.transport = transport
        transport.write(b"hello ")

    def data_received(self, data: bytes) -> None:
        self.transport.write(data)


class LimitedGreeting(LimitedConnection, Greeting):
    """The same, with limits."""

    def __init__(self, limits: ConnectionLimits) -> None:
        self.connection_limits = limits


def test_a_protocol_closes_what_is_over_a_limit_and_serves_the_rest() -> None:
    async def serve(visit: Callable[[int, ConnectionLimits], None]) -> None:
        limits = ConnectionLimits(total=10, per_network=2)
        server = await asyncio.get_running_loop().create_server(lambda: LimitedGreeting(limits), "127.0.0.1", 0)
        async with server:
            await asyncio.to_thread(visit, server.sockets[0].getsockname()[1], limits)
            while limits.count:
                await asyncio.sleep(0.01)

    def visit(port: int, limits: ConnectionLimits) -> None:
        with ExitStack() as opened:

            def connect(address: str) -> socket.socket:
                made = socket.create_connection(("127.0.0.1", port), 30, (address, 0))
                return opened.enter_context(made)

            first, second = connect("127.0.0.2"), connect("127.0.0.2")
            assert (first.recv(100), second.recv(100)) == (b"hello ", b"hello ")
            assert connect("127.0.0.2").recv(100) == b""
            assert connect("127.0.0.3").recv(100) == b"hello "
            second.sendall(b"Maryam")
            assert second.recv(100) == b"Maryam"
            first.close()
            while limits.held_by("127.0.0.2") == 2:
                pass
            assert connect("127.0.0.2").recv(100) == b"hello "

    asyncio.run(asyncio.wait_for(serve(visit), 60))
