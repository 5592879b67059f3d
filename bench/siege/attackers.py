"""Attackers: slow and idle connections, and clients that never read, to all services.

They run in a separate process, ``python -m bench.siege.attackers``. It reads its orders from standard input, prints
``ready`` when every connection has been tried, goes on until its input ends, and prints the ends of its connections.
"""

import asyncio
import contextlib
import json
import os
import random
import socket
import sys
import time
from collections import Counter
from pathlib import Path
from typing import Final

import uvloop

from config.core.processes import raise_file_limit

PACE: Final = 2.0
"""Seconds between two bytes of a slow connection."""
RENEWAL: Final = 15.0
"""The mean number of seconds before an attacker whose connection has ended connects again."""
LOWEST_PRIORITY: Final = 19
AT_ONCE: Final = 1.0
"""A connection that ends within these seconds counts as refused, and later as cut."""
IPV6_FREEBIND: Final = 78
"""The socket option of Linux that binds to an address which no interface has."""

HEAD: Final = "Host: localhost\r\nContent-Type: application/json\r\n"
WEB: Final = (
    "",
    "GET / HTTP/1.1\r\nX: ",
    f"POST /api/v1/accounts/ HTTP/1.1\r\n{HEAD}Content-Length: 500\r\n\r\n{{",
    f"GET /api/schema/ HTTP/1.1\r\n{HEAD}\r\n" * 4,
    f"GET /healthz HTTP/1.1\r\n{HEAD}\r\n",
)
STREAM: Final = (
    "",
    "GET /api/v1/stream/ HTTP/1.1\r\nX: ",
    f"POST /api/v1/stream/ HTTP/1.1\r\n{HEAD}Content-Length: 500\r\n\r\n{{",
    f"GET /api/v1/stream/ HTTP/1.1\r\n{HEAD}Authorization: Bearer darbar_none\r\n\r\n" * 4,
)
MAIL: Final = ("", "EHLO ", "EHLO siege.example\r\nMAIL FROM:<", "EHLO siege.example\r\n" + "NOOP\r\n" * 400)
BEGINNINGS: Final = {"web": WEB, "stream": STREAM, "mail": MAIL}
"""The first bytes of connections: none, a part of a request, or requests whose answers are never read."""


def address(network: str, number: int) -> str:
    """Return the address of one attacker."""
    if network == "one /24":
        return f"127.0.9.{number % 20 + 1}"
    if network == "twenty /24s":
        return f"127.{number % 20 + 10}.9.1"
    return f"2001:db8:9:{number % 1000:x}::1"


def connection(source: str) -> socket.socket:
    """Return a socket with a small receive buffer."""
    wire = socket.socket(socket.AF_INET6 if ":" in source else socket.AF_INET)
    wire.setblocking(False)
    wire.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 2048)
    if ":" in source:
        wire.setsockopt(socket.IPPROTO_IPV6, IPV6_FREEBIND, 1)
    wire.bind((source, 0))
    return wire


class Attack:
    def __init__(self) -> None:
        self.counts: Counter[str] = Counter()

    async def hold(self, service: str, port: int, source: str, beginning: str) -> None:
        """Connect, send the beginning, go on byte by byte without reading, and repeat this for ever."""
        while True:
            began = time.monotonic()
            self.counts[f"{service} tried"] += 1
            with contextlib.suppress(OSError):
                await self._hold_once(port, source, beginning)
            is_refused = time.monotonic() - began < AT_ONCE + (PACE if beginning else 0)
            self.counts[f"{service} {'refused' if is_refused else 'cut'}"] += 1
            await asyncio.sleep(random.uniform(0.5, 1.5) * RENEWAL)

    async def _hold_once(self, port: int, source: str, beginning: str) -> None:
        loop = asyncio.get_running_loop()
        with connection(source) as wire:
            await loop.sock_connect(wire, ("::1" if ":" in source else "127.0.0.1", port))
            await loop.sock_sendall(wire, beginning.encode())
            while beginning:
                await asyncio.sleep(PACE)
                await loop.sock_sendall(wire, b"x")
            while await loop.sock_recv(wire, 1024):
                pass


def lower_priority() -> None:
    """Run only while the server and the players are idle. Real attackers use other machines."""
    os.nice(LOWEST_PRIORITY)
    # With autogroups, Linux divides the processor among sessions first. Niceness counts within a session only.
    os.setsid()
    with contextlib.suppress(OSError):
        Path("/proc/self/autogroup").write_text(str(LOWEST_PRIORITY))


async def attack(ports: dict[str, int], network: str, connections: int) -> None:
    """Attack until standard input ends."""
    raise_file_limit()
    attackers, ended = Attack(), asyncio.Event()
    asyncio.get_running_loop().add_reader(sys.stdin, ended.set)
    tasks = []
    for number in range(connections):
        for service, port in ports.items():
            beginnings = BEGINNINGS[service]
            # The shift by ``number // 20`` gives every one of the 20 addresses connections of all kinds.
            beginning = beginnings[(number + number // 20) % len(beginnings)]
            tasks.append(asyncio.create_task(attackers.hold(service, port, address(network, number), beginning)))
        if number % 20 == 0:
            await asyncio.sleep(0.05)  # a burst of connections would measure the backlog of this machine
    print("ready", flush=True)
    await ended.wait()
    for task in tasks:
        task.cancel()
    await asyncio.gather(*tasks, return_exceptions=True)
    print(json.dumps(attackers.counts), flush=True)


def main() -> None:
    """Follow the orders at standard input."""
    lower_priority()
    orders = json.loads(sys.stdin.readline())
    uvloop.run(attack(orders["ports"], orders["network"], orders["connections"]))


if __name__ == "__main__":
    main()
