"""The path of a request from the event loop to Django.

The whole body is read before a request takes one of 500 slots and a thread, and the response is sent after the thread
is free again, so a slow client holds no thread. If an address or all addresses have too many requests in progress, the
request is refused. If all slots are taken, the network with the most requests loses its longest waiting one.
"""

import asyncio
import io
import sys
import time
from collections import deque
from collections.abc import AsyncIterator, Callable, Iterable
from concurrent.futures import ThreadPoolExecutor
from contextlib import asynccontextmanager
from dataclasses import dataclass
from functools import partial
from typing import Any, Final
from urllib.parse import unquote_to_bytes
from wsgiref.util import FileWrapper

from accounts.rate_limits import NetworkLimits, network_of, surroundings_of
from config.core.database import time_limits
from config.server import middleware
from config.server.serving import (
    CONNECTION,
    Answer,
    Connection,
    Receive,
    Scope,
    Send,
    client_address,
    refusal,
    send_answer,
    wsgi_headers,
)
from games.api.shared.responses import BEGIN_TO_WAIT

MOST_REQUESTS: Final = 500
"""Requests that wait for a thread, run in a thread, or send their response."""
MOST_HELD: Final = 96 * 2**20
"""Bytes of all bodies together. The first 64 KiB of each body are not counted, so that small requests always pass."""
MOST_HELD_OF_ONE: Final = 32 * 2**20
"""Bytes of the bodies of one address: two of the largest emails, or twelve other requests of the largest size."""

Wsgi = Callable[[dict[str, Any], Callable[..., Any]], Iterable[bytes]]


UNCOUNTED: Final = 64 * 1024
"""Bytes of each body that are not counted."""


@dataclass(frozen=True)
class Body:
    """A complete body, or the length of a body that is too large and was not read."""

    file: io.BytesIO
    length: int
    is_unsent: bool = False
    """True if the client waits for 100 Continue, which it does not get."""


async def read_body(scope: Scope, receive: Receive, hold: Callable[[int], None]) -> Body:
    """Read the body of a request. The connection limits the time for it.

    ``hold`` is called with the number of bytes of each piece, before the piece is stored. Raises ConnectionResetError
    if the client is gone.
    """
    headers = dict(scope["headers"])
    length, largest = int(headers.get(b"content-length", 0)), middleware.largest_body(scope["path"])
    if not length and b"transfer-encoding" not in headers:
        return Body(io.BytesIO(), 0)
    if length > largest:
        return Body(io.BytesIO(), length, is_unsent=b"expect" in headers)
    return await _read(receive, largest, hold)


async def _read(receive: Receive, largest: int, hold: Callable[[int], None]) -> Body:
    file, length, more = io.BytesIO(), 0, True
    while more:
        message = await receive()
        if message["type"] == "http.disconnect":
            raise ConnectionResetError
        piece, more = message["body"], message["more_body"]
        length += len(piece)
        if length > largest:
            return Body(io.BytesIO(), length)
        if length > UNCOUNTED:
            hold(len(piece))
        file.write(piece)
    file.seek(0)
    return Body(file, length)


class FairThreads:
    """A thread pool of which one network gets only a share.

    Waiting networks get a thread in turn, and so do the addresses of a network. A request that waits for something to
    happen keeps its thread, but no longer counts towards the share of its network. All calls come from one event loop.
    """

    def __init__(self, count: int, per_network: int) -> None:
        self._threads = ThreadPoolExecutor(count, thread_name_prefix="web")
        self._free, self._per_network = count, per_network
        self._working: dict[str, int] = {}
        # Networks and their addresses, in the order of their turns.
        self._waiting: dict[str, dict[str, deque[asyncio.Future[None]]]] = {}

    async def run(self, work: Callable[..., Any], *arguments: Any) -> Any:
        """Run ``work`` in a thread and return its result. The caller is inside ``turn``."""
        return await asyncio.get_running_loop().run_in_executor(self._threads, work, *arguments)

    @asynccontextmanager
    async def turn(self, address: str) -> AsyncIterator[Callable[[], object]]:
        """Wait until a thread is free for an address, and reserve it in this block.

        Yields a function that the thread calls when its request begins to wait for something to happen.
        """
        network, loop = surroundings_of(address), asyncio.get_running_loop()
        await self._wait(network, network_of(address))
        shares = [network]
        try:
            yield partial(loop.call_soon_threadsafe, self._leave_share, shares)
        finally:
            self._free += 1
            self._leave_share(shares)

    async def _wait(self, network: str, address: str) -> None:
        if network not in self._waiting and self._may_begin(network):
            return self._begin(network)
        turn = asyncio.get_running_loop().create_future()
        self._waiting.setdefault(network, {}).setdefault(address, deque()).append(turn)
        try:
            await turn
        except asyncio.CancelledError:
            if turn.done() and not turn.cancelled():
                self._free += 1
                self._leave_share([network])
            raise

    def _may_begin(self, network: str) -> bool:
        return self._free > 0 and self._working.get(network, 0) < self._per_network

    def _begin(self, network: str) -> None:
        self._free -= 1
        self._working[network] = self._working.get(network, 0) + 1

    def _leave_share(self, shares: list[str]) -> None:
        """Take a request out of the share of its network. Later calls with the same list change nothing."""
        while shares:
            network = shares.pop()
            self._working[network] -= 1
            if not self._working[network]:
                del self._working[network]
        self._hand_on()

    def _hand_on(self) -> None:
        """Reserve the free thread for the next request in turn that may have it."""
        for network in tuple(self._waiting):
            if not self._may_begin(network):
                continue
            addresses = self._waiting.pop(network)
            turn = _next_turn(addresses)
            if addresses:
                self._waiting[network] = addresses  # now at the end, after the other networks
            if turn is not None:
                self._begin(network)
                turn.set_result(None)
                return


