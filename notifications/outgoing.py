"""HTTP requests to addresses that users choose, and the rules for such addresses.

``ipaddress.is_global`` alone does not show that an address is public: in some versions of Python it includes multicast,
6to4, NAT64 and mapped addresses, which lead to other networks.

The name is resolved once for each request, and all its addresses must be public. The connection goes to one of these
addresses, while the certificate must be valid for the name. Redirects and proxies are not used, and the answer is
limited in size and time.
"""

import http.client
import re
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
from ipaddress import IPv4Address, IPv6Address, ip_address, ip_network
from typing import Final
from urllib.parse import urlsplit

from django.conf import settings
from django.utils.translation import gettext as _

LONGEST: Final = 2000
"""The most characters of a URL."""

_NOT_PUBLIC: Final = tuple(
    map(
        ip_network,
        (
            # RFC 6890 and the IANA registries for special purposes, IPv4
            "0.0.0.0/8", "10.0.0.0/8", "100.64.0.0/10", "127.0.0.0/8", "169.254.0.0/16", "172.16.0.0/12",
            "192.0.0.0/24", "192.0.2.0/24", "192.31.196.0/24", "192.52.193.0/24", "192.88.99.0/24", "192.168.0.0/16",
            "192.175.48.0/24", "198.18.0.0/15", "198.51.100.0/24", "203.0.113.0/24", "224.0.0.0/4", "240.0.0.0/4",
            "168.63.129.16/32",  # The public metadata address of a cloud provider.
            # within 2000::/3: IETF protocols with Teredo and ORCHID, documentation, 6to4, AS112
            "2001::/23", "2001:db8::/32", "2002::/16", "2620:4f:8000::/48", "3fff::/20",
        ),
    )
)  # fmt: skip
_GLOBAL_UNICAST: Final = ip_network("2000::/3")
"""The allocated part of IPv6. Mapped, compatible, NAT64, local and multicast addresses are outside of it."""
_LABEL: Final = re.compile(r"(?!-)[a-z0-9-]{1,63}(?<!-)")
_NUMBER: Final = re.compile(r"[0-9]+|0x[0-9a-f]*")
_PRIVATE_TOP_LEVELS: Final = frozenset(
    (
        *("alt", "arpa", "corp", "home", "internal", "intranet", "invalid", "lan", "local", "localdomain", "localhost"),
        *("onion", "private", "test"),
    )
)
"""Top-level labels that no public host has (RFC 2606, 6761, 6762, 7686, 8375 and 9476, and names of home routers).

``example`` is not in the list: documents and tests use it, and it does not exist.
"""
_USUAL_PORTS: Final = (80, 443)
_LOWEST_PORT: Final = 1024
_SERVICE_PORTS: Final = frozenset(
    (
        # Ports from 1024 on that browsers refuse (https://fetch.spec.whatwg.org/#port-blocking)
        1719, 1720, 1723, 2049, 3659, 4045, 4190, 5060, 5061, 6000, 6566, *range(6665, 6670), 6679, 6697, 10080,
        # Proxies and remote access
        1080, 3128, 3389, 5500, *range(5900, 5910), 5985, 5986, 9050, 9051,
        # Mail
        1025, 1110, 2525,
        # Databases, caches and search
        1433, 1434, 1521, 1830, 3050, 3306, 3307, 4333, *range(5432, 5440), 5984, 6432, *range(6379, 6385), 7000, 7001,
        7199, 7473, 7474, 7687, 8086, 8123, 8529, 9042, 9160, 9200, 9300, 11211, *range(27017, 27020), 28015, 28017,
        # Queues, clusters and their administration
        1883, 2181, 2375, 2376, 2379, 2380, 4001, 4222, 4369, 5671, 5672, 6443, 8200, 8300, 8301, 8302, 8500, 8600,
        8883, 9092, 10250, 10255, 15672, 25672, 26379, 61613, 61616,
    )
)  # fmt: skip
"""Ports of services that are not web servers, but might interpret a request as a command."""


class ForbiddenAddress(Exception):
    """An address that must not be called. The message is a sentence with the reason. It shows at most the host."""


