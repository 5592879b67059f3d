"""The embedded broker: a folder, in which each message is a file.

kombu's own transport for files writes a message where the reader already looks for it, so that a worker may find
half of one and stop (celery/kombu#1551), and carries it through the system's folder for temporary files. Here a
message gets its name only when it is whole, and who takes it renames it first.
"""

import os
import time
import uuid
from collections.abc import Iterator
from pathlib import Path
from queue import Empty
from typing import Any, Final

from kombu.transport import TRANSPORT_ALIASES, virtual
from kombu.utils.json import dumps, loads

SCHEME: Final = "folder"
WAIT: Final = 0.2
"""Seconds that a worker waits for a message before it looks whether it is to end."""
TRANSPORT_ALIASES[SCHEME] = "config.folder:Transport"


class Channel(virtual.Channel):
    """The messages of a folder (the transport option ``folder``), the oldest first."""

    @property
    def _folder(self) -> Path:
        return Path(self.connection.client.transport_options["folder"])

    def _names(self, queue: str) -> Iterator[str]:
        with os.scandir(self._folder) as entries:
            names = sorted(entry.name for entry in entries)
        return (name for name in names if name.endswith(f".{queue}.message") and not name.startswith("."))

    def _put(self, queue: str, payload: Any, **_: object) -> None:
        name = f"{time.time_ns():020}-{uuid.uuid4()}.{queue}.message"
        unfinished = self._folder / f".new-{name}"
        unfinished.write_text(dumps(payload))
        unfinished.rename(self._folder / name)

    def _get(self, queue: str) -> Any:
        for name in self._names(queue):
            taken = self._folder / f".taken-{name}"
            try:
                (self._folder / name).rename(taken)
            except FileNotFoundError:
                continue
            payload = taken.read_text()
            taken.unlink()
            return loads(payload)
        raise Empty

    def _size(self, queue: str) -> int:
        return sum(1 for _ in self._names(queue))

    def _purge(self, queue: str) -> int:
        names = list(self._names(queue))
        for name in names:
            (self._folder / name).unlink(missing_ok=True)
        return len(names)


class Transport(virtual.Transport):
    """The broker at ``folder://``."""

    Channel = Channel
    global_state = virtual.BrokerState()
    default_port = 0
    driver_type = SCHEME
    driver_name = SCHEME

    def __init__(self, client: Any, **options: Any) -> None:
        super().__init__(client, **options)
        self.state = self.global_state

    def drain_events(self, connection: Any, timeout: float | None = None, **options: Any) -> None:
        """Take what comes; ``TimeoutError`` after ``WAIT``, though Celery would wait two seconds, twice at its end."""
        super().drain_events(connection, timeout=timeout and min(timeout, WAIT), **options)

    def driver_version(self) -> str:
        return "1"


def clear(folder: Path) -> None:
    """Throw away every message, also those half written or taken by a process that was killed."""
    for message in folder.glob("*.message"):
        message.unlink(missing_ok=True)
