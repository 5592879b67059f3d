"""Servers on this machine that record the requests they get."""

import socket
import ssl
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer


@dataclass
class Posted:
    """A recorded request."""

    path: str
    headers: dict[str, str]
    body: bytes
    method: str = "POST"


@dataclass
class Receiver:
    """The requests of a server, and its answers."""

    port: int = 0
    scheme: str = "http"
    taken: list[Posted] = field(default_factory=list)
    answers: list[int] = field(default_factory=list)
    """Statuses still to be answered with, the next one first; then 204."""
    refused: bytes = b""
    """A part of the bodies that are answered with 500."""
    headers: dict[str, str] = field(default_factory=dict)
    bodies: list[bytes] = field(default_factory=list)
    """Bodies still to be answered with, the next one first; then ``body``."""
    body: bytes = b""

    @property
    def url(self) -> str:
        return f"{self.scheme}://localhost:{self.port}/hook"


@contextmanager
def receiving(context: ssl.SSLContext | None = None) -> Iterator[Receiver]:
    """An HTTP server on a free port; with a TLS context, an HTTPS one."""
    receiver = Receiver(scheme="https" if context else "http")

    class Handler(BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            body = self.rfile.read(int(self.headers["Content-Length"]))
            headers = {name.lower(): value for name, value in self.headers.items()}
            receiver.taken.append(Posted(self.path, headers, body, self.command))
            if receiver.refused and receiver.refused in body:
                self.send_response(500)
            else:
                self.send_response(receiver.answers.pop(0) if receiver.answers else 204)
            for name, value in receiver.headers.items():
                self.send_header(name, value)
            self.end_headers()
            self.wfile.write(receiver.bodies.pop(0) if receiver.bodies else receiver.body)

        do_PUT = do_PATCH = do_POST  # noqa: N815  # as http.server calls them

        def log_message(self, *_: object) -> None:
            """Quiet."""

    class Server(ThreadingHTTPServer):
        def handle_error(self, *_: object) -> None:
            """A client that hangs up is no news."""

    server = Server(("127.0.0.1", 0), Handler)
    if context is not None:
        server.socket = context.wrap_socket(server.socket, server_side=True)
    receiver.port = server.server_port
    thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.02})
    thread.start()
    try:
        yield receiver
    finally:
        server.shutdown()
        thread.join()
        server.server_close()


@contextmanager
def listening(talk: Callable[[socket.socket], None]) -> Iterator[tuple[int, list[object]]]:
    """A bare TCP server: its port, and who has connected; ``talk`` is had with each."""
    met: list[object] = []
    with socket.create_server(("127.0.0.1", 0)) as server:

        def serve() -> None:
            while True:
                try:
                    wire, address = server.accept()
                except OSError:
                    return
                met.append(address)
                with wire, suppress(OSError):
                    talk(wire)

        thread = threading.Thread(target=serve)
        thread.start()
        try:
            yield server.getsockname()[1], met
        finally:
            server.shutdown(socket.SHUT_RDWR)
            thread.join()
