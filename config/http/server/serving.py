"""An HTTP server that slow and idle clients cannot fill: uvicorn with limits and deadlines on every connection.

The web server and the event stream share it. uvicorn has no deadline for a head, a body or an answer that nobody reads,
no bound on the size of a head, and counts no connections by address; its protocol class is made to be extended.
"""

import asyncio
import math
import sys
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from functools import partial
from typing import Any, Final, cast

import httptools
import uvicorn
from django.conf import settings
from uvicorn.protocols.http.httptools_impl import HttpToolsProtocol, RequestResponseCycle
from uvicorn.server import ServerState

from accounts.limits.connections import LimitedConnection, NetworkLimits, affordable
from config.http.server.answers import Scope, refuse_request

HEAD: Final = 10.0
"""Seconds for the head of a request: from the connection, or from its first byte on one that is kept."""
BODY: Final = 60.0
"""Seconds for the whole body: 2.5 MiB at 43 kB a second."""
ANSWER: Final = 20.0
"""Seconds for a client to read on where it has left 64 KiB unread."""
IDLE: Final = 15.0
"""Seconds that a connection is kept without a request."""
IDLE_OF_PROXY: Final = 75.0
"""The same where proxies stand before the server: they keep their connections for 60 seconds."""
GRACE: Final = 5.0
"""Seconds for requests in progress when the server is told to end."""
LARGEST_HEAD: Final = 32 * 1024
"""Bytes."""
MOST_HEADERS: Final = 100
MOST_PIPELINED: Final = 8
"""Requests that may wait behind another one on their connection."""
CONNECTION: Final = "darbar.connection"
"""The entry of a request's state in which the application finds its ``Connection``."""
BACKLOG: Final = 2048
"""The number of connections that may wait to be accepted: after a restart everybody comes at once."""


class Unacceptable(ValueError):
    """A head that is too large, or too many requests at once."""


class Connection(LimitedConnection, HttpToolsProtocol):  # type: ignore[misc]  # uvicorn's eof_received gives nothing
    """One connection, which must be done with each step in time."""

    def __init__(self, limits: NetworkLimits, **uvicorn_arguments: Any) -> None:
        super().__init__(**uvicorn_arguments)
        self.connection_limits = limits
        self._due = math.inf
        """The time by which the present step must be done: a head or a body is here, or a request after a pause."""
        self._read_by = math.inf
        """The time by which the client must have read what was sent."""
        self._head: int | None = 0
        """The bytes of a head received since the read in which it began; None while no head is expected."""
        self._data = b""
        """The part of a request that is being read now."""
        self._incomplete = False
        """True if a request has begun whose end is not here."""
        self._running: RequestResponseCycle | None = None
        """The request that the application is answering. ``cycle`` is the one that was read last."""

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]  # as uvicorn has it
        super().connection_made(transport)
        self._wait_for_client(HEAD)

    def counted_address(self) -> str:
        # The client behind a proxy is known when the head of a request is here.
        return "" if settings.ALLAUTH_TRUSTED_PROXY_COUNT else self.peer

    def _wait_for_client(self, seconds: float) -> None:
        """Give the client some time for its next step."""
        self.waiting_since = self.loop.time()
        self._due = self.waiting_since + seconds

    def connection_lost(self, exc: Exception | None) -> None:
        self._disconnect()
        super().connection_lost(exc)

    def abort(self) -> None:
        """Close the connection immediately. The application is told that the client has gone."""
        self._disconnect()
        self.transport.abort()

    def drop(self) -> None:
        self.abort()

    def _disconnect(self) -> None:
        # uvicorn does this for the request that it read last, which waits behind the running one if it is pipelined.
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
            # An application whose client has gone may fail in many ways, without a fault of its own.
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
        """Answer what cannot be read. In the midst of an earlier request this would be taken for its answer."""
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
        """Read a request again without its wish for another protocol, such as h2c, for which the parser left its body.

        uvicorn calls this where it would change the protocol.
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
        """Finish what is in progress, but wait for no client longer than for half of the time there is."""
        super().shutdown()
        self.loop.call_later(GRACE / 2, self._end_if_waiting)

    def _end_if_waiting(self) -> None:
        if self.waiting_since is not None:
            self.abort()

    def end_if_overdue(self, now: float) -> None:
        """Close the connection if its client has let a deadline pass."""
        if self._due == math.inf and self.transport.is_closing():
            self._due = now + ANSWER  # for what is still to be read
        waits_for_us = self.flow.read_paused and self._read_by == math.inf
        if now > min(self._due, self._read_by) and not waits_for_us:
            self.abort()


def connections_of(server_state: ServerState) -> set[Connection]:
    """Return the connections of a server whose protocol is ``Connection``."""
    return cast("set[Connection]", server_state.connections)


class Server(uvicorn.Server):
    """Serves one application at one address, until ``end`` is called."""

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
            proxy_headers=False,  # who is believed about a client's address is settings' TRUSTED_PROXIES
            server_header=False,
            backlog=BACKLOG,
            timeout_keep_alive=int(idle),
            timeout_graceful_shutdown=int(GRACE) + 1,  # after GRACE: uvicorn logs an error if it has to end requests
        )
        super().__init__(config)

    @contextmanager
    def capture_signals(self) -> Iterator[None]:
        """Leave signals to whoever runs the server."""
        yield

    def end(self) -> None:
        """Take no more connections, and finish what is in progress."""
        self.should_exit = True

    async def shutdown(self, sockets: Any = None) -> None:
        """End the connections. Requests that take longer than ``GRACE`` are given up."""
        asyncio.get_running_loop().call_later(GRACE, self._cancel_requests)
        await super().shutdown(sockets)

    def _cancel_requests(self) -> None:
        for task in self.server_state.tasks:
            task.cancel()

    async def on_tick(self, counter: int) -> bool:
        """Look at the connections' deadlines, once a second."""
        if counter % 10 == 0:
            now = asyncio.get_running_loop().time()
            for connection in tuple(connections_of(self.server_state)):
                connection.end_if_overdue(now)
        return await super().on_tick(counter)


def connection_limits() -> NetworkLimits:
    """Return limits as the settings have them."""
    return NetworkLimits(affordable(settings.CONNECTIONS), settings.CONNECTIONS_PER_ADDRESS)


def client_address(scope: Mapping[str, Any]) -> str:
    """The address that a request comes from: its peer's, or what the first proxy of our own says."""
    peer: str = scope["client"][0] if scope["client"] else ""
    proxies = settings.ALLAUTH_TRUSTED_PROXY_COUNT
    if not proxies:
        return peer
    forwarded = b",".join(value for name, value in scope["headers"] if name == b"x-forwarded-for")
    addresses = forwarded.decode("latin-1").split(",")
    return addresses[-proxies].strip() or peer if len(addresses) >= proxies else peer
