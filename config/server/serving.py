"""An HTTP server that slow and idle clients cannot fill: uvicorn with limits and deadlines for every connection.

The web server and the event stream use it. uvicorn has no deadline for a request head, a body or a response that is not
read, no limit for the size of a head, and does not count connections by address. Its protocol class can be extended.

Open connections are counted by address (IPv6 /64), by network (IPv4 /24, IPv6 /56 and /48) and in total
(``accounts/rate_limits.py``, which the mail server uses too). If all places are taken, the network with the most
connections loses the one that has waited longest for its client. Behind ``TRUSTED_PROXIES`` the client's address comes
from X-Forwarded-For, and a connection is counted for it when a request head has arrived. ``make siege``
(``bench/siege``) attacks a running server while people play on it.
"""

import asyncio
import math
import socket
import sys
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from functools import partial
from typing import Any, Final, cast
from wsgiref.util import FileWrapper

import httptools
import uvicorn
from django.conf import settings
from django.http import HttpRequest, HttpResponse
from django.utils import translation
from django.utils.translation import gettext
from uvicorn.protocols.http.httptools_impl import HttpToolsProtocol, RequestResponseCycle
from uvicorn.server import ServerState

from accounts.rate_limits import LimitedConnection, NetworkLimits, affordable
from config.server import problems

HEAD: Final = 10.0
"""Seconds for the head of a request, from the connection, or from the first byte of a later request."""
BODY: Final = 60.0
"""Seconds for the whole body: 2.5 MiB at 43 kB a second."""
ANSWER: Final = 20.0
"""Seconds for a client that has left 64 KiB unread to continue reading."""
IDLE: Final = 15.0
"""Seconds for which a connection without a request stays open."""
IDLE_OF_PROXY: Final = 75.0
"""Seconds for which an idle connection of a proxy stays open. Proxies keep connections for 60 seconds."""
GRACE: Final = 5.0
"""Seconds for requests in progress when the server ends."""
LARGEST_HEAD: Final = 32 * 1024
"""Bytes."""
MOST_HEADERS: Final = 100
MOST_PIPELINED: Final = 8
"""Requests that may wait on a connection behind another one."""
CONNECTION: Final = "darbar.connection"
"""The key of the ``Connection`` in a request's state."""
BACKLOG: Final = 2048
"""Connections that may wait to be accepted. After a restart all clients connect in the same moment."""

PIECE: Final = 64 * 1024
"""Bytes of a response that are passed to the connection in one call."""
SEND_BUFFER: Final = 128 * 1024
"""Bytes of responses that the kernel stores for a client. Without a bound, a client that does not read fills 4 MiB."""

Scope = Mapping[str, Any]
Receive = Callable[[], Any]
Send = Callable[[dict[str, Any]], Any]


@dataclass(frozen=True)
class Answer:
    """A response of the application, whose body is bytes or a file."""

    status: int
    headers: list[tuple[bytes, bytes]]
    body: bytes | FileWrapper


async def send_answer(answer: Answer, send: Send, closes: bool) -> None:
    """Send a response in pieces, at the pace of the client. No thread waits meanwhile."""
    headers = [*answer.headers, (b"connection", b"close")] if closes else answer.headers
    await send({"type": "http.response.start", "status": answer.status, "headers": headers})
    if isinstance(answer.body, FileWrapper):
        try:
            while piece := answer.body.filelike.read(PIECE):
                await send({"type": "http.response.body", "body": piece, "more_body": True})
        finally:
            answer.body.filelike.close()
        await send({"type": "http.response.body", "body": b"", "more_body": False})
        return
    for start in range(0, len(answer.body) or 1, PIECE):
        piece, more = answer.body[start : start + PIECE], start + PIECE < len(answer.body)
        await send({"type": "http.response.body", "body": piece, "more_body": more})


async def refuse_request(scope: Scope, receive: Receive, send: Send) -> None:
    """ASGI application that responds with 429."""
    await send_answer(refusal(scope, 429), send, closes=True)


def refusal(scope: Scope, status: int) -> Answer:
    """Return the response to a client over its own limit (429) or the limit of all clients (503), in its language."""
    request = HttpRequest()
    request.META.update(wsgi_headers(scope))
    with translation.override(translation.get_language_from_request(request)):
        response: HttpResponse = problems.too_many_requests(1)
        if status == 503:
            response = problems.problem_response(
                503, "error", gettext("The server is too busy. Try again in a moment.")
            )
            response.headers["Retry-After"] = "1"
    response.headers["Access-Control-Allow-Origin"] = "*"
    response.headers["Access-Control-Expose-Headers"] = "Retry-After"
    headers = [(name.encode(), value.encode("latin-1")) for name, value in response.headers.items()]
    return Answer(
        response.status_code, [*headers, (b"content-length", b"%d" % len(response.content))], response.content
    )


