"""Receivers of notifications on this machine. They record the time of every arrival."""

import json
import selectors
import socket
import threading
import time
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any, Final

from aiosmtpd.controller import Controller
from aiosmtpd.smtp import SMTP, Envelope, Session

from bench.load import get
from bench.ports import free_port

STREAM: Final = "/api/v1/stream/"
PATIENCE: Final = 30.0
"""Seconds within which all event streams must have sent their first event."""


class Arrivals:
    """The times at which notifications arrived, by receiver."""

    def __init__(self) -> None:
        self._times: dict[str, list[float]] = {}

    def note(self, receiver: str) -> None:
        """Record an arrival."""
        self._times.setdefault(receiver, []).append(time.time())

    def first(self, receiver: str, since: float) -> float | None:
        """Return the time of the first arrival since ``since``, or None."""
        return next((moment for moment in self._times.get(receiver, ()) if moment >= since), None)


class Mails:
    """A mail server that accepts every mail. Receivers are addresses."""

    def __init__(self) -> None:
        self.arrivals = Arrivals()
        self._controller = Controller(self, hostname="127.0.0.1", port=free_port())
        self.url = f"smtp://127.0.0.1:{self._controller.port}"

    def __enter__(self) -> "Mails":
        self._controller.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._controller.stop()

    async def handle_DATA(self, server: SMTP, session: Session, envelope: Envelope) -> str:  # noqa: N802
        for address in envelope.rcpt_tos:
            self.arrivals.note(address)
        return "250 OK"


class Pushes:
    """A push service that takes everything; devices go by their paths."""

    def __init__(self) -> None:
        self.arrivals = Arrivals()
        self._server = ThreadingHTTPServer(("127.0.0.1", 0), _handler(self.arrivals))
        self.url = f"http://127.0.0.1:{self._server.server_port}"

    def __enter__(self) -> "Pushes":
        threading.Thread(target=self._server.serve_forever, daemon=True).start()
        return self

    def __exit__(self, *_: object) -> None:
        self._server.shutdown()
        self._server.server_close()


def _handler(arrivals: Arrivals) -> type[BaseHTTPRequestHandler]:
    class Handler(BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            self.rfile.read(int(self.headers["Content-Length"]))
            arrivals.note(self.path)
            self.send_response(201)
            self.end_headers()

        def log_message(self, *_: object) -> None:
            """Write nothing."""

    return Handler


@contextmanager
def streams(port: int, tokens: Mapping[str, str]) -> Iterator[Arrivals]:
    """Open an event stream for each token. The receiver of an event is ``name game``."""
    selector, arrivals, open_streams = selectors.DefaultSelector(), Arrivals(), list[_Stream]()
    for name, token in tokens.items():
        open_streams.append(_Stream(port, name, token, arrivals))
        selector.register(open_streams[-1].socket, selectors.EVENT_READ, open_streams[-1])
    is_over = threading.Event()

    def listen() -> None:
        while not is_over.is_set():
            for key, _ in selector.select(0.2):
                if not key.data.read():
                    selector.unregister(key.fileobj)

    thread = threading.Thread(target=listen)
    thread.start()
    try:
        end = time.monotonic() + PATIENCE
        while not all(stream.is_ready for stream in open_streams):
            if time.monotonic() > end:
                raise SystemExit("an event stream sends nothing")
            time.sleep(0.05)
        yield arrivals
    finally:
        is_over.set()
        thread.join()
        for stream in open_streams:
            stream.socket.close()


class _Stream:
    def __init__(self, port: int, name: str, token: str, arrivals: Arrivals) -> None:
        self.is_ready = False
        """True after the first event."""
        self.socket = socket.create_connection(("127.0.0.1", port))
        self.socket.sendall(get(STREAM, token).encode())
        self._name, self._arrivals, self._received = name, arrivals, b""

    def read(self) -> bool:
        """Read new events and record their games. Return False if the stream has ended."""
        data = self.socket.recv(65536)
        *lines, self._received = (self._received + data).split(b"\n")
        for line in lines:
            if line.startswith(b"data: "):
                self.is_ready = True
                event: dict[str, Any] = json.loads(line[6:])
                self._arrivals.note(f"{self._name} {event.get('game')}")
        return bool(data)
