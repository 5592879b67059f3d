"""The reading of a complete request body, up to a limit."""

import io
from collections.abc import Callable
from dataclasses import dataclass
from typing import Final

from config.http import body_limits
from config.http.server.answers import Receive, Scope

FREE: Final = 64 * 1024
"""Bytes of each body that are not counted."""


@dataclass(frozen=True)
class Body:
    """A complete body, or the length of a body that is too large and was not read."""

    file: io.BytesIO
    length: int
    is_unsent: bool = False
    """True if the client waits for 100 Continue, which it does not get."""


async def read_body(scope: Scope, receive: Receive, hold: Callable[[int], None]) -> Body:
    """Read the body of a request. The connection has the deadlines.

    ``hold`` is called with each number of bytes before they are stored. Raises ConnectionResetError if the client is
    gone.
    """
    headers = dict(scope["headers"])
    length, largest = int(headers.get(b"content-length", 0)), body_limits.largest_body(scope["path"])
    if not length and b"transfer-encoding" not in headers:
        return Body(io.BytesIO(), 0)
    if length > largest:
        return Body(io.BytesIO(), length, is_unsent=b"expect" in headers)
    return await _read(receive, largest, hold)


async def _read(receive: Receive, largest: int, hold: Callable[[int], None]) -> Body:
    file, length, more = io.BytesIO(), 0, True
    while more:
        message = await receive()
        if message["type"] == "http.disconnect":
            raise ConnectionResetError
        piece, more = message["body"], message["more_body"]
        length += len(piece)
        if length > largest:
            return Body(io.BytesIO(), length)
        if length > FREE:
            hold(len(piece))
        file.write(piece)
    file.seek(0)
    return Body(file, length)
