"""A slow, idle or greedy client loses its connection, without effects on other clients."""

import asyncio
import time
from collections.abc import Iterator
from contextlib import suppress
from typing import Any

import pytest

from accounts.rate_limits import NetworkLimits
from config.server import serving
from tests.examples import read_examples
from tests.server.darbar import wait_until
from tests.server.serving import PATIENCE, Client, Served, echo, endless, served, slow

EXAMPLES = read_examples(__file__)

GET = "GET / HTTP/1.1\nHost: h\n\n"


@pytest.fixture(scope="module")
def quick() -> Iterator[pytest.MonkeyPatch]:
    """Deadlines of about a second."""
    with pytest.MonkeyPatch.context() as patch:
        for deadline in ("HEAD", "BODY", "ANSWER", "IDLE"):
            patch.setattr(serving, deadline, 1.0)
        yield patch


@pytest.fixture(scope="module")
def server(quick: pytest.MonkeyPatch) -> Iterator[Served]:
    with served(echo) as at:
        yield at


def test_who_sends_nothing_is_cut(server: Served) -> None:
    assert server.connect().is_cut()


@pytest.mark.parametrize(
    "beginning",
    ["G", "GET / HTTP/1.1\nHost: h\n", "POST / HTTP/1.1\nHost: h\nContent-Length: 1000000\n\nx"],
    ids=["the first byte", "a part of the head", "a byte of the body"],
)
def test_who_does_not_go_on_is_cut(server: Served, beginning: str) -> None:
    client = server.connect()
    client.send(beginning)
    assert client.is_cut()


@pytest.mark.parametrize(
    ("beginning", "byte"),
    [
        ("GET / HTTP/1.1\nHost: h\nX: ", "x"),
        ("POST / HTTP/1.1\nHost: h\nContent-Length: 1000000\n\n", "x"),
        ("POST / HTTP/1.1\nHost: h\nTransfer-Encoding: chunked\n\n", "1\nx\n"),
        (GET, "\n"),
    ],
    ids=["a head", "a body", "chunks", "empty lines between requests"],
)
def test_who_goes_on_byte_by_byte_is_cut_all_the_same(server: Served, beginning: str, byte: str) -> None:
    client = server.connect()
    client.send(beginning)
    ends = time.monotonic() + PATIENCE
    while not _has_ended(client, byte):
        assert time.monotonic() < ends


def _has_ended(client: Client, byte: str) -> bool:
    """Return whether the server has closed the connection; another byte is sent to it if not."""
    client.wire.settimeout(0.1)
    try:
        client.send(byte)
        return not client.wire.recv(65536)
    except TimeoutError:
        return False
    except ConnectionError:
        return True


def test_a_connection_that_is_kept_without_a_request_is_closed(server: Served) -> None:
    client = server.connect()
    client.send(GET)
    assert client.answer()[0] == 200
    assert client.is_cut()


def test_who_is_waiting_for_us_is_not_cut(quick: pytest.MonkeyPatch) -> None:
    with served(slow) as server:
        client = server.connect()
        client.send(GET + GET)
        assert [client.answer()[0], client.answer()[0]] == [200, 200]


def test_who_does_not_read_the_answer_is_cut(quick: pytest.MonkeyPatch) -> None:
    with served(endless) as server:
        client = server.connect()
        client.send(GET)
        wait_until(lambda: server.limits.count == 1, "the connection is made")
        wait_until(lambda: server.limits.count == 0, "the connection is cut")


def test_little_of_an_answer_is_stored_for_a_client_that_does_not_read(quick: pytest.MonkeyPatch) -> None:
    pieces = 0

    async def long_answer(scope: Any, receive: Any, send: Any) -> None:
        nonlocal pieces
        await receive()  # the end of the request
        is_cut = asyncio.create_task(receive())
        await send({"type": "http.response.start", "status": 200, "headers": []})
        while not is_cut.done():
            await send({"type": "http.response.body", "body": bytes(serving.PIECE), "more_body": True})
            pieces += serving.PIECE
            await asyncio.sleep(0)
        await send({"type": "http.response.body"})

    with served(long_answer) as server:
        server.connect(buffer=2048).send(GET)
        wait_until(lambda: pieces > 0, "the response begins")
        wait_until(lambda: server.limits.count == 0, "the connection is cut")
    assert pieces < 1_000_000


