"""The outgoing HTTP client: where it goes, where it never goes, and how long it waits."""

import os
import select
import socket
import ssl
import struct
import time
from collections.abc import Callable, Iterator, Sequence
from datetime import UTC, datetime, timedelta
from ipaddress import ip_address
from pathlib import Path
from typing import Any

import pytest
from cryptography import x509
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.x509.oid import NameOID
from dnslib import AAAA, QTYPE, RR, A, DNSRecord
from dnslib.server import BaseResolver, DNSHandler, DNSServer

from notifications.outgoing import (
    MOST_READ,
    Answer,
    Failure,
    OutgoingRequest,
    Unreachable,
    place_of,
    post_all,
    send,
    start_tls,
    tls_context,
)
from tests.notifications.outgoing.receiver import Receiver, listening, receiving

NOWHERE = "2fff::1"
"""A public address that is not in use."""


def outgoing_request(url: str, body: bytes = b"{}") -> OutgoingRequest:
    return OutgoingRequest(url, body, {"Content-Type": "application/json"})


@pytest.fixture
def at_home(settings: Any) -> None:
    """A server that is tried out on one machine."""
    settings.OUTGOING_LOOPBACK = True


@pytest.fixture
def receiver(at_home: None) -> Iterator[Receiver]:
    with receiving() as server:
        yield server


class Changing(BaseResolver):
    """A name server that answers differently each time: the last answer again and again."""

    def __init__(self, *answers: Sequence[str]) -> None:
        self.answers = list(answers)
        self.asked = 0

    def resolve(self, request: DNSRecord, handler: DNSHandler) -> DNSRecord:
        reply = request.reply()
        now = self.answers[min(self.asked, len(self.answers) - 1)]
        self.asked += 1
        for address in now:
            kind, record_data = (QTYPE.AAAA, AAAA(address)) if ":" in address else (QTYPE.A, A(address))
            reply.add_answer(RR(request.q.qname, kind, rdata=record_data, ttl=0))
        return reply


@pytest.fixture
def ask() -> Iterator[Callable[[Changing], Callable[[str, int], Sequence[str]]]]:
    """A resolver that asks a real name server on this machine."""
    servers = []

    def serve(resolver: Changing) -> Callable[[str, int], Sequence[str]]:
        server = DNSServer(resolver, address="127.0.0.1", port=0)
        servers.append(server)
        server.start_thread()
        port = server.server.server_address[1]

        def resolve(name: str, _: int) -> Sequence[str]:
            return [
                str(record.rdata) for record in DNSRecord.parse(DNSRecord.question(name).send("127.0.0.1", port)).rr
            ]

        return resolve

    yield serve
    for server in servers:
        server.stop()
        server.server.server_close()


@pytest.mark.parametrize(
    ("answers", "failure"),
    [
        ([["127.0.0.1"]], Failure.FORBIDDEN),
        ([["10.0.0.1"]], Failure.FORBIDDEN),
        ([["169.254.169.254"]], Failure.FORBIDDEN),
        ([["::ffff:7f00:1"]], Failure.FORBIDDEN),
        ([["64:ff9b::7f00:1"]], Failure.FORBIDDEN),
        ([[NOWHERE, "127.0.0.1"]], Failure.FORBIDDEN),
        ([["127.0.0.1", NOWHERE]], Failure.FORBIDDEN),
        ([[NOWHERE], ["127.0.0.1"]], None),
        ([[]], Failure.UNKNOWN),
    ],
)
def test_a_name_that_leads_home_is_never_connected_to_whatever_it_answers_later(
    ask: Any, answers: list[list[str]], failure: Failure | None
) -> None:
    resolver = Changing(*answers)
    resolve = ask(resolver)
    with listening(lambda wire: None) as (port, met):
        url = f"https://hooks.darbar.org:{port}/"
        place_of(url)  # The checks of a registration.
        with pytest.raises(Unreachable) as error:
            send(outgoing_request(url), resolve, patience=0.3)
    assert not met
    assert resolver.asked == 1, "what was checked is what is connected to"
    assert failure in (None, error.value.failure)
    assert failure is not None or error.value.failure is not Failure.FORBIDDEN


