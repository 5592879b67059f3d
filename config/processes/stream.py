"""The event stream's process: ``python -m config.processes.stream``."""

import asyncio
import signal
from importlib import import_module
from typing import Any

import uvloop
from django.conf import settings
from django.db import connection
from django.utils.module_loading import import_string

from config.database.connections import use_direct_connection
from config.embedded import parent_watch
from config.embedded.django_setup import set_up_django


def main() -> None:
    """Keep streams open until told to end."""
    parent_watch.watch()
    set_up_django()
    use_direct_connection()
    import_string("config.database.database_checks.DATABASE_CHECKS").start()
    uvloop.run(serve())
    parent_watch.exit_process()


async def serve() -> None:
    """Serve until SIGTERM or SIGINT."""
    loop, over = asyncio.get_running_loop(), asyncio.Event()
    for number in (signal.SIGTERM, signal.SIGINT):
        loop.add_signal_handler(number, over.set)
    await keep_open(settings.LISTEN, settings.STREAM_PORT, over)


async def keep_open(address: str, port: int, over: asyncio.Event) -> None:
    """Keep streams open at an address until it is over. One process does: a stream costs little."""
    # By name: models can be imported only now.
    hub = import_string("notifications.stream.hub.Hub")(conninfo())
    streams = import_string("config.http.stream.event_stream.EventStream")(hub)
    serving = import_module("config.http.server.serving")
    server = serving.Server(streams, address, port, serving.connection_limits())
    lasting = (server.serve(), hub.run(), streams.look_after_tokens(), streams.report())
    work = [asyncio.create_task(coroutine) for coroutine in lasting]
    ended, _ = await asyncio.wait(
        [told := asyncio.create_task(over.wait()), *work], return_when=asyncio.FIRST_COMPLETED
    )
    server.end()
    streams.end_streams()
    await asyncio.gather(work[0], return_exceptions=True)
    for task in (told, *work[1:]):
        task.cancel()
    await asyncio.gather(*work, return_exceptions=True)
    await streams.close()
    for task in ended:
        task.result()  # raises if a task that must last has ended by itself


def conninfo() -> dict[str, Any]:
    """Return how psycopg reaches Django's database."""
    parameters = connection.get_connection_params()
    return {name: value for name, value in parameters.items() if name not in ("cursor_factory", "context")}


if __name__ == "__main__":
    main()
