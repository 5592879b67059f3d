"""The format of server-sent events."""

import json
from datetime import datetime
from typing import Any, Final

from config.core.clock import whole_second, write_moment

BEGIN: Final = b"retry: 3000\n\n"
"""The beginning of a stream, with the milliseconds after which a browser connects again."""
NOTHING_NEW: Final = b": nothing new\n\n"
HEARTBEAT: Final = 15.0
"""Seconds without an event after which a comment is sent."""


def frame(kind: str, id: str, data: dict[str, Any], at: datetime) -> bytes:
    """Return an event as bytes: its kind, its data with its time, and the id for Last-Event-ID."""
    body = json.dumps({**data, "at": write_moment(whole_second(at))}, separators=(",", ":"))
    return f"id: {id}\nevent: {kind}\ndata: {body}\n\n".encode()