def test_a_name_that_was_public_and_leads_home_now_is_refused_when_it_is_called(ask: Any) -> None:
    resolve = ask(Changing([NOWHERE], ["127.0.0.1"]))
    with listening(lambda wire: None) as (port, met):
        failures = []
        for _ in range(2):
            with pytest.raises(Unreachable) as error:
                send(outgoing_request(f"https://hooks.darbar.org:{port}/"), resolve, patience=0.3)
            failures.append(error.value.failure)
    assert not met
    assert failures[0] is not Failure.FORBIDDEN
    assert failures[1] is Failure.FORBIDDEN


def test_a_host_that_is_written_as_an_address_of_ours_is_not_even_resolved() -> None:
    def never(name: str, port: int) -> Sequence[str]:
        raise AssertionError(name)

    for url in ("https://127.0.0.1/", "https://[::1]/", "http://hooks.darbar.org/", "https://0x7f.1/"):
        with pytest.raises(Unreachable) as error:
            send(outgoing_request(url), never)
        assert error.value.failure is Failure.FORBIDDEN


def test_the_servers_own_machine_is_reached_if_allowed_and_no_other_private_address(receiver: Receiver) -> None:
    assert send(outgoing_request(receiver.url, b'{"a": 1}')) == Answer(204)
    assert receiver.taken[0].body == b'{"a": 1}'
    assert receiver.taken[0].headers["host"] == f"localhost:{receiver.port}"
    for address in ("10.0.0.1", "127.0.0.2", NOWHERE):
        with pytest.raises(Unreachable) as error:
            send(outgoing_request(receiver.url), lambda name, port, address=address: [address])
        assert error.value.failure is Failure.FORBIDDEN


def test_a_public_name_never_leads_to_this_machine_even_where_that_may_be_called(receiver: Receiver) -> None:
    for url in (f"http://hooks.darbar.org:{receiver.port}/", f"https://hooks.darbar.org:{receiver.port}/"):
        with pytest.raises(Unreachable) as error:
            send(outgoing_request(url), lambda name, port: ["127.0.0.1"])
        assert error.value.failure is Failure.FORBIDDEN
    assert not receiver.taken


def test_a_port_of_another_service_is_not_connected_to() -> None:
    with pytest.raises(Unreachable) as error:
        send(outgoing_request("https://hooks.darbar.org:25/"), lambda name, port: [NOWHERE])
    assert error.value.failure is Failure.FORBIDDEN


def test_a_redirect_is_not_followed(receiver: Receiver) -> None:
    receiver.answers = [307]
    receiver.headers = {"Location": f"http://localhost:{receiver.port}/elsewhere"}
    answer = send(outgoing_request(receiver.url))
    assert (answer.status, answer.is_accepted) == (307, False)
    assert [request.path for request in receiver.taken] == ["/hook"]


def test_a_proxy_in_the_environment_is_not_asked(receiver: Receiver, monkeypatch: pytest.MonkeyPatch) -> None:
    with listening(lambda wire: None) as (port, met):
        for name in ("http_proxy", "https_proxy", "all_proxy", "HTTP_PROXY", "HTTPS_PROXY", "ALL_PROXY"):
            monkeypatch.setenv(name, f"http://127.0.0.1:{port}")
        assert send(outgoing_request(receiver.url)).is_accepted
    assert not met


def test_of_a_long_answer_only_its_beginning_is_read(receiver: Receiver) -> None:
    receiver.answers, receiver.body = [200], b"a" * 1_000_000
    assert len(send(outgoing_request(receiver.url)).body) == MOST_READ


def _dribble(wire: socket.socket) -> None:
    wire.recv(1000)
    wire.sendall(b"HTTP/1.1 200 OK\r\n")
    for _ in range(400):
        time.sleep(0.05)
        wire.sendall(b"a")


def _stay_silent(wire: socket.socket) -> None:
    while wire.recv(1000):
        pass


