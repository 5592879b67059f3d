"""A server of ``config.server.serving`` that runs in a thread, and clients that write every byte themselves."""

import asyncio
import socket
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Any, Final

import uvloop

from accounts.rate_limits import NetworkLimits
from config.server.serving import Server
from tests.server.darbar import free_port, wait_until

PATIENCE: Final = 60.0
"""Seconds that a test waits for what must come."""
PLENTY: Final = 100


@dataclass(frozen=True)
class Served:
    """The address of a server, and its counters."""

    port: int
    server: Server
    limits: NetworkLimits
    clients: list["Client"] = field(default_factory=list)

    def connect(self, address: str = "127.0.0.1", buffer: int | None = None) -> "Client":
        """Return a connection from an address, which ends with the server. It holds ``buffer`` bytes unread."""
        wire = socket.socket()
        wire.settimeout(PATIENCE)
        if buffer:
            wire.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, buffer)
        wire.bind((address, 0))
        wire.connect(("127.0.0.1", self.port))
        self.clients.append(Client(wire))
        return self.clients[-1]

    def ask(self, request: str, address: str = "127.0.0.1") -> tuple[int, dict[str, str], bytes]:
        """The answer to one request on a connection of its own."""
        client = self.connect(address)
        client.send(request)
        answer = client.answer()
        client.close()
        return answer


class Client:
    """A connection to the server."""

    def __init__(self, wire: socket.socket) -> None:
        self.wire = wire
        self._file = wire.makefile("rb")

    def send(self, text: str) -> None:
        """Send some bytes; lines end as HTTP has them."""
        self.wire.sendall(text.replace("\n", "\r\n").encode("latin-1"))

    def answer(self, has_body: bool = True) -> tuple[int, dict[str, str], bytes]:
        """The next answer: status, headers and body. ConnectionError if the connection ends before."""
        first = self._file.readline()
        if not first:
            raise ConnectionResetError
        status = int(first.split()[1])
        headers = {}
        while line := self._file.readline().strip():
            name, _, value = line.decode("latin-1").partition(": ")
            headers[name.lower()] = value
        return status, headers, self._body(headers) if has_body and status >= 200 else b""

    def _body(self, headers: dict[str, str]) -> bytes:
        if "content-length" in headers:
            return self._file.read(int(headers["content-length"]))
        body = b""
        while size := int(self._file.readline(), 16):
            body += self._file.read(size)
            self._file.readline()
        self._file.readline()
        return body

    def is_cut(self) -> bool:
        """Wait until the server has closed the connection. TimeoutError if it does not."""
        try:
            while self.wire.recv(65536):
                pass
        except ConnectionError:
            pass
        return True

    def close(self) -> None:
        """Close the connection."""
        self._file.close()
        self.wire.close()


@contextmanager
def served(application: Any, limits: NetworkLimits | None = None) -> Iterator[Served]:
    """A server of this application, in a thread, until the block ends."""
    limits = limits or NetworkLimits(PLENTY, PLENTY)
    server = Server(application, "127.0.0.1", free_port(), limits)
    thread = threading.Thread(target=uvloop.run, args=(server.serve(),))
    thread.start()
    at = Served(server.config.port, server, limits)
    try:
        wait_until(lambda: server.started, "the server listens")
        yield at
    finally:
        for client in at.clients:
            client.close()
        server.end()
        thread.join(PATIENCE)
    assert not thread.is_alive()


async def echo(scope: Any, receive: Any, send: Any) -> None:
    """An application that answers a request with its body, when it has all of it."""
    body, more = b"", True
    while more:
        message = await receive()
        if message["type"] == "http.disconnect":
            return
        body, more = body + message["body"], message["more_body"]
    length = (b"content-length", b"%d" % len(body))
    await send({"type": "http.response.start", "status": 200, "headers": [length]})
    await send({"type": "http.response.body", "body": body})


async def slow(scope: Any, receive: Any, send: Any) -> None:
    """An application that thinks before it answers."""
    await asyncio.sleep(2.5)
    await echo(scope, receive, send)


async def endless(scope: Any, receive: Any, send: Any) -> None:
    """An application whose answer ends when its client has gone."""
    await send({"type": "http.response.start", "status": 200, "headers": []})
    task = asyncio.create_task(receive())
    while not task.done() or task.result()["type"] != "http.disconnect":
        if task.done():
            task = asyncio.create_task(receive())
        await send({"type": "http.response.body", "body": b"x" * 65536, "more_body": True})
        await asyncio.sleep(0)
