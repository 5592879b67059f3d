"""PostgreSQL's log: a file of limited size, and the previous file."""

import contextlib
import os
import shutil
from pathlib import Path
from typing import IO, Final

from config.embedded.private_files import open_private

LARGEST: Final = 4 * 1024 * 1024
"""Bytes of each file."""


class Log:
    """The file ``log`` in a folder, to which the server appends. When it is full, it is copied to ``log.1``."""

    def __init__(self, folder: Path) -> None:
        self._file = folder / "log"
        self._size_at_start = 0

    def open(self) -> IO[bytes]:
        """Open the file for a server that starts. ``last_line`` reads from its present end."""
        self.keep_small()
        file = open_private(self._file)
        self._size_at_start = os.fstat(file.fileno()).st_size
        return file

    def keep_small(self) -> None:
        """Empty the file if it is full. Its content is kept as ``log.1``, unless the disk is full."""
        if self._file.exists() and self._file.stat().st_size > LARGEST:
            with contextlib.suppress(OSError):
                shutil.copy(self._file, self._file.with_suffix(".1"))
            os.truncate(self._file, 0)  # the server has it open to append

    def last_line(self) -> str:
        """Return the last line about a failure since the start, or the last line."""
        with self._file.open("rb") as file:
            if self._file.stat().st_size >= self._size_at_start:
                file.seek(self._size_at_start)
            lines = file.read().decode(errors="replace").splitlines()
        failures = [line for line in lines if "FATAL" in line or "PANIC" in line]
        return (failures or lines or ["it says nothing."])[-1]
