"""Clients that send the next request as soon as the server has answered: many connections and plain sockets.

They run in a separate process, so that their processor time is not counted as the server's. ``python -m bench.load
CONNECTIONS PORT...`` reads the requests as JSON and prints the latency of every request.
"""

import json
import selectors
import socket
import subprocess
import sys
import time
from collections.abc import Iterator, Sequence
from dataclasses import asdict, dataclass
from typing import Any

from bench.measure import percentile


@dataclass(frozen=True)
class Answers:
    """The answers to some requests."""

    began: float
    """The time of the first request by ``time.perf_counter``, a clock that all processes share."""
    seconds: float
    """The time from the first request to the last answer."""
    latencies: Sequence[float]
    """The latency of each request, in milliseconds."""
    statuses: dict[str, int]

    @property
    def rate(self) -> float:
        """Return the requests a second."""
        return len(self.latencies) / self.seconds

    def slowest(self, part: float) -> float:
        """Return the latency that the fraction ``part`` of the requests does not exceed."""
        return percentile(self.latencies, part)


def post(path: str, token: str, body: Any, **headers: str) -> str:
    """Return the text of a POST request."""
    content = json.dumps(body)
    lines = [f"POST {path} HTTP/1.1", "Host: localhost", f"Authorization: Bearer {token}"]
    lines += ["Content-Type: application/json", f"Content-Length: {len(content)}"]
    lines += [f"{name}: {value}" for name, value in headers.items()]
    return "\r\n".join([*lines, "", content])


def get(path: str, token: str) -> str:
    """Return the text of a GET request."""
    return f"GET {path} HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer {token}\r\n\r\n"


def ask(ports: Sequence[int], requests: Sequence[str], connections: int) -> Answers:
    """Send requests from another process, over ``connections`` parallel connections, to the ports in turn."""
    command = [sys.executable, "-m", "bench.load", str(connections), *map(str, ports)]
    text = subprocess.run(command, input=json.dumps(requests), capture_output=True, text=True, check=True).stdout
    return Answers(**json.loads(text))


class Line:
    """A connection that sends one request at a time."""

    def __init__(self, port: int) -> None:
        self.socket = socket.create_connection(("127.0.0.1", port))
        self.socket.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        self._sent_at = 0.0
        self._received = b""

    def ask(self, request: bytes) -> None:
        self._received, self._sent_at = b"", time.perf_counter()
        self.socket.sendall(request)

    def listen(self) -> tuple[str, float] | None:
        """Return the status and the milliseconds of an answer, or None while it is incomplete."""
        self._received += self.socket.recv(65536)
        head, separator, body = self._received.partition(b"\r\n\r\n")
        if not separator or len(body) < _content_length(head):
            return None
        return head[9:12].decode(), (time.perf_counter() - self._sent_at) * 1000


def _content_length(head: bytes) -> int:
    for line in head.split(b"\r\n"):
        name, _, value = line.partition(b":")
        if name.lower() == b"content-length":
            return int(value)
    return 0


def _send_all(ports: Sequence[int], requests: Iterator[bytes], connections: int) -> Answers:
    selector, latencies, statuses = selectors.DefaultSelector(), list[float](), dict[str, int]()
    began, open_connections = time.perf_counter(), 0
    for number, request in zip(range(connections), requests, strict=False):
        line = Line(ports[number % len(ports)])
        selector.register(line.socket, selectors.EVENT_READ, line)
        line.ask(request)
        open_connections += 1
    while open_connections:
        for key, _ in selector.select():
            if answer := key.data.listen():
                status, took = answer
                latencies.append(took)
                statuses[status] = statuses.get(status, 0) + 1
                following = next(requests, None)
                if following is None:
                    open_connections -= 1
                else:
                    key.data.ask(following)
    return Answers(began, time.perf_counter() - began, latencies, statuses)


def main() -> None:
    """Send the requests that stand at standard input."""
    connections, *ports = map(int, sys.argv[1:])
    requests = [request.encode() for request in json.load(sys.stdin)]
    answers = _send_all(ports, iter(requests), connections)
    json.dump(asdict(answers), sys.stdout)


if __name__ == "__main__":
    main()