def wsgi_headers(scope: Scope) -> dict[str, str]:
    """Return the headers under their WSGI names.

    Names with underscores are left out, because WSGI does not distinguish underscores from hyphens.
    """
    headers: dict[str, str] = {}
    for raw, value in scope["headers"]:
        if b"_" in raw:
            continue
        name = raw.decode("latin-1").upper().replace("-", "_")
        key = name if name in ("CONTENT_TYPE", "CONTENT_LENGTH") else f"HTTP_{name}"
        text = value.decode("latin-1")
        between = "; " if key == "HTTP_COOKIE" else ","
        headers[key] = f"{headers[key]}{between}{text}" if key in headers else text
    return headers


class Unacceptable(ValueError):
    """A head is too large, or too many requests wait on a connection."""


class Connection(LimitedConnection, HttpToolsProtocol):  # type: ignore[misc]  # uvicorn's eof_received gives nothing
    """A connection with a deadline for each step of its client."""

    def __init__(self, limits: NetworkLimits, **uvicorn_arguments: Any) -> None:
        super().__init__(**uvicorn_arguments)
        self.connection_limits = limits
        self._due = math.inf
        """The deadline of the current step: the end of a head or a body, or the next request."""
        self._read_by = math.inf
        """The deadline for the client to read the response."""
        self._head: int | None = 0
        """Bytes of a head that were received since the read in which it began. None while no head is expected."""
        self._data = b""
        """The data that is being parsed now."""
        self._incomplete = False
        """True if only a part of a request has arrived."""
        self._running: RequestResponseCycle | None = None
        """The request that the application is answering. ``cycle`` is the one that was read last."""

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]  # as uvicorn has it
        super().connection_made(transport)
        transport.get_extra_info("socket").setsockopt(socket.SOL_SOCKET, socket.SO_SNDBUF, SEND_BUFFER)
        self._wait_for_client(HEAD)

    def counted_address(self) -> str:
        # The client behind a proxy is known when the head of a request has arrived.
        return "" if settings.ALLAUTH_TRUSTED_PROXY_COUNT else self.peer

    def _wait_for_client(self, seconds: float) -> None:
        """Set the deadline for the client's next step."""
        self.waiting_since = self.loop.time()
        self._due = self.waiting_since + seconds

    def connection_lost(self, exc: Exception | None) -> None:
        self._disconnect()
        super().connection_lost(exc)

    def abort(self) -> None:
        """Close the connection immediately, and let the application know."""
        self._disconnect()
        self.transport.abort()

    def drop(self) -> None:
        self.abort()

    def _disconnect(self) -> None:
        # uvicorn does this only for the request that it read last. With pipelining that is not the running one.
        if self._running is not None:
            self._running.disconnected = True
            self._running.message_event.set()
        self.pipeline.clear()

    def _start_asgi_task(self, cycle: RequestResponseCycle, app: Any) -> None:
        self._running = cycle
        if settings.ALLAUTH_TRUSTED_PROXY_COUNT and not self._count_for(client_address(cycle.scope)):
            app = refuse_request
        cycle.scope["state"][CONNECTION] = self
        super()._start_asgi_task(cycle, partial(self._answer, app, cycle))

    async def _answer(self, app: Any, cycle: RequestResponseCycle, scope: Scope, receive: Any, send: Any) -> None:
        try:
            await app(scope, receive, send)
        except Exception:
            # An application may fail in many ways when its client is gone.
            if not (cycle.disconnected or self.transport.is_closing()):
                raise
            cycle.disconnected = True
        except asyncio.CancelledError:  # the server ends, and the request has taken too long
            self.abort()

    def _count_for(self, address: str) -> bool:
        """Count the connection for a client behind the proxy. Return False if that client has too many."""
        self.connection_limits.release(self)
        self.address = address
        if self.connection_limits.admit(self):
            return True
        self.address = self.counted_address()
        self.connection_limits.admit(self)
        return False

    def data_received(self, data: bytes) -> None:
        self._data = data
        super().data_received(data)
        if self._head is not None and self.is_admitted:
            self._head += len(data)
            if self._head > LARGEST_HEAD and not self.transport.is_closing():
                self.send_400_response("The head of the request is too large.")

    def send_400_response(self, msg: str) -> None:
        """Refuse a request that cannot be parsed."""
        # While an earlier request is running, the client would take this for the response to it.
        if self.cycle is None or self.cycle.response_complete:
            super().send_400_response(msg)
        else:
            self.abort()

    def on_message_begin(self) -> None:
        if len(self.pipeline) >= MOST_PIPELINED:
            raise Unacceptable
        super().on_message_begin()
        self._incomplete, self._head = True, -len(self._data)
        self._wait_for_client(min(self._due - self.loop.time(), HEAD))

    def on_headers_complete(self) -> None:
        size = len(self.url) + sum(len(name) + len(value) for name, value in self.headers)
        if size > LARGEST_HEAD or len(self.headers) > MOST_HEADERS:
            raise Unacceptable
        self._head = None
        self._wait_for_client(BODY)
        super().on_headers_complete()

    def on_message_complete(self) -> None:
        self._incomplete, self._head = False, None
        self._due, self.waiting_since = math.inf, None
        super().on_message_complete()

    def on_response_complete(self) -> None:
        if settings.ALLAUTH_TRUSTED_PROXY_COUNT and not self.transport.is_closing():
            self._count_for(self.counted_address())
        super().on_response_complete()
        if self._incomplete:
            self._wait_for_client(BODY)
        elif self.cycle.response_complete:
            self._head = 0
            self._wait_for_client(max(self.timeout_keep_alive, ANSWER))

    def _should_upgrade(self) -> bool:
        return bool(self.parser.get_method() != b"CONNECT")

    def handle_websocket_upgrade(self) -> None:
        """Parse a request again without its header ``Upgrade``, such as for h2c, because the parser skipped its body.

        uvicorn calls this method to change the protocol.
        """
        error = sys.exception()
        assert isinstance(error, httptools.HttpParserUpgrade)
        lines = [b"%b %b HTTP/%b" % (self.parser.get_method(), self.url, self.parser.get_http_version().encode())]
        lines += [b"%b: %b" % header for header in self.headers if header[0] != b"upgrade"]
        rest = self._data[error.args[0] :]
        self.parser = httptools.HttpRequestParser(self)
        self.data_received(b"\r\n".join([*lines, b"", rest]))

    def pause_writing(self) -> None:
        super().pause_writing()
        now = self.loop.time()
        self._read_by = now + ANSWER
        self.waiting_since = self.waiting_since or now

    def resume_writing(self) -> None:
        super().resume_writing()
        self._read_by = math.inf
        if self._due == math.inf:
            self.waiting_since = None

    def shutdown(self) -> None:
        """Finish the request in progress, but wait for the client no longer than half of ``GRACE``."""
        super().shutdown()
        self.loop.call_later(GRACE / 2, self._end_if_waiting)

    def _end_if_waiting(self) -> None:
        if self.waiting_since is not None:
            self.abort()

    def end_if_overdue(self, now: float) -> None:
        """Close the connection if its client has missed a deadline."""
        if self._due == math.inf and self.transport.is_closing():
            self._due = now + ANSWER  # for the rest of the response
        is_waiting_for_us = self.flow.read_paused and self._read_by == math.inf
        if now > min(self._due, self._read_by) and not is_waiting_for_us:
            self.abort()


