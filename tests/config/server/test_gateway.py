"""A request takes a thread when its whole body is here; one client leaves room for the others."""

import io
import threading
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from typing import Any
from wsgiref.util import FileWrapper

import pytest

from config.server import gateway
from config.server.gateway import FairThreads, Gateway
from config.server.middleware import LARGEST
from games.api.shared.responses import BEGIN_TO_WAIT
from tests.server.darbar import wait_until
from tests.server.serving import PATIENCE, Served, served

THREADS = 3
GET = "GET / HTTP/1.1\nHost: h\n\n"
LARGE = 200_000
ENDLESS = b"x" * 30_000_000
"""More than a socket holds."""


class Application:
    """A WSGI application that records its requests, and waits on request."""

    def __init__(self) -> None:
        self.goes_on = threading.Event()
        self.asked: list[dict[str, Any]] = []
        self.file = io.BytesIO()

    def __call__(self, environ: dict[str, Any], start: Callable[..., Any]) -> Iterable[bytes]:
        self.asked.append(environ)
        if environ["PATH_INFO"] == "/poll":
            environ[BEGIN_TO_WAIT]()
        if environ["PATH_INFO"] in ("/wait", "/poll"):
            assert self.goes_on.wait(PATIENCE)
        if environ["PATH_INFO"] == "/file":
            start("200 OK", [("Content-Length", "1000000")])
            self.file = io.BytesIO(b"x" * 1_000_000)
            return FileWrapper(self.file)
        if environ["PATH_INFO"] == "/endless":
            start("200 OK", [("Content-Length", str(len(ENDLESS)))])
            return [ENDLESS]
        body = environ["wsgi.input"].read()
        start("200 OK", [("Content-Length", str(len(body)))])
        return [body]

    @property
    def last(self) -> dict[str, Any]:
        return self.asked[-1]


@pytest.fixture
def application() -> Application:
    return Application()


@contextmanager
def serving(application: Application, most_of_one: int = 50) -> Iterator[Served]:
    threads = FairThreads(THREADS, THREADS - 1)
    with served(Gateway(application, threads, most_of_one)) as server:
        try:
            yield server
        finally:
            application.goes_on.set()


@pytest.fixture
def server(application: Application) -> Iterator[Served]:
    with serving(application) as at:
        yield at


def test_bodies_that_do_not_come_hold_no_thread(server: Served) -> None:
    for _ in range(THREADS * 5):
        server.connect().send("POST / HTTP/1.1\nHost: h\nContent-Length: 1000000\n\nx")
    assert server.ask(GET)[0] == 200


def test_an_answer_that_is_not_read_holds_no_thread(server: Served) -> None:
    for _ in range(THREADS * 5):
        server.connect().send("GET /file HTTP/1.1\nHost: h\n\n")
    assert server.ask(GET)[0] == 200


def test_a_body_is_handed_over_as_a_whole(application: Application, server: Served) -> None:
    body = "x" * LARGE
    client = server.connect()
    client.send(f"POST /a%20b/%D8%A8?c=%20d HTTP/1.1\nHost: h\nContent-Length: {LARGE}\n\n{body[:1000]}")
    client.send(body[1000:])
    assert client.answer()[2] == body.encode()
    assert application.last["CONTENT_LENGTH"] == str(LARGE)
    assert application.last["PATH_INFO"].encode("latin-1").decode() == "/a b/ب"
    assert application.last["QUERY_STRING"] == "c=%20d"


def test_a_body_in_chunks_gets_a_length(application: Application, server: Served) -> None:
    answer = server.ask("POST / HTTP/1.1\nHost: h\nTransfer-Encoding: chunked\n\n3\nabc\n2\nde\n0\n\n")
    assert answer[2] == b"abcde"
    assert application.last["CONTENT_LENGTH"] == "5"


@pytest.mark.parametrize("how", ["Content-Length: 3000000", "Transfer-Encoding: chunked"])
def test_a_body_that_is_too_large_is_not_kept_and_its_length_is_told(
    application: Application, server: Served, how: str
) -> None:
    client = server.connect()
    body = "x" * 3_000_000
    client.send(f"POST / HTTP/1.1\nHost: h\n{how}\n\n" + (f"2dc6c0\n{body}\n0\n\n" if "chunked" in how else body))
    assert client.answer()[0] == 200
    assert application.last["wsgi.input"].getvalue() == b""
    assert int(application.last["CONTENT_LENGTH"]) > LARGEST
    client.send(GET)
    assert client.answer()[0] == 200, "the connection goes on after it"


def test_only_mail_providers_that_are_known_may_send_whole_mails(
    application: Application, server: Served, settings: Any
) -> None:
    post = "POST /anymail/postal/inbound/ HTTP/1.1\nHost: h\nContent-Length: 3000000\n\n" + "x" * 3_000_000
    assert server.ask(post)[2] == b""
    settings.MAIL_WEBHOOKS = {("postal", "inbound"): {}}
    assert len(server.ask(post)[2]) == 3_000_000


