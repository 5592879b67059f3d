"""Attackers: connections that are slow or idle, at every door at once, from 127.0.1.0/24.

A process of its own (``python -m bench.siege.attackers``): it reads at its input how many there are to be, says
``ready`` when each has tried once, goes on until its input ends, and prints what became of them.
"""

import asyncio
import contextlib
import itertools
import json
import os
import socket
import sys
import time
from collections import Counter
from dataclasses import dataclass
from random import Random
from typing import Final

import uvloop

from accounts.limits.connections import raise_file_limit

NETWORK: Final = "127.0.1."
PACE: Final = 1.0
"""Seconds between two bytes of a slow connection, and before another one is opened for one that has ended."""
AT_ONCE: Final = 0.5
"""Seconds after which a connection that ends was not refused, but cut."""

LARGE: Final = "GET /api/v1/schema/ HTTP/1.1\r\nHost: localhost\r\n\r\n"
POST: Final = "POST /api/v1/tokens/ HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n"
WEB: Final = ("GET / HTTP/1.1\r\nX: ", POST + "Content-Length: 1000000\r\n\r\n{", POST + "X: ", LARGE * 4)
STREAM: Final = (
    "GET /api/v1/stream/ HTTP/1.1\r\nX: ",
    "POST /api/v1/stream/ HTTP/1.1\r\nHost: localhost\r\nContent-Length: 1000000\r\n\r\n{",
    "GET /api/v1/stream/ HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer darbar_none\r\n\r\n",
)
MAIL: Final = ("EHLO siege.example\r\nMAIL FROM:<", "EHLO ")
SLOW: Final = {"web": WEB, "stream": STREAM, "mail": MAIL}
"""The bytes that a slow connection sends at once, before it goes on byte by byte."""


@dataclass(frozen=True)
class Door:
    """One port that is attacked."""

    kind: str
    port: int


class Attack:
    """All connections to all doors."""

    def __init__(self) -> None:
        self.seen: Counter[str] = Counter()
        self._tried: Counter[str] = Counter()

    async def idle(self, door: Door, number: int) -> None:
        """Connect and say nothing, again and again: half from one address, half from all of the network."""
        await self._again_and_again(door, f"{NETWORK}{1 if number % 2 else number % 253 + 2}", "")

    async def slow(self, door: Door, number: int) -> None:
        """Connect, begin, and go on byte by byte, reading nothing, again and again."""
        beginnings = SLOW[door.kind]
        await self._again_and_again(door, f"{NETWORK}{number % 254 + 1}", Random(number).choice(beginnings))

    async def _again_and_again(self, door: Door, address: str, beginning: str) -> None:
        while True:
            began = time.monotonic()
            with contextlib.suppress(OSError):
                await self._attack(door, address, beginning)
            ended = "refused" if time.monotonic() - began < AT_ONCE else "cut"
            self.seen[f"{door.kind} {ended}"] += 1
            await asyncio.sleep(PACE)

    async def _attack(self, door: Door, address: str, beginning: str) -> None:
        """One connection, until the server ends it."""
        loop = asyncio.get_running_loop()
        with socket.socket() as wire:
            wire.setblocking(False)
            wire.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 2048)
            wire.bind((address, 0))
            self.seen[f"{door.kind} tried"] += 1
            await loop.sock_connect(wire, ("127.0.0.1", door.port))
            await loop.sock_sendall(wire, beginning.encode())
            while beginning:
                await asyncio.sleep(PACE)
                await loop.sock_sendall(wire, b"x")
            while await loop.sock_recv(wire, 1024):
                pass


async def attack(doors: list[Door], slow: int, idle: int) -> None:
    """Attack until the input ends."""
    raise_file_limit()
    all_of_them, ended = Attack(), asyncio.Event()
    asyncio.get_running_loop().add_reader(sys.stdin, ended.set)
    turn = itertools.cycle(doors)
    works = [all_of_them.slow(next(turn), number) for number in range(slow)]
    works += [all_of_them.idle(next(turn), number) for number in range(idle)]
    tasks = []
    for number, work in enumerate(works):
        tasks.append(asyncio.create_task(work))
        if number % 50 == 0:
            await asyncio.sleep(0.02)  # a burst of all at once would measure the backlog of this machine
    print("ready", flush=True)
    await ended.wait()
    for task in tasks:
        task.cancel()
    await asyncio.gather(*tasks, return_exceptions=True)
    print(json.dumps(all_of_them.seen), flush=True)


def main() -> None:
    """Do as the input says."""
    os.nice(19)  # in earnest they have machines of their own
    said = json.loads(sys.stdin.readline())
    doors = [Door(kind, port) for kind, port in said["doors"].items()]
    uvloop.run(attack(doors, said["slow"], said["idle"]))


if __name__ == "__main__":
    main()
