"""HTTP requests to addresses that users choose.

The name is resolved once for each request, and all its addresses must be public. The connection goes to one of these
addresses, while the certificate must be valid for the name. Redirects and proxies are not used, and the answer is
limited in size and time.
"""

import http.client
import socket
import ssl
import threading
import traceback
from collections.abc import Callable, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from dataclasses import dataclass
from enum import StrEnum
from functools import cache
from typing import Final

from django.conf import settings

from notifications.outgoing.address_policy import (
    ForbiddenAddress,
    Place,
    is_loopback,
    is_public,
    is_this_machine,
    place_of,
)

PATIENCE: Final = 10.0
"""Seconds for connecting, sending and the answer, after the name is resolved."""
MOST_READ: Final = 64 * 1024
"""The most bytes that are read of an answer's body."""
SIDE_BY_SIDE: Final = 16
"""The number of servers that are posted to in parallel."""
MOST_TRIED: Final = 3
"""The number of addresses of a name that are tried one after the other."""
_AGENT: Final = "Darbar"
GONE: Final = (404, 410)
"""The status codes for an address that no longer exists."""
REFUSED: Final = (401, 403)
"""The status codes for an invalid secret."""

Resolve = Callable[[str, int], Sequence[str]]
"""A function that returns the addresses of a name. It raises OSError if there are none."""


class Failure(StrEnum):
    """The reason why a request has no answer. The owner of the address sees it, so it describes nothing of this
    server's network.
    """

    FORBIDDEN = "address-not-public"
    UNKNOWN = "name-unknown"
    CERTIFICATE = "certificate-invalid"
    INSECURE = "no-secure-connection"
    TIMEOUT = "no-answer-in-time"
    SILENT = "no-answer"
    NOT_HTTP = "not-http"


class Unreachable(Exception):
    """There was no answer."""

    def __init__(self, failure: Failure) -> None:
        super().__init__(failure.value)
        self.failure = failure


@dataclass(frozen=True)
class OutgoingRequest:
    """A request to be sent."""

    url: str
    body: bytes
    headers: Mapping[str, str]
    method: str = "POST"


@dataclass(frozen=True)
class Answer:
    """The answer to a request."""

    status: int
    body: bytes = b""

    @property
    def is_accepted(self) -> bool:
        """True if the request was accepted. A redirect is not."""
        return 200 <= self.status < 300


Outcome = Answer | Failure


def resolve_name(name: str, port: int) -> Sequence[str]:
    """Return the addresses of a name from this machine's resolver."""
    results = socket.getaddrinfo(name, port, type=socket.SOCK_STREAM, proto=socket.IPPROTO_TCP)
    return [str(address[0]) for *_, address in results]


def send(
    outgoing_request: OutgoingRequest,
    resolve: Resolve = resolve_name,
    patience: float = PATIENCE,
    most_read: int = MOST_READ,
) -> Answer:
    """Send a request once. Raises Unreachable if it is not allowed or there is no answer within ``patience``
    seconds.
    """
    connection = _Pinned(*_allowed(outgoing_request.url, resolve), patience)
    guard = threading.Timer(patience, connection.cut)
    guard.daemon = True
    guard.start()
    try:
        connection.request(
            outgoing_request.method,
            connection.place.path,
            outgoing_request.body or None,
            {"User-Agent": _AGENT, **outgoing_request.headers},
        )
        answer = connection.getresponse()
        body = answer.read(most_read)
        if connection.was_cut:
            raise TimeoutError
        return Answer(answer.status, body)
    except (OSError, http.client.HTTPException) as error:
        raise Unreachable(_failure(error, connection)) from None
    finally:
        guard.cancel()
        connection.close()


def post_all(requests: Sequence[OutgoingRequest], resolve: Resolve = resolve_name) -> list[Outcome]:
    """Post requests in parallel. Return the result of each."""
    if not requests:
        return []
    with ThreadPoolExecutor(SIDE_BY_SIDE, thread_name_prefix="outgoing") as pool:
        return list(pool.map(lambda request: _outcome(request, resolve), requests))


