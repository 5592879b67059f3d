"""Threads that go round between clients."""

import asyncio
import threading

from config.server.gateway import FairThreads


def test_a_request_behind_one_that_was_given_up_gets_its_thread() -> None:
    event, begun = threading.Event(), threading.Event()

    def work() -> str:
        begun.set()
        event.wait(20)
        return "served"

    async def play() -> tuple[bool, str]:
        threads = FairThreads(1, 1)

        async def run() -> str:
            async with threads.turn("127.0.1.1"):
                return str(await threads.run(work))

        first = asyncio.create_task(run())
        while not begun.is_set():
            await asyncio.sleep(0.01)
        resigned = asyncio.create_task(run())
        last = asyncio.create_task(run())
        await asyncio.sleep(0)
        resigned.cancel()
        await asyncio.sleep(0)
        event.set()
        await first
        return resigned.cancelled(), await asyncio.wait_for(last, 20)

    assert asyncio.run(play()) == (True, "served")
