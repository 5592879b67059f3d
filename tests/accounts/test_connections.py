"""Open connections are limited for each address and in all."""

import asyncio
import resource
import socket
from collections.abc import Callable, Iterable, Iterator
from contextlib import ExitStack

import pytest

from accounts.rate_limits import (
    LimitedConnection,
    NetworkLimits,
    affordable,
    network_of,
    surroundings_of,
)
from config.core import processes


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


class Place:
    """A connection of which only the counting matters."""

    def __init__(self, address: str, waiting_since: float | None = 0.0) -> None:
        self.address, self.waiting_since = address, waiting_since
        self.is_dropped = False

    def drop(self) -> None:
        self.is_dropped = True


def admitted(limits: NetworkLimits, addresses: Iterable[str]) -> list[bool]:
    """Return which of these connections, which all stay open, are admitted."""
    return [limits.admit(Place(address, None)) for address in addresses]


def test_an_address_has_so_many_and_others_are_not_kept_out() -> None:
    limits = NetworkLimits(total=5, per_address=2)
    assert admitted(limits, ["203.0.113.7"] * 3) == [True, True, False]
    assert admitted(limits, ["203.0.113.8"]) == [True]
    assert (limits.count, limits.held_by("203.0.113.7"), limits.held_by("203.0.113.9")) == (3, 2, 0)


@pytest.mark.parametrize(
    ("addresses", "most"),
    [
        ([f"2001:db8::{number:x}" for number in range(50)], 10),
        ([f"2001:db8:0:{number:x}::1" for number in range(50)], 20),
        ([f"2001:db8:0:{number:x}00::1" for number in range(50)], 40),
        ([f"203.0.113.{number}" for number in range(50)], 40),
        ([f"::ffff:203.0.113.{number}" for number in range(50)], 40),
        ([f"2001:db8:{number:x}::1" for number in range(50)], 500),
    ],
    ids=["one /64", "/64s of one /56", "/56s of one /48", "one /24", "one /24, written as IPv6", "fifty /48s"],
)
def test_a_network_has_a_few_shares_and_leaves_room_for_another(addresses: list[str], most: int) -> None:
    limits = NetworkLimits(total=1000, per_address=10)
    assert sum(admitted(limits, addresses * 10)) == most
    assert admitted(limits, ["198.51.100.7", "2001:db9::1"]) == [True, True]


def test_all_together_have_so_many() -> None:
    limits = NetworkLimits(total=3, per_address=2)
    assert admitted(limits, [f"203.0.{number}.1" for number in range(5)]) == [True, True, True, False, False]


@pytest.mark.parametrize("network", ["127.0.9.{}", "2001:db8:9:{:x}00::1"], ids=["/24", "/48"])
def test_a_full_server_takes_a_place_from_the_greediest_network_for_another(network: str) -> None:
    limits = NetworkLimits(total=8, per_address=2)
    modest = [Place("198.51.100.1"), Place("203.0.113.1")]
    greedy = [Place(network.format(number), 10.0 - number) for number in range(6)]
    assert all(limits.admit(place) for place in [*modest, *greedy])
    newcomer = Place("192.0.2.1")
    assert limits.admit(newcomer)
    assert [place for place in [*modest, *greedy] if place.is_dropped] == [greedy[5]], "it has waited longest"
    assert limits.admit(Place(network.format(7)))
    assert [sum(place.is_dropped for place in places) for places in (greedy, [newcomer, *modest])] == [2, 0]
    assert limits.count == 8


def test_where_everybody_has_one_the_slowest_gives_way() -> None:
    limits = NetworkLimits(total=3, per_address=2)
    places = [Place(f"203.0.{number}.1", since) for number, since in enumerate([7.0, 5.0, None])]
    assert all(limits.admit(place) for place in places)
    assert limits.admit(Place("192.0.2.1", 8.0))
    assert [place.is_dropped for place in places] == [False, True, False]


