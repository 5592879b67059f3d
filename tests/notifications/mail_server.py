"""A mail server in a thread, which closes its connections when it stops."""

import asyncio
from collections.abc import Callable
from typing import Any

from aiosmtpd.controller import Controller
from aiosmtpd.smtp import SMTP


class MailServer(Controller):
    """aiosmtpd's controller, but for connections that it is about to close when it stops.

    A client that has read the answer to QUIT may stop the server before the server has closed the connection. aiosmtpd
    leaves that to the garbage collector, whose warning fails the test that runs at that moment.
    """

    def __init__(self, handler: Any, port: int, protocol: Callable[[], SMTP] | None = None) -> None:
        super().__init__(handler, hostname="127.0.0.1", port=port)
        self._protocol = protocol or super().factory
        self._connections: list[SMTP] = []

    def factory(self) -> SMTP:
        """Return the protocol of a new connection."""
        connection = self._protocol()
        self._connections.append(connection)
        return connection

    def stop(self, no_assert: bool = False) -> None:
        """Close all connections, and end the thread."""
        asyncio.run_coroutine_threadsafe(self._close(), self.loop).result(10)
        super().stop(no_assert)

    async def _close(self) -> None:
        for connection in self._connections:
            if isinstance(connection.transport, asyncio.WriteTransport):
                connection.transport.abort()
        await asyncio.sleep(0)
        await asyncio.sleep(0)
