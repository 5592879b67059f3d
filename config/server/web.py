"""The web server: ``python -m config.server.web``."""

import asyncio
import signal
from importlib import import_module
from typing import Any

import uvloop
from django.conf import settings
from django.utils.module_loading import import_string

from config.core import processes


def main() -> None:
    """Serve pages and the API until the process is stopped."""
    # The modules are imported here because they import the models, which this module must not do in the runner.
    application = import_string("config.wsgi.application")
    gateway = import_module("config.server.gateway")
    threads = gateway.FairThreads(settings.WEB_THREADS, settings.WEB_THREADS_PER_NETWORK)
    uvloop.run(serve(gateway.Gateway(application, threads, settings.REQUESTS_AT_ONCE_PER_ADDRESS)))
    processes.exit_process()


async def serve(gateway: Any) -> None:
    """Serve until SIGTERM or SIGINT."""
    serving = import_module("config.server.serving")
    server = serving.Server(gateway, settings.LISTEN, settings.PORT, serving.connection_limits())
    loop = asyncio.get_running_loop()
    for number in (signal.SIGTERM, signal.SIGINT):
        loop.add_signal_handler(number, server.end)
    await server.serve()


if __name__ == "__main__":
    main()
