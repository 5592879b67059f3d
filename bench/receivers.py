"""Stand-ins on this machine for those whom the server tells of moves; each notes when it was told."""

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
"""Seconds within which all event streams have begun."""


class Arrivals:
    """The times at which somebody was told."""

    def __init__(self) -> None:
        self._times: dict[str, list[float]] = {}

    def note(self, who: str) -> None:
        """Somebody is told now."""
        self._times.setdefault(who, []).append(time.time())

    def first(self, who: str, since: float) -> float | None:
        """The first time since a moment; None where they have not been told yet."""
        return next((at for at in self._times.get(who, ()) if at >= since), None)


class Mails:
    """A mail server that takes everything; people go by their addresses."""

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
        """Take a mail."""
        for address in envelope.rcpt_tos:
            self.arrivals.note(address)
        return "250 OK"


class Pushes:
    """A push service that takes everything; devices go by their paths."""

    def __init__(self) -> None:
        self.arrivals = Arrivals()
        self._server = ThreadingHTTPServer(("127.0.0.1", 0), _taking(self.arrivals))
        self.url = f"http://127.0.0.1:{self._server.server_port}"

    def __enter__(self) -> "Pushes":
        threading.Thread(target=self._server.serve_forever, daemon=True).start()
        return self

    def __exit__(self, *_: object) -> None:
        self._server.shutdown()
        self._server.server_close()


def _taking(arrivals: Arrivals) -> type[BaseHTTPRequestHandler]:
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
    """Open an event stream for each of these tokens; the events of a name count as ``name game``."""
    selector, arrivals, begun = selectors.DefaultSelector(), Arrivals(), list[_Stream]()
    for name, token in tokens.items():
        begun.append(_Stream(port, name, token, arrivals))
        selector.register(begun[-1].socket, selectors.EVENT_READ, begun[-1])
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
        while not all(item.is_ready for item in begun):
            if time.monotonic() > end:
                raise SystemExit("an event stream tells nothing")
            time.sleep(0.05)
        yield arrivals
    finally:
        is_over.set()
        thread.join()
        for value in begun:
            value.socket.close()


class _Stream:
    """An event stream that is open."""

    def __init__(self, port: int, name: str, token: str, arrivals: Arrivals) -> None:
        self.is_ready = False
        """True once it has told its first event."""
        self.socket = socket.create_connection(("127.0.0.1", port))
        self.socket.sendall(get(STREAM, token).encode())
        self._name, self._arrivals, self._heard = name, arrivals, b""

    def read(self) -> bool:
        """Read what has come, and note the games that it is about; False where it has ended."""
        recv = self.socket.recv(65536)
        *lines, self._heard = (self._heard + recv).split(b"\n")
        for line in lines:
            if line.startswith(b"data: "):
                self.is_ready = True
                message: dict[str, Any] = json.loads(line[6:])
                self._arrivals.note(f"{self._name} {message.get('game')}")
        return bool(recv)
