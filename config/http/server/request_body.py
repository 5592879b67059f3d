"""Reading the body of a request, as a whole and within bounds."""

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
    """A body that is here; or one that is larger than any may be, which was not read, and is refused by its length."""

    file: io.BytesIO
    length: int
    is_unsent: bool = False
    """True if the client waits for a 100 Continue that it does not get."""


async def read_body(scope: Scope, receive: Receive, hold: Callable[[int], None]) -> Body:
    """The body of a request, which may send nothing for as long as its connection may.

    ``hold`` is called with each number of bytes before they are kept. ConnectionResetError: the client has gone.
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
        came, more = message["body"], message["more_body"]
        length += len(came)
        if length > largest:
            return Body(io.BytesIO(), length)
        if length > FREE:
            hold(len(came))
        file.write(came)
    file.seek(0)
    return Body(file, length)