def test_headers_reach_the_application_and_none_passes_for_another(application: Application, server: Served) -> None:
    headers = "Accept: a\nAccept: b\nCookie: c=1\nCookie: d=2\nX-Forwarded-For: 1\nX_Forwarded_For: 2\nContent-Type: t"
    server.ask(f"GET / HTTP/1.1\nHost: h\n{headers}\n\n")
    seen_headers = {name: value for name, value in application.last.items() if name.startswith(("HTTP_", "CONTENT_"))}
    assert seen_headers == {
        "HTTP_HOST": "h",
        "HTTP_ACCEPT": "a,b",
        "HTTP_COOKIE": "c=1; d=2",
        "HTTP_X_FORWARDED_FOR": "1",
        "CONTENT_TYPE": "t",
    }


def test_a_file_is_sent_and_closed(application: Application, server: Served) -> None:
    assert server.ask("GET /file HTTP/1.1\nHost: h\n\n")[2] == b"x" * 1_000_000
    wait_until(lambda: application.file.closed, "the file is closed")


def test_a_head_alone_is_sent_where_it_is_asked_for(server: Served) -> None:
    client = server.connect()
    client.send("HEAD /file HTTP/1.1\nHost: h\n\n")
    status, headers, _ = client.answer(has_body=False)
    assert (status, headers["content-length"]) == (200, "1000000")
    client.send(GET)
    assert client.answer()[0] == 200


def test_a_client_without_a_body_to_send_is_answered_before_it_does(application: Application, server: Served) -> None:
    client = server.connect()
    client.send("POST / HTTP/1.1\nHost: h\nExpect: 100-continue\nContent-Length: 3000000\n\n")
    assert client.answer()[0] == 200, "and not 100: what is too large is not to be sent"
    assert client.is_cut()


def test_one_network_leaves_a_thread_and_its_turn_to_another(application: Application, server: Served) -> None:
    for number in range(THREADS + 5):
        server.connect(f"127.0.9.{number + 1}").send("GET /wait HTTP/1.1\nHost: h\n\n")
    wait_until(lambda: len(application.asked) == THREADS - 1, "it has all the threads it may have")
    assert server.ask(GET, "127.0.0.3")[0] == 200
    assert len(application.asked) == THREADS
    application.goes_on.set()
    wait_until(lambda: len(application.asked) == THREADS + 6, "the others had their turn")


def test_a_waiting_request_leaves_its_share_to_another_of_its_network(application: Application, server: Served) -> None:
    for number in range(THREADS - 1):
        server.connect(f"127.0.9.{number + 1}").send("GET /poll HTTP/1.1\nHost: h\n\n")
    wait_until(lambda: len(application.asked) == THREADS - 1, "they wait in threads")
    assert [server.ask(GET, "127.0.9.8")[0] for _ in range(THREADS)] == [200] * THREADS
    for number in range(2):
        server.connect(f"127.0.9.{number + 10}").send("GET /wait HTTP/1.1\nHost: h\n\n")
    wait_until(lambda: len(application.asked) == 2 * THREADS, "only one thread was free")
    application.goes_on.set()
    wait_until(lambda: len(application.asked) == 2 * THREADS + 1, "the other had its turn")


def test_one_address_has_so_many_requests_in_progress(application: Application) -> None:
    with serving(application, most_of_one=5) as server:
        for _ in range(5):
            server.connect("127.0.0.2").send("GET /wait HTTP/1.1\nHost: h\n\n")
        wait_until(lambda: len(application.asked) == THREADS - 1, "they are in progress")
        status, headers, body = server.ask("GET / HTTP/1.1\nHost: h\nAccept-Language: fa\n\n", "127.0.0.2")
        assert (status, headers["retry-after"], headers["connection"]) == (429, "1", "close")
        assert headers["access-control-expose-headers"] == "Retry-After"
        assert "rate-limited" in body.decode()
        assert "درخواست" in body.decode()
        assert server.ask(GET, "127.0.9.3")[0] == 200, "a thread is left for other networks"
        application.goes_on.set()
        wait_until(lambda: server.ask(GET, "127.0.9.1")[0] == 200, "there is room again")


