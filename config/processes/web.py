"""The web server: ``python -m config.processes.web``."""

import asyncio
import signal
from typing import Any

import uvloop
from django.conf import settings
from django.utils.module_loading import import_string

from config.embedded import parent_watch
from config.http.server.fair_threads import FairThreads
from config.http.server.serving import Server, connection_limits


def main() -> None:
    """Serve until told to end."""
    application = import_string("config.wsgi.application")  # by name: it loads the models
    gateway = import_string("config.http.server.gateway.Gateway")
    threads = FairThreads(settings.WEB_THREADS, settings.WEB_THREADS_PER_NETWORK)
    uvloop.run(serve(gateway(application, threads, settings.REQUESTS_AT_ONCE_PER_ADDRESS)))
    parent_watch.exit_process()


async def serve(gateway: Any) -> None:
    """Serve until SIGTERM or SIGINT."""
    server = Server(gateway, settings.LISTEN, settings.PORT, connection_limits())
    loop = asyncio.get_running_loop()
    for number in (signal.SIGTERM, signal.SIGINT):
        loop.add_signal_handler(number, server.end)
    await server.serve()


if __name__ == "__main__":
    main()
