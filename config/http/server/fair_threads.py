"""Threads that are shared out between clients in turn."""

import asyncio
from collections import deque
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from typing import Any

from accounts.limits.connections import network_of


class FairThreads:
    """A number of threads of which one client gets a share at most. Clients that wait are served in turn.

    To be used in one event loop.
    """

    def __init__(self, count: int, per_client: int) -> None:
        self._threads = ThreadPoolExecutor(count, thread_name_prefix="web")
        self._free, self._per_client = count, per_client
        self._working: dict[str, int] = {}
        self._waiting: dict[str, deque[asyncio.Future[None]]] = {}
        """The clients in the order in which they have their turn."""

    async def run(self, address: str, work: Callable[..., Any], *about: Any) -> Any:
        """Return what ``work`` returns or raises, in a thread, as soon as it is the turn of this client."""
        client = network_of(address)
        await self._turn(client)
        try:
            return await asyncio.get_running_loop().run_in_executor(self._threads, work, *about)
        finally:
            self._done(client)

    async def _turn(self, client: str) -> None:
        if client not in self._waiting and self._may_begin(client):
            return self._begin(client)
        turn = asyncio.get_running_loop().create_future()
        self._waiting.setdefault(client, deque()).append(turn)
        try:
            await turn
        except asyncio.CancelledError:
            if turn.done() and not turn.cancelled():
                self._done(client)
            raise

    def _may_begin(self, client: str) -> bool:
        return self._free > 0 and self._working.get(client, 0) < self._per_client

    def _begin(self, client: str) -> None:
        self._free -= 1
        self._working[client] = self._working.get(client, 0) + 1

    def _done(self, client: str) -> None:
        self._free += 1
        self._working[client] -= 1
        if not self._working[client]:
            del self._working[client]
        self._hand_on()

    def _hand_on(self) -> None:
        """Give the thread that is free to the first client in turn that may have it."""
        for client in tuple(self._waiting):
            if not self._may_begin(client):
                continue
            turns = deque(turn for turn in self._waiting.pop(client) if not turn.cancelled())
            if turns:
                turn = turns.popleft()
                if turns:
                    self._waiting[client] = turns  # at the end: the others come first
                self._begin(client)
                turn.set_result(None)
                return