def test_all_together_have_so_many_requests_in_progress(
    application: Application, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(gateway, "MOST_REQUESTS", 2)
    with serving(application) as server:
        for address in ("127.0.0.2", "127.0.0.3"):
            server.connect(address).send("GET /wait HTTP/1.1\nHost: h\n\n")
        wait_until(lambda: len(application.asked) == 2, "they are in progress")
        status, headers, _ = server.ask(GET, "127.0.0.4")
        assert (status, headers["retry-after"]) == (503, "1"), "both are in a thread"


def test_bodies_that_do_not_come_take_no_slot(application: Application, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(gateway, "MOST_REQUESTS", 2)
    with serving(application) as server:
        for number in range(10):
            server.connect(f"127.0.9.{number + 1}").send("POST / HTTP/1.1\nHost: h\nContent-Length: 500\n\n{")
        assert server.ask(GET, "127.0.2.1")[0] == 200


def test_where_all_slots_are_taken_the_greediest_network_gives_one_to_another(
    application: Application, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(gateway, "MOST_REQUESTS", THREADS + 3)
    with serving(application) as server:
        waiting = [server.connect(f"127.0.9.{number + 1}") for number in range(THREADS + 3)]
        for client in waiting:
            client.send("GET /wait HTTP/1.1\nHost: h\n\n")
        requests = server.server.config.app._requests
        wait_until(lambda: requests.count == THREADS + 3, "all slots are taken")
        assert server.ask(GET, "127.0.2.1")[0] == 200
        application.goes_on.set()
        assert sorted(client.answer()[0] for client in waiting) == [200] * (THREADS + 2) + [429]


def test_answers_that_nobody_reads_give_their_slots_to_others(
    application: Application, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(gateway, "MOST_REQUESTS", 4)
    with serving(application) as server:
        for number in range(8):
            # Pipelined requests are dropped together with an answer that is not read.
            server.connect(f"127.0.9.{number + 1}", 2048).send("GET /endless HTTP/1.1\nHost: h\n\n" * 3)
        wait_until(lambda: len(application.asked) >= 4, "answers wait to be read")
        wait_until(lambda: server.ask(GET, "127.0.2.1")[0] == 200, "there is room")


def test_the_bytes_that_are_held_are_limited_and_small_requests_pass(
    application: Application, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(gateway, "MOST_HELD", 2 * LARGE)
    monkeypatch.setattr(gateway, "MOST_HELD_OF_ONE", LARGE)
    body = "x" * LARGE

    def send(address: str, length: int = LARGE) -> tuple[int, dict[str, str], bytes]:
        client = server.connect(address)
        client.send(f"POST / HTTP/1.1\nHost: h\nContent-Length: {length}\n\n{body[: LARGE - 1]}")
        return client.answer()

    with serving(application) as server:
        connections = [server.connect(address) for address in ("127.0.0.2", "127.0.0.3")]
        memory = server.server.config.app._bytes
        # The first one has waited longest for its client.
        for number, client in enumerate(connections, start=1):
            client.send(f"POST / HTTP/1.1\nHost: h\nContent-Length: {LARGE}\n\n{body[1:]}")
            wait_until(lambda bodies=number: memory.count >= bodies * (LARGE - 1 - gateway.UNCOUNTED), "it is held")
        assert send("127.0.0.2")[0] == 429
        assert server.ask("POST / HTTP/1.1\nHost: h\nContent-Length: 4\n\nabcd", "127.0.0.2")[2] == b"abcd"
        post = f"POST / HTTP/1.1\nHost: h\nContent-Length: {LARGE}\n\n{body}"
        assert server.ask(post, "127.0.7.4")[0] == 200, "the slowest body of the greediest network has made room"
        assert connections[0].answer()[0] == 429
        connections[1].send("x")
        assert connections[1].answer()[0] == 200
        wait_until(lambda: memory.count == 0, "nothing is held")


def test_a_client_that_goes_away_leaves_nothing_behind(application: Application, server: Served) -> None:
    client = server.connect()
    client.send(f"POST / HTTP/1.1\nHost: h\nContent-Length: {LARGE}\n\n{'x' * (LARGE - 1)}")
    gateway = server.server.config.app
    wait_until(lambda: gateway._bytes.count > 0, "its body is held")
    client.close()
    wait_until(lambda: (gateway._bytes.count, gateway._requests.count) == (0, 0), "nothing is held")
    assert application.asked == []


def test_behind_a_proxy_clients_are_told_apart_by_what_it_says(application: Application, settings: Any) -> None:
    settings.ALLAUTH_TRUSTED_PROXY_COUNT = 1
    with serving(application, most_of_one=2) as server:

        def ask(path: str, forwarded: str) -> str:
            return f"GET {path} HTTP/1.1\nHost: h\nX-Forwarded-For: {forwarded}\n\n"

        for _ in range(2):
            server.connect().send(ask("/wait", "203.0.113.9, 203.0.113.7"))
        wait_until(lambda: len(application.asked) == 2, "they are in progress")
        assert server.ask(ask("/", "203.0.113.7"))[0] == 429
        assert server.ask(ask("/", "203.0.113.7, 198.51.100.9"))[0] == 200