def _outcome(outgoing_request: OutgoingRequest, resolve: Resolve) -> Outcome:
    try:
        return send(outgoing_request, resolve)
    except Unreachable as error:
        return error.failure


def _allowed(url: str, resolve: Resolve) -> tuple[Place, Sequence[str]]:
    """Return the target of a URL and the addresses to connect to. Raises Unreachable if any address is not public."""
    try:
        place = place_of(url, loopback=settings.OUTGOING_LOOPBACK)
        addresses = resolve(place.host, place.port)
    except ForbiddenAddress:
        raise Unreachable(Failure.FORBIDDEN) from None
    except (OSError, UnicodeError):
        raise Unreachable(Failure.UNKNOWN) from None
    if not addresses:
        raise Unreachable(Failure.UNKNOWN)
    # A public name must not lead to this machine, even if this machine may be called by its own name.
    is_allowed = is_loopback if is_this_machine(place.host) else is_public
    if not all(map(is_allowed, addresses)):
        raise Unreachable(Failure.FORBIDDEN)
    return place, addresses[:MOST_TRIED]


def _failure(error: Exception, connection: "_Pinned") -> Failure:
    if connection.was_cut or isinstance(error, TimeoutError):
        return Failure.TIMEOUT
    if isinstance(error, ssl.SSLCertVerificationError):
        return Failure.CERTIFICATE
    if isinstance(error, ssl.SSLError):
        return Failure.INSECURE
    return Failure.SILENT if isinstance(error, OSError) else Failure.NOT_HTTP


@cache
def tls_context() -> ssl.SSLContext:
    """Return the TLS context with this machine's certificate authorities. Cached, because it is slow to create."""
    return ssl.create_default_context()


def start_tls(wire: socket.socket, host: str) -> ssl.SSLSocket:
    """Return the TLS socket of a connection, before its handshake. Raises OSError if the connection is gone."""
    try:
        return tls_context().wrap_socket(wire, server_hostname=host, do_handshake_on_connect=False)
    except OSError as error:
        # If the connection was reset or cut just before, CPython raises from the constructor of SSLSocket. The new
        # object already owns the file descriptor then and is left open. Only the traceback still refers to it.
        for frame, _ in traceback.walk_tb(error.__traceback__):
            if isinstance(unfinished := frame.f_locals.get("self"), ssl.SSLSocket):
                unfinished.close()
        raise


class _Pinned(http.client.HTTPConnection):
    """A connection to one of the checked addresses of a name."""

    def __init__(self, place: Place, addresses: Sequence[str], patience: float) -> None:
        host = f"[{place.host}]" if ":" in place.host else place.host
        super().__init__(host, place.port, timeout=patience)
        self.default_port = 443 if place.is_secure else 80  # The Host header names only other ports.
        self.place = place
        self.was_cut = False
        self._addresses = addresses
        self._wire: socket.socket | None = None

    def connect(self) -> None:
        """Connect without resolving the name again."""
        wire = self._wire = self._connected()
        if self.place.is_secure:
            wire = self._wire = start_tls(wire, self.place.host)
        if self.was_cut:
            wire.close()
            raise TimeoutError
        self.sock = wire
        if isinstance(wire, ssl.SSLSocket):
            wire.do_handshake()

    def _connected(self) -> socket.socket:
        for address in self._addresses[:-1]:
            with suppress(OSError):
                return socket.create_connection((address, self.place.port), self.timeout)
        return socket.create_connection((self._addresses[-1], self.place.port), self.timeout)

    def cut(self) -> None:
        """End the connection from another thread when its time is over, even if bytes still arrive."""
        self.was_cut = True
        if self._wire is not None:
            with suppress(OSError):
                socket.socket.shutdown(self._wire, socket.SHUT_RDWR)