@dataclass(frozen=True)
class Place:
    """The target of a URL before its name is resolved."""

    is_secure: bool
    host: str
    """A name in lower case and ASCII, or an IP address without brackets."""
    port: int
    path: str
    """Path and query."""


def is_public(address: str) -> bool:
    """Return whether an IP address in the notation of a resolver is reachable on the public Internet."""
    try:
        number = ip_address(address)
    except ValueError:
        return False
    if isinstance(number, IPv6Address) and (number.scope_id is not None or number not in _GLOBAL_UNICAST):
        return False
    return not any(number in network for network in _NOT_PUBLIC if network.version == number.version)


def is_loopback(address: str) -> bool:
    """Return whether an IP address is exactly 127.0.0.1 or ::1."""
    return address in ("127.0.0.1", "::1")


def is_this_machine(host: str) -> bool:
    """Return whether the host of a URL is this machine: localhost, 127.0.0.1 or ::1."""
    return host == "localhost" or is_loopback(host)


def place_of(url: str, *, loopback: bool = False) -> Place:
    """Return the target of a URL. Raises ForbiddenAddress unless it is a plain https URL of a public host.

    With ``loopback``, a URL may also lead to this machine, by http or https.
    """
    if len(url) > LONGEST or not url.isascii() or not url.isprintable() or " " in url or "\\" in url:
        raise ForbiddenAddress(
            _("Write a URL of at most %(longest)s ASCII characters, without spaces.") % {"longest": LONGEST}
        )
    try:
        parts = urlsplit(url)
        port, host = parts.port, parts.hostname or ""
    except ValueError:
        raise ForbiddenAddress(
            _("This URL has no valid host or port. Write a URL such as https://example.org:8443/hook.")
        ) from None
    is_local = loopback and is_this_machine(host)
    if parts.scheme != "https" and not (parts.scheme == "http" and is_local):
        raise ForbiddenAddress(_("Write a URL that starts with https://."))
    if "@" in parts.netloc or parts.netloc.endswith(":") or port == 0:
        raise ForbiddenAddress(_("Write a URL without a user name, and with a port only if it needs one."))
    _check_host(host, parts.netloc, is_local)
    is_secure = parts.scheme == "https"
    port = port or (443 if is_secure else 80)
    _check_port(port)
    path = (parts.path or "/") + (f"?{parts.query}" if parts.query else "")
    return Place(is_secure, host, port, path)


def _check_port(port: int) -> None:
    if port not in _USUAL_PORTS and (port < _LOWEST_PORT or port in _SERVICE_PORTS):
        sentence = _("Port %(port)s belongs to another service. Write a URL with port 443, 8443 or another free one.")
        raise ForbiddenAddress(sentence % {"port": port})


def _check_host(host: str, netloc: str, is_local: bool) -> None:
    number = _literal(host)
    if (number is not None and number.version == 6) is not netloc.startswith("["):
        sentence = _("“%(host)s” isn’t a host name. Write one such as example.org. Only IPv6 addresses go in brackets.")
        raise ForbiddenAddress(sentence % {"host": netloc})
    if is_local:
        return
    if number is not None:
        if not is_public(host):
            sentence = _("“%(host)s” isn’t a public address. Write one that can be reached from the whole internet.")
            raise ForbiddenAddress(sentence % {"host": host})
    elif not is_public_name(host):
        raise ForbiddenAddress(_("Write the host’s full public name."))


def _literal(host: str) -> IPv4Address | IPv6Address | None:
    try:
        return ip_address(host)
    except ValueError:
        return None


def is_public_name(host: str) -> bool:
    """Return whether a name in ASCII and lower case can belong to a public host."""
    labels = host.split(".")
    if len(host) > 253 or len(labels) < 2 or not all(map(_LABEL.fullmatch, labels)):
        return False
    # Some resolvers read a name that ends in a number as an IPv4 address.
    return labels[-1] not in _PRIVATE_TOP_LEVELS and not _NUMBER.fullmatch(labels[-1])


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