def test_a_full_network_takes_a_place_from_its_greediest_address() -> None:
    limits = NetworkLimits(total=100, per_address=2)
    places = [Place(f"203.0.113.{number // 2}") for number in range(8)]
    assert all(limits.admit(place) for place in places)
    assert limits.admit(Place("203.0.113.9"))
    assert sum(place.is_dropped for place in places) == 1
    assert limits.held_by("203.0.113.9") == 1


def test_what_the_server_works_on_gives_way_to_nobody() -> None:
    limits = NetworkLimits(total=2, per_address=2)
    places = [Place("203.0.113.1", None), Place("203.0.113.1", None)]
    assert all(limits.admit(place) for place in places)
    assert not limits.admit(Place("192.0.2.1"))
    assert not any(place.is_dropped for place in places)


def test_amounts_are_counted_together_and_given_back_together() -> None:
    limits = NetworkLimits(total=100, per_address=50)
    upload = Place("203.0.113.1")
    assert [limits.admit(upload, 30), limits.admit(upload, 20), limits.admit(upload, 1)] == [True, True, False]
    assert limits.is_full_for("203.0.113.1")
    assert not limits.is_full_for("203.0.113.2")
    limits.release(upload)
    assert (limits.count, limits.held_by("203.0.113.1")) == (0, 0)


def test_a_proxy_of_ours_has_no_share_of_its_own() -> None:
    limits = NetworkLimits(total=10, per_address=2)
    assert admitted(limits, [""] * 11) == [True] * 10 + [False]


def test_one_that_is_released_makes_room() -> None:
    limits = NetworkLimits(total=1, per_address=1)
    first = Place("203.0.113.7", None)
    assert limits.admit(first)
    assert not limits.admit(Place("203.0.113.8"))
    limits.release(first)
    limits.release(first)
    assert limits.admit(Place("203.0.113.8"))


@pytest.fixture
def file_limits() -> Iterator[tuple[int, int]]:
    """This process's limits of open files, given back afterwards."""
    before = resource.getrlimit(resource.RLIMIT_NOFILE)
    yield before
    resource.setrlimit(resource.RLIMIT_NOFILE, before)


def test_the_limit_of_open_files_is_raised_and_leaves_room_for_other_files(file_limits: tuple[int, int]) -> None:
    hard = file_limits[1]
    resource.setrlimit(resource.RLIMIT_NOFILE, (256, hard))
    assert processes.raise_file_limit() == hard
    assert resource.getrlimit(resource.RLIMIT_NOFILE) == (hard, hard)
    assert affordable(10) == 10
    assert hard == resource.RLIM_INFINITY or affordable(hard) == hard - 200


class Greeting(asyncio.Protocol):
    """A server that sends hello, and then echoes its input."""

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        assert isinstance(transport, asyncio.WriteTransport)
        self.transport = transport
        transport.write(b"hello ")

    def data_received(self, data: bytes) -> None:
        self.transport.write(data)


class LimitedGreeting(LimitedConnection, Greeting):
    """The greeting server with limits."""

    def __init__(self, limits: NetworkLimits) -> None:
        self.connection_limits = limits


def test_a_protocol_closes_what_is_over_a_limit_and_serves_the_rest() -> None:
    async def serve(visit: Callable[[int, NetworkLimits], None]) -> None:
        limits = NetworkLimits(total=10, per_address=2)
        server = await asyncio.get_running_loop().create_server(lambda: LimitedGreeting(limits), "127.0.0.1", 0)
        async with server:
            await asyncio.to_thread(visit, server.sockets[0].getsockname()[1], limits)
            while limits.count:
                await asyncio.sleep(0.01)

    def visit(port: int, limits: NetworkLimits) -> None:
        with ExitStack() as opened:

            def connect(address: str) -> socket.socket:
                connection = socket.create_connection(("127.0.0.1", port), 30, (address, 0))
                return opened.enter_context(connection)

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
