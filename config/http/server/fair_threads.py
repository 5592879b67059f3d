"""Threads that are shared fairly among networks."""

import asyncio
from collections import deque
from collections.abc import AsyncIterator, Callable
from concurrent.futures import ThreadPoolExecutor
from contextlib import asynccontextmanager
from typing import Any

from accounts.limits.connections import network_of, surroundings_of


class FairThreads:
    """A thread pool of which one network gets only a share.

    Waiting networks get a thread in turn, and so do the addresses of a network. All calls come from one event loop.
    """

    def __init__(self, count: int, per_network: int) -> None:
        self._threads = ThreadPoolExecutor(count, thread_name_prefix="web")
        self._free, self._per_network = count, per_network
        self._working: dict[str, int] = {}
        # Networks and their addresses, in the order of their turns.
        self._waiting: dict[str, dict[str, deque[asyncio.Future[None]]]] = {}

    async def run(self, work: Callable[..., Any], *arguments: Any) -> Any:
        """Run ``work`` in a thread and return its result. The caller is inside ``turn``."""
        return await asyncio.get_running_loop().run_in_executor(self._threads, work, *arguments)

    @asynccontextmanager
    async def turn(self, address: str) -> AsyncIterator[None]:
        """Wait until a thread is free for an address, and reserve it in this block."""
        network = surroundings_of(address)
        await self._wait(network, network_of(address))
        try:
            yield
        finally:
            self._give_back(network)

    async def _wait(self, network: str, address: str) -> None:
        if network not in self._waiting and self._may_begin(network):
            return self._begin(network)
        turn = asyncio.get_running_loop().create_future()
        self._waiting.setdefault(network, {}).setdefault(address, deque()).append(turn)
        try:
            await turn
        except asyncio.CancelledError:
            if turn.done() and not turn.cancelled():
                self._give_back(network)
            raise

    def _may_begin(self, network: str) -> bool:
        return self._free > 0 and self._working.get(network, 0) < self._per_network

    def _begin(self, network: str) -> None:
        self._free -= 1
        self._working[network] = self._working.get(network, 0) + 1

    def _give_back(self, network: str) -> None:
        self._free += 1
        self._working[network] -= 1
        if not self._working[network]:
            del self._working[network]
        self._hand_on()

    def _hand_on(self) -> None:
        """Reserve the free thread for the next request in turn that may have it."""
        for network in tuple(self._waiting):
            if not self._may_begin(network):
                continue
            addresses = self._waiting.pop(network)
            turn = _next_turn(addresses)
            if addresses:
                self._waiting[network] = addresses  # now at the end, after the other networks
            if turn is not None:
                self._begin(network)
                turn.set_result(None)
                return


def _next_turn(addresses: dict[str, deque[asyncio.Future[None]]]) -> asyncio.Future[None] | None:
    """Remove and return the next request of a network, or None if all of them were cancelled."""
    for address in tuple(addresses):
        turns = deque(turn for turn in addresses.pop(address) if not turn.cancelled())
        if turns:
            turn = turns.popleft()
            if turns:
                addresses[address] = turns
            return turn
    return None
