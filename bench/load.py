"""Clients that ask a server as quickly as it answers: many connections, one thread, nothing but sockets.

A process of its own (``python -m bench.load CONNECTIONS PORT...``) reads requests as JSON lines, and says how long each
took: what it needs itself is not counted as the server's.
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
    """The time of the first request by ``time.perf_counter``, which is one clock for all processes."""
    seconds: float
    """From the first request to the last answer."""
    latencies: Sequence[float]
    """Of each request, in milliseconds."""
    statuses: dict[str, int]

    @property
    def rate(self) -> float:
        """Requests a second."""
        return len(self.latencies) / self.seconds

    def slowest(self, part: float) -> float:
        """The latency that this part of the requests does not exceed."""
        return percentile(self.latencies, part)


def post(path: str, token: str, body: Any, **headers: str) -> str:
    """A request as it goes over the wire."""
    dumps = json.dumps(body)
    lines = [f"POST {path} HTTP/1.1", "Host: localhost", f"Authorization: Bearer {token}"]
    lines += ["Content-Type: application/json", f"Content-Length: {len(dumps)}"]
    lines += [f"{name}: {value}" for name, value in headers.items()]
    return "\r\n".join([*lines, "", dumps])


def get(path: str, token: str) -> str:
    """A request as it goes over the wire."""
    return f"GET {path} HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer {token}\r\n\r\n"


def ask(ports: Sequence[int], requests: Sequence[str], connections: int) -> Answers:
    """Make these requests from another process, over so many connections at once, to these ports in turn."""
    command = [sys.executable, "-m", "bench.load", str(connections), *map(str, ports)]
    text = subprocess.run(command, input=json.dumps(requests), capture_output=True, text=True, check=True).stdout
    return Answers(**json.loads(text))


class Line:
    """One connection: a request at a time."""

    def __init__(self, port: int) -> None:
        self.socket = socket.create_connection(("127.0.0.1", port))
        self.socket.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        self._asked_at = 0.0
        self._heard = b""

    def ask(self, request: bytes) -> None:
        self._heard, self._asked_at = b"", time.perf_counter()
        self.socket.sendall(request)

    def listen(self) -> tuple[str, float] | None:
        """The status and the milliseconds it took, once the answer is whole."""
        self._heard += self.socket.recv(65536)
        head, results, body = self._heard.partition(b"\r\n\r\n")
        if not results or len(body) < _length(head):
            return None
        return head[9:12].decode(), (time.perf_counter() - self._asked_at) * 1000


def _length(head: bytes) -> int:
    for line in head.split(b"\r\n"):
        name, _, value = line.partition(b":")
        if name.lower() == b"content-length":
            return int(value)
    return 0


def _make(ports: Sequence[int], requests: Iterator[bytes], connections: int) -> Answers:
    selector, latencies, statuses = selectors.DefaultSelector(), list[float](), dict[str, int]()
    began, open_ = time.perf_counter(), 0
    for number, request in zip(range(connections), requests, strict=False):
        line = Line(ports[number % len(ports)])
        selector.register(line.socket, selectors.EVENT_READ, line)
        line.ask(request)
        open_ += 1
    while open_:
        for key, _ in selector.select():
            if answer := key.data.listen():
                status, took = answer
                latencies.append(took)
                statuses[status] = statuses.get(status, 0) + 1
                following = next(requests, None)
                if following is None:
                    open_ -= 1
                else:
                    key.data.ask(following)
    return Answers(began, time.perf_counter() - began, latencies, statuses)


def main() -> None:
    """Make the requests that stand at the input."""
    connections, *ports = map(int, sys.argv[1:])
    requests = [item.encode() for item in json.load(sys.stdin)]
    result = _make(ports, iter(requests), connections)
    json.dump(asdict(result), sys.stdout)


if __name__ == "__main__":
    main()
