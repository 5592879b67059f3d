"""The embedded broker: a folder, in which each message is a file.

kombu's own transport for files writes a message where the reader already looks for it, so that a worker may find
half of one and stop (celery/kombu#1551), and carries it through the system's folder for temporary files. Here a
message gets its name only when it is whole, and who takes it renames it first. Whoever waits for one is woken through
a pipe in the folder, so that nobody has to look again and again.
"""

import contextlib
import os
import select
import time
import uuid
from collections.abc import Iterator
from pathlib import Path
from queue import Empty
from typing import Any, Final

from kombu.transport import TRANSPORT_ALIASES, virtual
from kombu.utils.json import dumps, loads
from kombu.utils.scheduling import FairCycle

SCHEME: Final = "folder"
WAIT: Final = 0.5
"""Seconds that a worker waits to be woken before it looks for messages, and whether it is to end."""
TRANSPORT_ALIASES[SCHEME] = "config.embedded.folder_broker:Transport"


class FolderNotifier:
    """A pipe in the folder: whoever has put a message there wakes one of those who wait."""

    def __init__(self, folder: Path) -> None:
        self._path = folder / "notify"
        self._pipe: int | None = None

    def notify(self) -> None:
        """Wake whoever waits; nobody need."""
        with contextlib.suppress(OSError):
            pipe = os.open(self._path, os.O_WRONLY | os.O_NONBLOCK)
            try:
                os.write(pipe, b"!")
            finally:
                os.close(pipe)

    def wait(self, seconds: float) -> bool:
        """Return True if it was notified, since the last wait or within so many seconds."""
        if self._pipe is None:
            try:
                os.mkfifo(self._path, 0o600)
            except FileExistsError:
                pass
            except OSError:  # the disk is full: nobody can notify, and nobody can put a message there either
                time.sleep(seconds)
                return False
            # To write too: else the pipe would end with each notification.
            self._pipe = os.open(self._path, os.O_RDWR | os.O_NONBLOCK)
        waiting = select.poll()
        waiting.register(self._pipe, select.POLLIN)
        if not waiting.poll(seconds * 1000):
            return False
        with contextlib.suppress(BlockingIOError):
            os.read(self._pipe, 4096)
        return True

    def close(self) -> None:
        """Wait no more."""
        if self._pipe is not None:
            os.close(self._pipe)
            self._pipe = None


class Channel(virtual.Channel):
    """The messages of a folder (the transport option ``folder``), the oldest first."""

    connection: "Transport"

    @property
    def _folder(self) -> Path:
        return self.connection.folder

    def _names(self, queue: str) -> Iterator[str]:
        with os.scandir(self._folder) as entries:
            names = sorted(entry.name for entry in entries)
        return (name for name in names if name.endswith(f".{queue}.message") and not name.startswith("."))

    def _put(self, queue: str, message: Any, **_: object) -> None:
        name = f"{time.time_ns():020}-{uuid.uuid4()}.{queue}.message"
        unfinished = self._folder / f".new-{name}"
        try:
            unfinished.write_text(dumps(message))
            unfinished.rename(self._folder / name)
        except OSError:
            unfinished.unlink(missing_ok=True)
            raise
        self.connection.notifier.notify()

    def basic_ack(self, delivery_tag: str, multiple: bool = False) -> None:
        """Done with a message: there may be room now for one that had to wait."""
        super().basic_ack(delivery_tag, multiple)
        self.connection.notifier.notify()

    def _get(self, queue: str, timeout: float | None = None) -> Any:
        for name in self._names(queue):
            taken = self._folder / f".taken-{name}"
            try:
                (self._folder / name).rename(taken)
            except OSError:  # somebody else has taken it, or the disk is too full for a name
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
    cycle: FairCycle

    def __init__(self, client: Any, **options: Any) -> None:
        super().__init__(client, **options)
        self.state = self.global_state
        self.folder = Path(client.transport_options["folder"])
        self.notifier = FolderNotifier(self.folder)

    def drain_events(self, connection: Any, timeout: float | None = WAIT, **options: Any) -> None:
        """Take what comes; ``TimeoutError`` after ``WAIT``, though Celery would wait two seconds, twice at its end."""
        end = time.monotonic() + (WAIT if timeout is None else min(timeout, WAIT))
        while True:
            try:
                self.cycle.get(self._deliver, timeout=timeout)
            except Empty:
                if not self.notifier.wait(max(0, end - time.monotonic())):
                    raise TimeoutError from None
            else:
                return

    def close_connection(self, connection: Any) -> None:
        super().close_connection(connection)
        self.notifier.close()

    def driver_version(self) -> str:
        return "1"