def _next_turn(addresses: dict[str, deque[asyncio.Future[None]]]) -> asyncio.Future[None] | None:
    """Remove and return the next request of a network, or None if all of them were cancelled."""
    for address in tuple(addresses):
        turns = deque(turn for turn in addresses.pop(address) if not turn.cancelled())
        if turns:
            turn = turns.popleft()
            if turns:
                addresses[address] = turns
            return turn
    return None


class Refused(Exception):
    """A client has too many requests in progress (429), or all clients together have (503)."""

    def __init__(self, status: int) -> None:
        super().__init__()
        self.status = status


class Request:
    """A request in progress. While it waits for a thread or for its client, it can be dropped for another network."""

    def __init__(self, address: str, connection: Connection) -> None:
        self.address, self.connection = address, connection
        self.is_dropped = self.is_at_work = self.has_answer = False
        self._begun = asyncio.get_running_loop().time()
        self._task = asyncio.current_task()

    @property
    def waiting_since(self) -> float | None:
        if self.has_answer:
            return self.connection.waiting_since
        return None if self.is_at_work or self.is_dropped else self._begun

    def drop(self) -> None:
        self.is_dropped = True
        assert self._task is not None
        self._task.cancel()


class Gateway:
    """ASGI application that passes complete requests to a WSGI application in threads."""

    def __init__(self, application: Wsgi, threads: FairThreads, most_of_one: int) -> None:
        """``most_of_one`` is the number of slots that one address may have."""
        self._application, self._threads = application, threads
        self._requests = NetworkLimits(MOST_REQUESTS, most_of_one)
        self._bytes = NetworkLimits(MOST_HELD, MOST_HELD_OF_ONE)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        request = Request(client_address(scope), scope["state"][CONNECTION])
        try:
            await self._serve(request, scope, receive, send)
        except ConnectionResetError:
            return
        except Refused as refused:
            await send_answer(refusal(scope, refused.status), send, closes=True)
        except asyncio.CancelledError:  # the request was dropped for another client, or the server ends
            if request.has_answer:
                request.connection.abort()
            else:
                await send_answer(refusal(scope, 429 if request.is_dropped else 503), send, closes=True)
        finally:
            self._bytes.release(request)
            self._requests.release(request)

    async def _serve(self, request: Request, scope: Scope, receive: Receive, send: Send) -> None:
        body = await read_body(scope, receive, lambda amount: _take(self._bytes, request, amount))
        _take(self._requests, request, 1)
        async with self._threads.turn(request.address) as begin_to_wait:
            request.is_at_work = True
            environ = _environ(scope, body) | {BEGIN_TO_WAIT: begin_to_wait}
            answer = await self._threads.run(self._call_application, environ)
        request.has_answer = True
        self._bytes.release(request)
        await send_answer(answer, send, closes=body.is_unsent)

    def _call_application(self, environ: dict[str, Any]) -> Answer:
        """Return the application's response. It is closed in this thread, whose database connection it used."""
        started: list[Any] = []

        def start(status: str, headers: list[tuple[str, str]], error: Any = None) -> None:
            started[:] = status, headers

        result = self._application(environ, start)
        try:
            body = result if isinstance(result, FileWrapper) else b"".join(result)
        finally:
            if not isinstance(result, FileWrapper):
                getattr(result, "close", lambda: None)()
        status, headers = started
        return Answer(int(status[:3]), [(n.encode("latin-1"), v.encode("latin-1")) for n, v in headers], body)


def _take(limits: NetworkLimits, request: Request, amount: int) -> None:
    if not limits.admit(request, amount):
        raise Refused(429 if limits.is_full_for(request.address, amount) else 503)


def _environ(scope: Scope, body: Body) -> dict[str, Any]:
    """Return the WSGI environment of a request (PEP 3333)."""
    environ = wsgi_headers(scope) | {
        "REQUEST_METHOD": scope["method"],
        "SCRIPT_NAME": "",
        "PATH_INFO": unquote_to_bytes(scope["raw_path"]).decode("latin-1"),
        "QUERY_STRING": scope["query_string"].decode("latin-1"),
        "SERVER_PROTOCOL": f"HTTP/{scope['http_version']}",
        "SERVER_NAME": scope["server"][0],
        "SERVER_PORT": str(scope["server"][1]),
        "REMOTE_ADDR": scope["client"][0],
        "wsgi.version": (1, 0),
        "wsgi.url_scheme": scope["scheme"],
        "wsgi.input": body.file,
        "wsgi.errors": sys.stderr,
        "wsgi.multithread": True,
        "wsgi.multiprocess": True,
        "wsgi.run_once": False,
        "wsgi.file_wrapper": FileWrapper,
        time_limits.RECEIVED: time.monotonic(),
    }
    if body.length or "CONTENT_LENGTH" in environ:
        environ["CONTENT_LENGTH"] = str(body.length)
    return environ
