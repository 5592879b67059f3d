"""The embedded broker: a folder in which each message is a file.

kombu's own file transport writes a message in place, so a worker may read half of it and stop (celery/kombu#1551), and
it uses the system's folder for temporary files. Here a message gets its final name when it is complete, and a reader
renames it first. A pipe in the folder wakes waiting readers, so that they do not have to poll.
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

from kombu.transport import virtual
from kombu.utils.json import dumps, loads
from kombu.utils.scheduling import FairCycle

SCHEME: Final = "folder"
WAIT: Final = 0.5
"""Seconds that a worker waits for a notification before it looks for messages, and checks whether it has to end."""


class FolderNotifier:
    """A pipe in the folder. A sender of a message wakes one of the waiting readers through it."""

    def __init__(self, folder: Path) -> None:
        self._path = folder / "notify"
        self._pipe: int | None = None

    def notify(self) -> None:
        """Wake a waiting reader, if there is one."""
        with contextlib.suppress(OSError):
            pipe = os.open(self._path, os.O_WRONLY | os.O_NONBLOCK)
            try:
                os.write(pipe, b"!")
            finally:
                os.close(pipe)

    def wait(self, seconds: float) -> bool:
        """Return True if there was a notification since the last wait or within this number of seconds."""
        if self._pipe is None:
            try:
                os.mkfifo(self._path, 0o600)
            except FileExistsError:
                pass
            except OSError:  # the disk is full, so there is no pipe, and there are no messages either
                time.sleep(seconds)
                return False
            # Open it for writing, too. Otherwise every notification would be followed by an end of file.
            self._pipe = os.open(self._path, os.O_RDWR | os.O_NONBLOCK)
        poll = select.poll()
        poll.register(self._pipe, select.POLLIN)
        if not poll.poll(seconds * 1000):
            return False
        with contextlib.suppress(BlockingIOError):
            os.read(self._pipe, 4096)
        return True

    def close(self) -> None:
        """Close the pipe of a reader."""
        if self._pipe is not None:
            os.close(self._pipe)
            self._pipe = None


class Channel(virtual.Channel):
    """The messages of the folder in the transport option ``folder``, oldest first."""

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
        """Acknowledge a message, and wake a reader that waited for a free slot."""
        super().basic_ack(delivery_tag, multiple)
        self.connection.notifier.notify()

    def _get(self, queue: str, timeout: float | None = None) -> Any:
        for name in self._names(queue):
            own_file = self._folder / f".taken-{name}"
            try:
                (self._folder / name).rename(own_file)
            except OSError:  # another reader has taken the message, or the disk is too full to rename it
                continue
            payload = own_file.read_text()
            own_file.unlink()
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
        """Deliver the next message. Raises TimeoutError after ``WAIT``."""
        # Celery would wait for two seconds, twice when a worker ends.
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
