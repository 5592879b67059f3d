"""A program that reads the event stream."""

import json
import socket
from contextlib import suppress
from dataclasses import dataclass
from typing import Any, Final

import httpx

PATH: Final = "/api/v1/stream/"


@dataclass(frozen=True)
class Event:
    """A server-sent event."""

    id: str
    kind: str
    data: dict[str, Any]


def ask(port: int, **headers: str) -> httpx.Response:
    """The answer to a request that gets no stream."""
    return httpx.get(f"http://127.0.0.1:{port}{PATH}", headers=headers, timeout=10)


def answers(port: int) -> int | None:
    """Return the status of an answer without a log-in, or None while there is no answer."""
    with suppress(httpx.HTTPError):
        return ask(port).status_code
    return None


class Reader:
    """An open stream."""

    def __init__(self, port: int, token: str, last: str = "", path: str = PATH) -> None:
        more = f"Last-Event-ID: {last}\r\n" if last else ""
        self.wire = socket.create_connection(("127.0.0.1", port), 15)
        self.wire.sendall(f"GET {path} HTTP/1.1\r\nHost: h\r\nAuthorization: Bearer {token}\r\n{more}\r\n".encode())
        self._lines = self.wire.makefile("rb")
        self.comments = 0
        self.last = last
        try:
            self.status = int(self._lines.readline().split()[1])
            while self._lines.readline().strip():
                pass
        except BaseException:
            self.close()
            raise

    def next(self, comments: int = 1000) -> Event | None:
        """Return the next event, or None if the stream has ended.

        Raises TimeoutError if there is no event in time, or only too many comments.
        """
        fields: dict[str, str] = {}
        most = self.comments + comments
        while line := self._lines.readline():
            text = line.decode().rstrip("\r\n")
            if text == "0":  # the last chunk
                return None
            if text.startswith(":"):
                self.comments += 1
                if self.comments > most:
                    raise TimeoutError("There were only comments.")
            name, colon, value = text.partition(": ")
            if colon and name in ("id", "event", "data"):
                fields[name] = value
            if not text and "event" in fields:
                self.last = fields["id"]
                return Event(fields["id"], fields["event"], json.loads(fields["data"]))
        return None

    def take(self, many: int) -> list[Event]:
        """Return a number of next events."""
        return [event for event in (self.next() for _ in range(many)) if event]

    def is_silent(self, seconds: float = 0.5) -> bool:
        """Return whether nothing comes for so long. Only comments may; the stream is of no use after that."""
        self.wire.settimeout(seconds)
        with suppress(TimeoutError):
            return self.next() is None
        return True

    def close(self) -> None:
        with suppress(OSError):
            self.wire.shutdown(socket.SHUT_RDWR)
        self._lines.close()
        self.wire.close()