def connections_of(server_state: ServerState) -> set[Connection]:
    """Return the connections of a server whose protocol is ``Connection``."""
    return cast("set[Connection]", server_state.connections)


class Server(uvicorn.Server):
    """Serves an application at an address until ``end`` is called."""

    def __init__(self, application: Any, address: str, port: int, limits: NetworkLimits) -> None:
        idle = IDLE_OF_PROXY if settings.ALLAUTH_TRUSTED_PROXY_COUNT else IDLE
        config = uvicorn.Config(
            application,
            host=address,
            port=port,
            http=cast("type[asyncio.Protocol]", partial(Connection, limits)),  # uvicorn only calls it
            ws="none",
            interface="asgi3",
            lifespan="off",
            log_config=None,
            access_log=False,
            proxy_headers=False,  # client_address uses the setting TRUSTED_PROXIES instead
            server_header=False,
            backlog=BACKLOG,
            timeout_keep_alive=int(idle),
            timeout_graceful_shutdown=int(GRACE) + 1,  # after GRACE, because uvicorn logs an error if it ends requests
        )
        super().__init__(config)

    @contextmanager
    def capture_signals(self) -> Iterator[None]:
        """Leave signals to the caller."""
        yield

    def end(self) -> None:
        """Accept no further connections, and finish the requests in progress."""
        self.should_exit = True

    async def shutdown(self, sockets: Any = None) -> None:
        """Close the connections. Requests that take longer than ``GRACE`` are cancelled."""
        asyncio.get_running_loop().call_later(GRACE, self._cancel_requests)
        await super().shutdown(sockets)

    def _cancel_requests(self) -> None:
        for task in self.server_state.tasks:
            task.cancel()

    async def on_tick(self, counter: int) -> bool:
        """Check the deadlines of the connections once a second."""
        if counter % 10 == 0:
            now = asyncio.get_running_loop().time()
            for connection in tuple(connections_of(self.server_state)):
                connection.end_if_overdue(now)
        return await super().on_tick(counter)


def connection_limits() -> NetworkLimits:
    """Return the limits in the settings."""
    return NetworkLimits(affordable(settings.CONNECTIONS), settings.CONNECTIONS_PER_ADDRESS)


def client_address(scope: Mapping[str, Any]) -> str:
    """Return the address of a client: that of the peer, or the one that our first proxy received."""
    peer: str = scope["client"][0] if scope["client"] else ""
    proxies = settings.ALLAUTH_TRUSTED_PROXY_COUNT
    if not proxies:
        return peer
    forwarded = b",".join(value for name, value in scope["headers"] if name == b"x-forwarded-for")
    addresses = forwarded.decode("latin-1").split(",")
    return addresses[-proxies].strip() or peer if len(addresses) >= proxies else peer
