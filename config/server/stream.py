"""The process of the event stream: ``python -m config.server.stream``."""

import asyncio
import signal
from importlib import import_module
from typing import Any

import uvloop
from django.conf import settings
from django.db import connection
from django.utils.module_loading import import_string

from config.core import processes
from config.core.database.connections import use_direct_connection
from config.core.processes import set_up_django


def main() -> None:
    """Serve event streams until the process is stopped."""
    processes.watch_parent()
    set_up_django()
    use_direct_connection()
    import_string("config.core.database.checks.DATABASE_CHECKS").start()
    uvloop.run(serve())
    processes.exit_process()


async def serve() -> None:
    """Serve until SIGTERM or SIGINT."""
    loop, stop = asyncio.get_running_loop(), asyncio.Event()
    for number in (signal.SIGTERM, signal.SIGINT):
        loop.add_signal_handler(number, stop.set)
    await serve_streams(settings.LISTEN, settings.STREAM_PORT, stop)


async def serve_streams(address: str, port: int, stop: asyncio.Event) -> None:
    """Serve event streams at an address until ``stop`` is set. One process is enough for all of them."""
    # Models can only be imported after the setup.
    hub = import_string("notifications.stream_events.Hub")(connection_parameters())
    streams = import_string("config.server.event_stream.EventStream")(hub)
    serving = import_module("config.server.serving")
    server = serving.Server(streams, address, port, serving.connection_limits())
    coroutines = (server.serve(), hub.run(), streams.check_tokens(), streams.report())
    tasks = [asyncio.create_task(coroutine) for coroutine in coroutines]
    stopping = asyncio.create_task(stop.wait())
    ended_tasks, _ = await asyncio.wait([stopping, *tasks], return_when=asyncio.FIRST_COMPLETED)
    server.end()
    streams.end_streams()
    await asyncio.gather(tasks[0], return_exceptions=True)
    for task in (stopping, *tasks[1:]):
        task.cancel()
    await asyncio.gather(*tasks, return_exceptions=True)
    await streams.close()
    for task in ended_tasks:
        task.result()  # raises if a task has failed


def connection_parameters() -> dict[str, Any]:
    """Return psycopg's parameters of Django's database."""
    parameters = connection.get_connection_params()
    return {name: value for name, value in parameters.items() if name not in ("cursor_factory", "context")}


if __name__ == "__main__":
    main()
