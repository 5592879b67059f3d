"""Server-sent events as bytes."""

import json
from datetime import datetime
from typing import Any, Final

from config.moments import whole_second, write_moment

BEGIN: Final = b"retry: 3000\n\n"
"""The beginning of a stream: after so many milliseconds a browser comes again."""
NOTHING_NEW: Final = b": nothing new\n\n"
HEARTBEAT: Final = 15.0
"""Seconds of silence after which a comment says that the stream still lives."""


def frame(kind: str, id: str, data: dict[str, Any], at: datetime) -> bytes:
    """One event: its kind, its data with the time, and the id from which a client goes on."""
    body = json.dumps({**data, "at": write_moment(whole_second(at))}, separators=(",", ":"))
    return f"id: {id}\nevent: {kind}\ndata: {body}\n\n".encode()