@pytest.mark.parametrize("requests", [1, 3])
def test_a_client_that_hangs_up_in_the_midst_of_an_answer_is_no_error(
    requests: int, caplog: pytest.LogCaptureFixture
) -> None:
    with served(endless) as server:
        client = server.connect()
        client.send(GET * requests)
        assert client.wire.recv(100)
        client.close()
        tasks = server.server.server_state.tasks
        wait_until(lambda: (server.limits.count, len(tasks)) == (0, 0), "the request is over")
    assert caplog.records == []


def test_a_client_that_is_cut_in_the_midst_of_an_answer_is_no_error(
    quick: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    with served(endless) as server:
        for _ in range(5):
            server.connect(buffer=2048).send(GET * 3)
        tasks = server.server.server_state.tasks
        wait_until(lambda: len(tasks) == 5, "they are in progress")
        wait_until(lambda: (server.limits.count, len(tasks)) == (0, 0), "they are cut")
    assert caplog.records == []


def test_a_server_that_ends_gives_up_what_takes_too_long_and_logs_no_error(
    monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    monkeypatch.setattr(serving, "GRACE", 1.0)

    async def lasting(scope: Any, receive: Any, send: Any) -> None:
        await send({"type": "http.response.start", "status": 200, "headers": []})
        await asyncio.sleep(PATIENCE)

    with served(lasting) as server:
        client = server.connect()
        client.send(GET)
        assert client.wire.recv(100)
    assert caplog.records == []


def test_who_reads_on_gets_a_long_answer(server: Served) -> None:
    client = server.connect()
    body = "x" * 2_000_000
    client.send(f"POST / HTTP/1.1\nHost: h\nContent-Length: {len(body)}\n\n{body}")
    assert client.answer()[2] == body.encode()


@pytest.mark.parametrize(
    "head",
    [
        "GET / HTTP/1.1\nHost: h\n" + "".join(f"X-{n}: x\n" for n in range(150)),
        "GET / HTTP/1.1\nHost: h\nX: " + "x" * 40_000 + "\n",
        f"GET /{'x' * 40_000} HTTP/1.1\nHost: h\n",
        "GET / HTTP/1.1\nHost: h\nX: " + "x" * 600_000,
    ],
    ids=["many headers", "a long header", "a long path", "a header without end"],
)
def test_a_head_that_is_too_large_is_refused(server: Served, head: str) -> None:
    client = server.connect()
    with suppress(ConnectionError):  # Data in transit can be lost with the answer when the connection closes.
        client.send(head + "\n")
        assert client.answer()[0] == 400
    assert client.is_cut()


def test_requests_that_are_sent_at_once_are_answered_in_order_up_to_a_number(server: Served) -> None:
    client = server.connect()
    posts = [f"POST / HTTP/1.1\nHost: h\nContent-Length: 1\n\n{n}" for n in range(5)]
    client.send("".join(posts))
    assert [client.answer()[2] for _ in posts] == [b"0", b"1", b"2", b"3", b"4"]
    client.send(GET * 1000)
    assert client.is_cut()


@pytest.mark.parametrize("head", EXAMPLES["ambiguous_heads"])
def test_what_two_servers_could_read_in_two_ways_is_refused(server: Served, head: str) -> None:
    client = server.connect()
    client.send(head)
    with suppress(ConnectionError):
        assert client.answer()[0] == 400
    assert client.is_cut()


def test_a_client_that_would_rather_speak_another_protocol_is_answered_in_this_one(server: Served) -> None:
    upgrade = "Connection: Upgrade, HTTP2-Settings\nUpgrade: h2c\nHTTP2-Settings: AAMAAABkAAQCAAAAAAIAAAAA\n"
    client = server.connect()
    client.send(f"POST / HTTP/1.1\nHost: h\n{upgrade}Content-Length: 4\n\nabcd")
    assert client.answer()[2] == b"abcd"
    assert server.ask(f"GET / HTTP/1.1\nHost: h\n{upgrade}\n")[0] == 200


def test_a_client_that_asks_whether_to_send_its_body_is_told_to(server: Served) -> None:
    client = server.connect()
    client.send("POST / HTTP/1.1\nHost: h\nExpect: 100-continue\nContent-Length: 4\n\n")
    assert client.answer()[0] == 100
    client.send("abcd")
    assert client.answer()[2] == b"abcd"


def test_over_its_share_an_address_is_refused_and_another_is_served() -> None:
    with served(echo, NetworkLimits(total=10, per_address=2)) as server:
        connections = [server.connect("127.0.0.2") for _ in range(2)]
        for client in connections:
            client.send(GET)
            assert client.answer()[0] == 200
        assert server.connect("127.0.0.2").is_cut()
        assert server.ask(GET, "127.0.0.3")[0] == 200
        connections[0].close()
        wait_until(lambda: server.limits.held_by("127.0.0.2") == 1, "the connection is gone")
        assert server.ask(GET, "127.0.0.2")[0] == 200


def test_where_all_places_are_taken_the_greediest_network_gives_one_to_another() -> None:
    with served(echo, NetworkLimits(total=6, per_address=5)) as server:
        greedy = [server.connect("127.0.0.2") for _ in range(5)]
        modest = server.connect("127.0.0.3")
        wait_until(lambda: server.limits.count == 6, "all places are taken")
        assert server.ask(GET, "127.0.0.4")[0] == 200
        modest.send(GET)
        assert modest.answer()[0] == 200
        open_ = [client for client in greedy if not _has_ended(client, "")]
        assert len(open_) == 4
        assert server.connect("127.0.0.2").is_cut(), "it takes no place of its own"


@pytest.mark.parametrize("network", ["203.0.113.{}", "2001:db8:9:{:x}00::1"], ids=["/24", "/48"])
def test_behind_a_proxy_the_clients_that_it_names_are_counted(network: str, settings: Any) -> None:
    settings.ALLAUTH_TRUSTED_PROXY_COUNT = 1

    def post(client: str) -> str:
        return f"POST / HTTP/1.1\nHost: h\nX-Forwarded-For: {client}\nContent-Length: 10\n\n"

    with served(echo, NetworkLimits(total=100, per_address=1)) as server:
        greedy = [server.connect() for _ in range(8)]
        for number, client in enumerate(greedy):
            client.send(post(network.format(number)))
        refused = [client for client in greedy if _has_ended(client, "")]
        assert len(refused) == 4, "a network has the shares of four addresses"
        for client in ("198.51.100.7", network.format(9)):
            assert server.ask(f"{post(client)}0123456789")[2] == b"0123456789"
        last = server.connect()
        last.send(post("198.51.100.7"))
        wait_until(lambda: server.limits.held_by("198.51.100.7") == 1, "it has its share")
        status, headers, _ = server.ask(post("198.51.100.7"))
        assert (status, headers["retry-after"]) == (429, "1")


def test_a_request_in_progress_gives_its_place_to_nobody(quick: pytest.MonkeyPatch) -> None:
    with served(slow, NetworkLimits(total=3, per_address=3)) as server:
        working = [server.connect("127.0.0.2") for _ in range(3)]
        for client in working:
            client.send(GET)
        wait_until(lambda: len(server.server.server_state.tasks) == 3, "they are in progress")
        assert server.connect("127.0.0.3").is_cut()
        assert [client.answer()[0] for client in working] == [200, 200, 200]


def test_a_server_that_ends_waits_for_answers_and_not_for_clients() -> None:
    with served(slow) as server:
        late, working = server.connect(), server.connect()
        late.send("POST / HTTP/1.1\nHost: h\nContent-Length: 10\n\nx")
        working.send(GET)
        wait_until(lambda: len(server.server.server_state.tasks) == 2, "they are in progress")
        server.server.end()
        assert working.answer()[0] == 200
        assert late.is_cut()