@pytest.mark.parametrize("talk", [_dribble, _stay_silent], ids=["byte by byte", "silent"])
@pytest.mark.parametrize("scheme", ["http", "https"])
def test_who_answers_too_slowly_is_left_in_time(at_home: None, talk: Any, scheme: str) -> None:
    with listening(talk) as (port, _):
        began = time.monotonic()
        with pytest.raises(Unreachable) as error:
            send(outgoing_request(f"{scheme}://localhost:{port}/"), lambda name, port: ["127.0.0.1"], patience=0.3)
        took = time.monotonic() - began
    assert took < 10, "the server goes on for 20 seconds"
    assert error.value.failure in (Failure.TIMEOUT, Failure.INSECURE)
    assert scheme == "https" or error.value.failure is Failure.TIMEOUT


def test_a_connection_that_is_reset_before_the_tls_handshake_leaves_no_socket_open() -> None:
    with socket.create_server(("127.0.0.1", 0)) as listener:
        wire = socket.create_connection(listener.getsockname())
        peer, _ = listener.accept()
        peer.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))  # close() sends a reset
        peer.close()
        select.select([wire], [], [])
        descriptor = wire.fileno()
        with pytest.raises(ConnectionResetError) as failure:
            start_tls(wire, "localhost")
    with pytest.raises(OSError, match="Bad file descriptor"):
        os.fstat(descriptor)
    assert failure.value.__traceback__  # it still refers to the socket: so the collector has not closed it


def test_what_is_no_http_and_nobody_at_all_are_told_apart(at_home: None) -> None:
    def talk(wire: socket.socket) -> None:
        wire.recv(1000)
        wire.sendall(b"220 mail.darbar.org ready\r\n")

    with listening(talk) as (port, _), pytest.raises(Unreachable) as error:
        send(outgoing_request(f"http://127.0.0.1:{port}/"))
    assert error.value.failure is Failure.NOT_HTTP
    with pytest.raises(Unreachable) as error:
        send(outgoing_request(f"http://127.0.0.1:{port}/"))
    assert error.value.failure is Failure.SILENT


def certificate(folder: Path, name: str) -> tuple[Path, ssl.SSLContext]:
    """A certificate for a name that vouches for itself: as a file, and as a server shows it."""
    key = ec.generate_private_key(ec.SECP256R1())
    subject = x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, name)])
    now = datetime.now(UTC)
    signed_certificate = (
        x509.CertificateBuilder()
        .subject_name(subject)
        .issuer_name(subject)
        .public_key(key.public_key())
        .serial_number(1)
        .not_valid_before(now - timedelta(days=1))
        .not_valid_after(now + timedelta(days=1))
        .add_extension(x509.BasicConstraints(ca=True, path_length=None), critical=True)
        .add_extension(x509.SubjectAlternativeName([x509.DNSName(name)]), critical=False)
        .sign(key, hashes.SHA256())
    )
    path = folder / f"{name}.pem"
    pem = key.private_bytes(serialization.Encoding.PEM, serialization.PrivateFormat.PKCS8, serialization.NoEncryption())
    path.write_bytes(signed_certificate.public_bytes(serialization.Encoding.PEM) + pem)
    context = ssl.create_default_context(ssl.Purpose.CLIENT_AUTH)
    context.load_cert_chain(path)
    return path, context


@pytest.mark.parametrize(("name", "trusted", "is_taken"), [("localhost", True, True), ("localhost", False, False),
                                                        ("hooks.darbar.org", True, False)])  # fmt: skip
def test_a_certificate_must_be_valid_for_the_name_though_the_connection_goes_to_an_address(
    at_home: None, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, name: str, trusted: bool, is_taken: bool
) -> None:
    file, context = certificate(tmp_path, name)
    if trusted:
        monkeypatch.setenv("SSL_CERT_FILE", str(file))
    tls_context.cache_clear()
    with receiving(context) as receiver:
        if is_taken:
            assert send(outgoing_request(receiver.url)).is_accepted
        else:
            with pytest.raises(Unreachable) as error:
                send(outgoing_request(receiver.url))
            assert error.value.failure is Failure.CERTIFICATE
            assert not receiver.taken
    tls_context.cache_clear()


def test_requests_are_posted_side_by_side_and_answered_in_their_order(receiver: Receiver) -> None:
    receiver.answers = [500]
    with receiving() as other:
        outcomes = post_all([outgoing_request(url) for url in (other.url, receiver.url, other.url)])
    assert outcomes == [Answer(204), Answer(500), Answer(204)]
    assert post_all([]) == []
    assert ip_address(NOWHERE).is_global
